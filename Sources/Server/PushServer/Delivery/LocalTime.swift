import Foundation
import PushModel

/// The moments at which devices in different time zones show one wall-clock time.
enum LocalTime {
  /// Groups devices by the moment at which their clocks show a time; a device without a time zone has UTC.
  ///
  /// A moment that has passed is due at once. Devices with an unknown time zone are in a segment that gets nothing.
  static func segments(
    of parts: [(timeZone: String?, devices: DeviceNumbers)], at wall: Timestamp
  ) -> [Segment] {
    let due = Dictionary(grouping: parts) { part in
      let zone = DeviceTimeZone.clock(ofDevice: part.timeZone)
      return Segment(
        dueAt: zone.map { instant(of: wall, zone: $0) } ?? wall, devices: DeviceNumbers(),
        quiet: zone == nil ? .always : nil)
    }
    return due.map { segment, parts in
      Segment(
        dueAt: segment.dueAt,
        devices: parts.dropFirst().reduce(parts[0].devices) { $0.union($1.devices) },
        quiet: segment.quiet)
    }.sorted { $0.dueAt < $1.dueAt }
  }

  /// Returns the moment at which clocks of a zone show a time.
  ///
  /// If clocks show the time twice, it is the first moment. If they skip it, the moment is as long after the change
  /// as the time is after the last one that clocks showed.
  ///
  /// `wall` is the time that clocks show, written as if it were UTC.
  static func instant(of wall: Timestamp, zone: TimeZone) -> Timestamp {
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

  /// The time that clocks of a zone show at a moment, written as if it were UTC.
  static func shown(at time: Timestamp, zone: TimeZone) -> Timestamp {
    let seconds = Double(time.milliseconds) / 1000
    return time + .seconds(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
  }
}
