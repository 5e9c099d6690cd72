/// The counts of a send in one hour.
package struct SendHour: Hashable, Sendable {
  /// The kind of a count; `media` and `mediaFailure` are counted by name.
  package enum Kind: String {
    case sent, rejected, uninstalled, delivered, displayed, opened, media, mediaFailure
  }

  /// The start of the hour, UTC.
  package var time: Timestamp
  package var sent = 0
  package var rejected = 0
  package var uninstalled = 0
  package var delivered = 0
  package var displayed = 0
  package var opened = 0
  /// The number of devices by the result of showing their media: `attached`, `alternative`, `failed` or `skipped`.
  package var media: [String: Int] = [:]
  /// The number of media that failed, by reason.
  package var mediaFailures: [String: Int] = [:]

  package init(time: Timestamp) { self.time = time }

  package mutating func add(_ count: Int, to kind: Kind, named name: String) {
    switch kind {
    case .sent: sent += count
    case .rejected: rejected += count
    case .uninstalled: uninstalled += count
    case .delivered: delivered += count
    case .displayed: displayed += count
    case .opened: opened += count
    case .media: media[name, default: 0] += count
    case .mediaFailure: mediaFailures[name, default: 0] += count
    }
  }
}

extension Timestamp {
  /// The start of the hour that contains the time.
  package var hour: Timestamp {
    let rest = milliseconds % 3_600_000
    return Timestamp(milliseconds: milliseconds - (rest < 0 ? rest + 3_600_000 : rest))
  }
}
