/// Which push the openings of an app on one device are owed to: the last one it received, for a day.
///
/// A tap is reported by a receipt, and is a direct opening. Any other opening within the window is
/// indirect, once a push. Receipts may come after the opening that they explain, for an extension
/// keeps them until they can be sent: then what was counted wrongly is taken back.
struct Attribution: Hashable, Sendable {
  enum Credit: Hashable, Sendable {
    case none
    case indirect(at: Timestamp)
    case direct(at: Timestamp)
  }

  /// What is to be counted on a send: one indirect opening more, or one less.
  struct Change: Hashable, Sendable {
    var send: Int64
    var amount: Int
  }

  static let window = Duration.seconds(86_400)
  /// For how long it is of use: late receipts may still come.
  static let kept = window * 2

  private(set) var send: Int64
  private(set) var receivedAt: Timestamp
  private(set) var credit = Credit.none

  init(send: Int64, receivedAt: Timestamp, credit: Credit = .none) {
    self.send = send
    self.receivedAt = receivedAt
    self.credit = credit
  }

  /// The device's first push, perhaps told of after an opening.
  static func first(
    _ send: Int64, at time: Timestamp, lastOpened: Timestamp?
  ) -> (Attribution, [Change]) {
    var new = Attribution(send: send, receivedAt: time)
    let changes = lastOpened.map { new.opened(at: $0) } ?? []
    return (new, changes)
  }

  /// A push has reached the device.
  mutating func received(_ send: Int64, at time: Timestamp, lastOpened: Timestamp?) -> [Change] {
    guard send != self.send, time >= receivedAt else { return [] }
    let old = self
    self = Attribution(send: send, receivedAt: time)
    switch old.credit {
    case .indirect(at: let opened) where opened >= time:
      // It was this push's, of which nobody had heard yet.
      credit = .indirect(at: opened)
      return [Change(send: old.send, amount: -1), Change(send: send, amount: 1)]
    case .direct(at: let tapped) where tapped >= time:
      return []
    default:
      return lastOpened.map { opened(at: $0) } ?? []
    }
  }

  /// The app was opened, nobody knows yet by what.
  mutating func opened(at time: Timestamp) -> [Change] {
    guard credit == .none, isWithinWindow(time, of: receivedAt) else { return [] }
    credit = .indirect(at: time)
    return [Change(send: send, amount: 1)]
  }

  /// A push was tapped.
  mutating func tapped(_ send: Int64, at time: Timestamp) -> [Change] {
    guard send == self.send || time >= receivedAt else { return [] }
    let old = self
    self = Attribution(
      send: send, receivedAt: min(time, send == old.send ? old.receivedAt : time),
      credit: .direct(at: time))
    // What looked like an opening without a tap was this one; an earlier one was not.
    guard case .indirect(at: let opened) = old.credit, send == old.send || opened >= time else {
      return []
    }
    return [Change(send: old.send, amount: -1)]
  }

  /// When the app was last opened because of the push; `nil` where it was not.
  var openedAt: Timestamp? {
    switch credit {
    case .none: nil
    case .indirect(at: let time), .direct(at: let time): time
    }
  }

  /// The push that something done at a moment is credited to.
  func send(of time: Timestamp) -> Int64? {
    guard let openedAt, time >= receivedAt, time.since(openedAt) <= Self.window else { return nil }
    return send
  }

  private func isWithinWindow(_ time: Timestamp, of start: Timestamp) -> Bool {
    time >= start && time.since(start) <= Self.window
  }
}
