import Foundation
import PushStore

/// When a time of day comes for each device, by its own time zone.
enum LocalTime {
  /// The devices by when their clocks show a time; those without a time zone go by UTC.
  ///
  /// A time that has passed somewhere is due there at once.
  static func segments(
    of parts: [(timeZone: String?, devices: DeviceNumbers)], at wall: Timestamp
  ) -> [Segment] {
    let due = Dictionary(grouping: parts) { instant(of: wall, zone: $0.timeZone) }
    return due.map { time, parts in
      Segment(
        dueAt: time,
        devices: parts.dropFirst().reduce(parts[0].devices) { $0.union($1.devices) })
    }.sorted { $0.dueAt < $1.dueAt }
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
