/// The push that gets the credit for openings of an app on one device: the last push that the device received within
/// a day.
///
/// A receipt reports a tap, which is a direct opening. Any other opening within the window is indirect, and counts
/// once for each push. An extension keeps receipts until it can send them, so a receipt may arrive after the opening
/// that it explains. A wrong count is then corrected.
package struct Attribution: Hashable, Sendable {
  package enum Credit: Hashable, Sendable {
    case none
    case indirect(at: Timestamp)
    case direct(at: Timestamp)
  }

  /// A change of the indirect openings of a send, by 1 or -1.
  struct Change: Hashable, Sendable {
    var send: Int64
    var amount: Int
  }

  /// The time after a push in which an opening is credited to it.
  static let window = Duration.seconds(86_400)

  package private(set) var send: Int64
  package private(set) var receivedAt: Timestamp
  package private(set) var credit = Credit.none

  package init(send: Int64, receivedAt: Timestamp, credit: Credit = .none) {
    self.send = send
    self.receivedAt = receivedAt
    self.credit = credit
  }

  /// The attribution of a device's first push, whose receipt may have arrived after an opening.
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
      // The opening came after this push, but before its receipt.
      credit = .indirect(at: opened)
      return [Change(send: old.send, amount: -1), Change(send: send, amount: 1)]
    case .direct(at: let tapped) where tapped >= time:
      return []
    default:
      return lastOpened.map { opened(at: $0) } ?? []
    }
  }

  /// Records an opening of the app that no receipt of a tap explains.
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
    // The indirect opening was this tap, unless it was credited to another push before the tap.
    guard case .indirect(at: let opened) = old.credit, send == old.send || opened >= time else {
      return []
    }
    return [Change(send: old.send, amount: -1)]
  }

  /// The time at which the push opened the app; `nil` if it has not opened the app.
  package var openedAt: Timestamp? {
    switch credit {
    case .none: nil
    case .indirect(at: let time), .direct(at: let time): time
    }
  }

  /// The push that an event in the app is credited to; `nil` if a push has not opened the app within the window.
  func creditedSend(at time: Timestamp) -> Int64? {
    guard let openedAt, time >= receivedAt, time.since(openedAt) <= Self.window else { return nil }
    return send
  }

  private func isWithinWindow(_ time: Timestamp, of start: Timestamp) -> Bool {
    time >= start && time.since(start) <= Self.window
  }
}
