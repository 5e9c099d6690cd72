import NetworkAddresses
import PushCrypto
import PushPayload
import PushStore
import Synchronization
import _HTTPServer
import _OpenSSLCrypto

/// The devices that a request with a device key acts for, and the secret that it shows.
struct DeviceClaim: Sendable {
  /// The SHA-256 of the secret in the request; `nil` if the request has no secret.
  var secretHash: [UInt8]?
  /// The ids of the devices that the request acts for.
  var ids: Set<String>
  /// The existing ones among them, by their ids.
  var known: [String: DeviceOwner]
}

extension Route {
  /// The place in a request that names the devices that it acts for.
  enum Devices: Sendable {
    /// The route acts for no device, or only with keys that may act for all.
    case none
    /// In the path, as `:device_id`.
    case path
    /// In the body, by ids that the closure reads like the handler.
    case body(@Sendable (BodyValue) -> [String])
  }
}

extension API {
  /// The header with a device's own secret, and the bytes of that secret.
  static let deviceSecretHeader = "Martlet-Device-Secret"
  static let deviceSecretBytes = 32

  /// Checks that a device key acts only for devices that it may act for.
  ///
  /// Every request with a device key passes here before its handler. A device key is public, so a device with a
  /// secret accepts only requests with that secret. The routes of a device's owner always need it.
  ///
  /// - Returns: The claim; `nil` if the key is not a device key.
  /// - Throws: ``RequestError`` `.forbidden` if a device has another secret, `.invalid` if the header is not a secret.
  func claim(of call: inout Call, on route: Route) async throws -> DeviceClaim? {
    guard let key = call.key, key.role == .device else { return nil }
    let hash = try Self.secretHash(in: call.request)
    let ids: Set<String>
    switch route.devices {
    case .none: ids = []
    case .path: ids = [call.parameter("device_id")]
    case .body(let read):
      let body = try call.json()
      call.body = body
      ids = Set(read(body))
    }
    let known = try await store.owners(of: Array(ids), app: call.app())
    for id in ids {
      let owner = known[id]
      if case .ownDevice = route.access {
        // An erased device has no secret left to compare with.
        if owner?.isErased == true { throw RequestError(.erased, "the device \(id) was erased") }
        guard owner?.isProven(by: hash) == true else { throw RequestError.forbidden }
      }
      guard owner?.admits(hash) ?? true else { throw RequestError.forbidden }
    }
    return DeviceClaim(secretHash: hash, ids: ids, known: known)
  }

  private static func secretHash(in request: HTTPRequest) throws(RequestError) -> [UInt8]? {
    guard let text = request.header(deviceSecretHeader) else { return nil }
    guard text.utf8.count <= 64, let secret = Base64URL.decode(text),
      secret.count == deviceSecretBytes
    else {
      throw RequestError(
        .invalid,
        "\(deviceSecretHeader) must be base64url of \(deviceSecretBytes) bytes, without padding")
    }
    return OpenSSLCrypto.sha256(secret)
  }

  /// The caller of an update, as the store knows it.
  func caller(_ claim: DeviceClaim?) -> DeviceCaller {
    guard let claim else { return .server }
    return .app(secretHash: claim.secretHash, deviceLimit: site.deviceLimit)
  }

  /// Counts a new device of a device key against the limit of its address.
  ///
  /// - Throws: ``RequestError`` `.tooMany` if the address has registered too many.
  func limitNewDevices(from address: String) throws(RequestError) {
    let rate = RateLimiter.Rate.newDevices(perMinute: site.newDevicesPerMinute)
    let network = NumericAddress.network(of: address)
    guard let wait = actions.newDevices.withLock({ $0.wait(for: network, rate, at: clock.now()) })
    else {
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
