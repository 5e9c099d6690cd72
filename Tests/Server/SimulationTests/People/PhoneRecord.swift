import PushModel

/// What a phone has told the server, and when it knew that the server had it.
struct PhoneRecord: Sendable {
  struct State: Hashable, Sendable {
    var token: String
    var isDevelopment: Bool
    var group: Int
    var zone: Int
    var isEnabled: Bool
  }

  /// A state that a phone began to tell at one time and knew to be stored at another.
  struct Told: Sendable {
    var state: State
    var begun: Timestamp
    /// `nil` while the server has not answered.
    var answered: Timestamp?
  }

  private(set) var told: [Told] = []
  /// The number of tokens that the phone has had.
  var tokens = 0
  /// Whether the person has removed the app.
  var isRemoved = false

  /// The state that the phone has now; `nil` if it never had the app.
  var current: State? { told.last?.state }

  mutating func begin(_ state: State, at now: Timestamp) {
    told.append(Told(state: state, begun: now))
  }

  mutating func answer(at now: Timestamp) {
    guard !told.isEmpty else { return }
    told[told.count - 1].answered = told[told.count - 1].answered ?? now
  }

  /// The states that the server may have at some time from `start` to `end`; `nil` stands for no state.
  func possible(from start: Timestamp, to end: Timestamp) -> [State?] {
    var states: [State?] = []
    if told.first?.answered.map({ $0 >= start }) ?? true { states.append(nil) }
    for (index, one) in told.enumerated() where one.begun <= end {
      let isReplaced =
        index + 1 < told.count && (told[index + 1].answered.map { $0 < start } ?? false)
      if !isReplaced { states.append(one.state) }
    }
    return states
  }
}
