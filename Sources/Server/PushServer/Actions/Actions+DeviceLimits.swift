import NetworkAddresses
import PushModel
import Synchronization

/// The limits of the devices that device keys, which are public, may register.
extension Actions {
  /// Counts a new device of a device key against the limit of its address.
  ///
  /// - Throws: ``RequestError`` `.tooMany` if the address has registered too many.
  func limitNewDevices(from address: String) throws(RequestError) {
    let rate = RateLimiter.Rate.newDevices(perMinute: site.newDevicesPerMinute)
    let network = NumericAddress.network(of: address)
    guard let wait = newDevices.withLock({ $0.wait(for: network, rate, at: clock.now()) }) else {
      return
    }
    metrics.refusedDevice(.address)
    throw .tooMany("for new devices from this address", wait: wait)
  }

  /// Warns if a new device brings its app to 80 % of its devices, or to all of them.
  func reportFill(of app: String, at count: Int) {
    guard count == AppDevices.alarm(at: site.deviceLimit) || count == site.deviceLimit else {
      return
    }
    warn(ofFull: app, with: count)
  }

  /// Warns of each app that has 80 % of its devices or more.
  func reportFills() async {
    do throws(StoreError) {
      for (app, count) in try await store.registeredDevices()
      where count >= AppDevices.alarm(at: site.deviceLimit) {
        warn(ofFull: app, with: count)
      }
    } catch {
      log(LogLine("counting the apps' devices failed: \(error.message)"))
    }
  }

  private func warn(ofFull app: String, with count: Int) {
    let limit = site.deviceLimit
    log(
      LogLine(
        count < limit
          ? "the app \(app) has \(count) of the \(limit) devices that --device-limit allows"
          : "the app \(app) has \(count) devices, all that --device-limit allows: device keys"
            + " register no more"))
  }
}
