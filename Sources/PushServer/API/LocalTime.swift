import Foundation
import PushStore

/// When a time of day comes for each device, by its own time zone.
struct LocalTime {
  let store: any PushStore
  let app: String

  /// How many devices are read at once.
  private static let chunk = 1000

  /// The devices by when their clocks show a time; those without a time zone go by UTC.
  ///
  /// A time that has passed somewhere is due there at once.
  func segments(of devices: DeviceNumbers, at wall: Timestamp) async throws -> [Segment] {
    var due: [Timestamp: DeviceNumbers] = [:]
    var known: [String?: Timestamp] = [nil: wall]
    var rank = 0
    while rank < devices.count {
      let numbers = devices.slice(from: rank, limit: Self.chunk)
      rank += numbers.count
      for device in try await store.devices(app: app, numbers: numbers) {
        let time = known[device.timeZone] ?? Self.instant(of: wall, zone: device.timeZone)
        known[device.timeZone] = time
        due[time, default: DeviceNumbers()].append(device.number)
      }
    }
    return due.map { Segment(dueAt: $0.key, devices: $0.value) }.sorted { $0.dueAt < $1.dueAt }
  }

  /// When clocks of a zone show a time, which is written as if it were of UTC.
  ///
  /// A time that is shown twice is the first of the two; one that clocks jump over is as long after
  /// the jump as it says.
  static func instant(of wall: Timestamp, zone name: String?) -> Timestamp {
    guard let zone = name.flatMap(TimeZone.init(identifier:)) else { return wall }
    func offset(at time: Timestamp) -> Duration {
      let seconds = Double(time.milliseconds) / 1000
      return .seconds(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    }
    let day = Duration.seconds(86_400)
    let before = offset(at: wall + (.zero - day))
    let after = offset(at: wall + day)
    let candidates = [before, after].map { (offset: $0, time: wall + (.zero - $0)) }
    let shown = candidates.filter { offset(at: $0.time) == $0.offset }.map(\.time).min()
    return shown ?? wall + (.zero - before)
  }
}
