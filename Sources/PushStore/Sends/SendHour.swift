/// What one hour of a send came to.
package struct SendHour: Hashable, Sendable {
  /// What is counted; the last two by a name.
  enum Kind: String {
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
  /// How many devices reported what of their media: `attached`, `alternative`, `failed`, `skipped`.
  package var media: [String: Int] = [:]
  /// How many media failed for each reason.
  package var mediaFailures: [String: Int] = [:]

  package init(time: Timestamp) { self.time = time }

  mutating func add(_ count: Int, _ kind: Kind, _ name: String) {
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
  /// The start of the hour it is in.
  var hour: Timestamp {
    let rest = milliseconds % 3_600_000
    return Timestamp(milliseconds: milliseconds - (rest < 0 ? rest + 3_600_000 : rest))
  }
}
