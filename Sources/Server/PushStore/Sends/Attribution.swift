/// The push that the openings of an app on one device are credited to: the last one that the device
/// received, for a day.
///
/// A tap is reported by a receipt and is a direct opening. Any other opening within the window is
/// indirect, and counts once for each push. An extension keeps receipts until they can be sent, so
/// a receipt may arrive after the opening that it explains; a wrong count is then corrected.
struct Attribution: Hashable, Sendable {
  enum Credit: Hashable, Sendable {
    case none
    case indirect(at: Timestamp)
    case direct(at: Timestamp)
  }

  /// A change of the indirect openings of a send, by 1 or -1.
  struct Change: Hashable, Sendable {
    var send: Int64
    var amount: Int
  }

  /// How long after a push an opening is credited to it.
  static let window = Duration.seconds(86_400)

  private(set) var send: Int64
  private(set) var receivedAt: Timestamp
  private(set) var credit = Credit.none

  init(send: Int64, receivedAt: Timestamp, credit: Credit = .none) {
    self.send = send
    self.receivedAt = receivedAt
    self.credit = credit
  }

  /// The attribution of the first push of a device, whose receipt may have come after an opening.
  static func first(
    _ send: Int64, at time: Timestamp, lastOpened: Timestamp?
  ) -> (Attribution, [Change]) {
    var new = Attribution(send: send, receivedAt: time)
    let changes = lastOpened.map { new.opened(at: $0) } ?? []
    return (new, changes)
  }

  /// Records that a push has reached the device.
  mutating func received(_ send: Int64, at time: Timestamp, lastOpened: Timestamp?) -> [Change] {
    guard send != self.send, time >= receivedAt else { return [] }
    let old = self
    self = Attribution(send: send, receivedAt: time)
    switch old.credit {
    case .indirect(at: let opened) where opened >= time:
      // The opening came after this push, whose receipt was late.
      credit = .indirect(at: opened)
      return [Change(send: old.send, amount: -1), Change(send: send, amount: 1)]
    case .direct(at: let tapped) where tapped >= time:
      return []
    default:
      return lastOpened.map { opened(at: $0) } ?? []
    }
  }

  /// Records that the app was opened, not known to be by a tap.
  mutating func opened(at time: Timestamp) -> [Change] {
    guard credit == .none, isWithinWindow(time, of: receivedAt) else { return [] }
    credit = .indirect(at: time)
    return [Change(send: send, amount: 1)]
  }

  /// Records that a push was tapped.
  mutating func tapped(_ send: Int64, at time: Timestamp) -> [Change] {
    guard send == self.send || time >= receivedAt else { return [] }
    let old = self
    self = Attribution(
      send: send, receivedAt: min(time, send == old.send ? old.receivedAt : time),
      credit: .direct(at: time))
    // The opening that was counted as indirect was this tap, unless it was earlier.
    guard case .indirect(at: let opened) = old.credit, send == old.send || opened >= time else {
      return []
    }
    return [Change(send: old.send, amount: -1)]
  }

  /// When the app was opened because of the push; `nil` where it was not.
  var openedAt: Timestamp? {
    switch credit {
    case .none: nil
    case .indirect(at: let time), .direct(at: let time): time
    }
  }

  /// The push that an event in the app is credited to; `nil` where the app was not opened because
  /// of one within the window.
  func creditedSend(at time: Timestamp) -> Int64? {
    guard let openedAt, time >= receivedAt, time.since(openedAt) <= Self.window else { return nil }
    return send
  }

  private func isWithinWindow(_ time: Timestamp, of start: Timestamp) -> Bool {
    time >= start && time.since(start) <= Self.window
  }
}
