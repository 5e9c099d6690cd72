/// A Live Activity on one phone, as its keeper knows it: at most one is shown, with the last state.
///
/// APNs accepts pushes that a phone then drops, so a push is no proof that a phone shows something. Proofs are the
/// phone's token, and its end: the app removes it, or APNs answers 410. In doubt the keeper waits until nothing can be
/// on the screen any more.
package struct KeptPhone: Hashable, Sendable {
  package enum Stage: String, CaseIterable, Sendable {
    /// No activity is on the screen after ``KeptPhone/leavesAt``.
    case absent
    /// A start was sent, and its token has not come.
    case starting
    /// The activity has a token.
    case shown
    /// An end was sent, which is repeated until the token is gone.
    case ending
    /// Nothing more is sent, unless a token comes.
    case gone
  }

  /// The part of the phone that others know: its tokens.
  package struct Sight: Hashable, Sendable {
    /// The token that updates the activity; `nil` if there is none.
    package var token: String?
    /// Whether the phone has a token for starts.
    package var canStart: Bool
    /// Whether the device was erased.
    package var isErased = false

    package init(token: String? = nil, canStart: Bool = false) {
      (self.token, self.canStart) = (token, canStart)
    }
  }

  /// A push without an answer.
  package struct Flight: Hashable, Sendable {
    package var number: Int
    package var event: ActivityPush.Event
    package var sentAt: Timestamp
    /// The time after which no answer is expected.
    package var endsAt: Timestamp
  }

  /// The time for which an activity runs, and for which it may stay on the lock screen after that.
  ///
  /// Source: Apple, "Displaying live data with Live Activities".
  package static let life = Duration.seconds(8 * 3600)
  package static let stay = Duration.seconds(4 * 3600)
  /// The time after a start at which it is renewed.
  package static let renewal = Duration.seconds(7 * 3600 + 1800)

  package internal(set) var stage = Stage.absent
  package internal(set) var sight = Sight()
  /// Whether the person wants the activity on this phone.
  package internal(set) var follows = true
  /// A time at or before the begin of the activity; `nil` if the app has begun it.
  package internal(set) var begunAt: Timestamp?
  /// The time from which on no activity can be on the screen that this value does not know to be gone.
  package internal(set) var leavesAt: Timestamp?
  /// The token whose activity has ended, which may still be reported late.
  package internal(set) var retiredToken: String?
  /// Whether APNs has accepted a push to the token.
  package internal(set) var isProved = false
  /// Whether the activity has begun on the phone, or a start was sent that APNs has not refused.
  package internal(set) var hasBegun = false
  /// Whether it had begun before the last start, so that a token may be one of the earlier activity.
  package internal(set) var isAgain = false
  /// The last revision that was sent.
  package internal(set) var revision = 0
  package internal(set) var flight: Flight?
  /// The time of the last push, and the number of repeats since the last news.
  package internal(set) var sentAt: Timestamp?
  package internal(set) var repeats = 0
  /// The time before which no start is sent, after APNs has refused one.
  package internal(set) var retryAt: Timestamp?
  /// The number of starts in a row that APNs has refused.
  package internal(set) var refusals = 0

  package init() {}

  /// The time from which on nothing of an activity that begins at or before `time` can be on the screen.
  static func end(ofBegin time: Timestamp) -> Timestamp { time + life + stay }

  /// Whether the phone's tokens have left a mark.
  var knowsToken: Bool { sight.token != nil || retiredToken != nil }

  // MARK: Events

  /// Takes the tokens that the phone has now.
  mutating func see(_ seen: Sight, at now: Timestamp) {
    sight.canStart = seen.canStart
    // The app may report the token of an activity that has ended after the start of the next.
    let retired = retiredToken
    let token = seen.token == retired ? nil : seen.token
    guard token != sight.token else { return }
    if token == nil { lose(at: now) } else { gain(at: now) }
    // A token that is told late stays retired, also where it takes the place of the next one.
    if token == nil, seen.token != nil { retiredToken = retired }
    sight.token = token
    isProved = false
  }

  private mutating func gain(at now: Timestamp) {
    if isBegunByApp(at: now) { begunAt = nil }
    leavesAt = max(leavesAt ?? now, Self.end(ofBegin: now))
    // A push to the old token may have been lost with it.
    if stage != .starting { revision = 0 }
    stage = .shown
    hasBegun = true
    (repeats, flight) = (0, nil)
    sentAt = sentAt ?? now
  }

  /// Whether a token that comes now can only be that of an activity that the app has begun.
  ///
  /// The token of a start may come late. That of the only start cannot come any more after the phone has lost a token.
  /// After several starts, one of a removed activity is not expected eight hours after the last.
  private func isBegunByApp(at now: Timestamp) -> Bool {
    switch stage {
    case .gone: !isAgain || begunAt.map { now >= $0 + Self.life } ?? false
    case .absent: !isAgain && retiredToken != nil
    case .starting, .shown, .ending: false
    }
  }

  private mutating func lose(at now: Timestamp) {
    retiredToken = sight.token
    let isBeforeEnd = begunAt.map { now < $0 + Self.life } ?? false
    switch stage {
    case .ending:
      // After eight hours the system may have ended it, which leaves it on the lock screen. And where APNs knows
      // nothing of the token, it was one of an earlier activity.
      if isBeforeEnd, isProved { leavesAt = now }
      stage = follows ? .absent : .gone
      flight = nil
    case .shown where !isProved && begunAt != nil && isAgain:
      // The token was one of an earlier activity: nothing is known about the last start.
      stage = .starting
    case .shown:
      // The person has removed the activity, unless the system has ended it. Who asks for it again gets it at once.
      if isBeforeEnd, isProved { leavesAt = now }
      stage = isBeforeEnd || begunAt == nil ? .gone : .absent
    case .absent, .starting, .gone: break
    }
  }

  /// Takes the answer to the push with a number.
  mutating func take(
    _ answer: KeptAnswer, to number: Int, budget: inout PhoneBudget, at now: Timestamp
  ) {
    guard let flight, flight.number == number else { return }
    self.flight = nil
    guard flight.event == .start else {
      if answer == .accepted { isProved = true }
      return
    }
    guard answer == .refused else {
      refusals = 0
      return
    }
    budget.returnStart(of: flight.sentAt)
    guard stage == .starting else { return }
    (stage, leavesAt, hasBegun) = (.absent, now, isAgain)
    // No activity has begun. After an earlier start a late token of that one goes by this time.
    if !isAgain { begunAt = nil }
    refusals += 1
    retryAt = now + .seconds(min(60 << min(refusals - 1, 6), 3600))
  }
}
