import PushPayload

/// The state machine of one notification in the extension.
///
/// Events may come in any order; they lead to exactly one ``Action/deliver(_:)``.
struct Enrichment: Sendable {
  /// Something that has happened.
  enum Event: Sendable {
    case began(EnrichmentPlan)
    /// A fetch of the attempt with this index has ended.
    case fetched(Int, MediaFetchResult)
    /// The pause before a retry of the attempt with this index is over.
    case pauseEnded(Int)
    /// The registration of the buttons has ended; the content names this category.
    case buttonsEnded(String)
    /// The configured deadline has passed.
    case deadlinePassed
    /// The system called `serviceExtensionTimeWillExpire`, or the awaiting task was canceled.
    case systemExpires
  }

  /// Something for the runner to do.
  enum Action: Sendable {
    case fetch(Int, MediaFetch)
    case pause(Int, Duration)
    case register(ButtonCategory)
    case deliver(EnrichedContent)
    /// Delete a file that was received after the delivery.
    case discard(AttachedMedia)
  }

  private enum AttemptState: Sendable {
    case queued(MediaAttempt)
    case running(MediaAttempt)
    case ended(MediaAttempt, Result<AttachedMedia, MediaFailure>)
    /// A standby whose other attempt has succeeded.
    case unneeded(MediaAttempt)
  }

  private enum State: Sendable {
    case waiting
    case expiredBeforeStart
    case working
    case delivered
  }

  private var state = State.waiting
  private var plan: EnrichmentPlan?
  private var attempts: [AttemptState] = []
  private var buttonsAreDue = false

  mutating func on(_ event: Event, at now: Duration) -> [Action] {
    switch (state, event) {
    case (.waiting, .began(let plan)), (.expiredBeforeStart, .began(let plan)):
      return begin(plan, at: now)
    case (.waiting, .systemExpires), (.waiting, .deadlinePassed):
      state = .expiredBeforeStart
      return []
    case (.working, .fetched(let number, let ending)):
      guard case .running(var attempt) = attempts[number] else { return [] }
      let step = attempt.on(ending, at: now)
      return apply(step, of: attempt, number: number) + advance(at: now)
    case (.working, .pauseEnded(let number)):
      guard case .running(var attempt) = attempts[number] else { return [] }
      let step = attempt.start(at: now)
      return apply(step, of: attempt, number: number) + advance(at: now)
    case (.working, .buttonsEnded(let category)):
      buttonsAreDue = false
      plan?.useCategory(category)
      return advance(at: now)
    case (.working, .deadlinePassed):
      return finish("the extension's deadline passed")
    case (.working, .systemExpires):
      return finish("the system is about to end the extension")
    case (_, .fetched(_, .file(let file))):
      return [.discard(file)]
    default:
      return []
    }
  }

  private mutating func begin(_ plan: EnrichmentPlan, at now: Duration) -> [Action] {
    let isLate = state == .expiredBeforeStart
    self.plan = plan
    attempts = plan.attempts.map { .queued($0) }
    state = .working
    if isLate { return finish("the system ended the extension before it started") }
    buttonsAreDue = plan.buttons != nil
    return (plan.buttons.map { [.register($0)] } ?? []) + advance(at: now)
  }

  /// Starts queued attempts up to the limit, and delivers when all have ended.
  private mutating func advance(at now: Duration) -> [Action] {
    guard let plan, state == .working else { return [] }
    var actions: [Action] = []
    var running = attempts.count { if case .running = $0 { true } else { false } }
    for number in attempts.indices where running < plan.maximumParallel {
      guard case .queued(var attempt) = attempts[number] else { continue }
      if let other = plan.standbys[number] {
        guard case .ended(_, let result) = attempts[other] else { continue }
        if case .success = result {
          attempts[number] = .unneeded(attempt)
          continue
        }
      }
      let step = attempt.start(at: now)
      actions += apply(step, of: attempt, number: number)
      if case .running = attempts[number] { running += 1 }
    }
    let isDone = attempts.allSatisfy { attempt in
      switch attempt {
      case .ended, .unneeded: true
      case .queued, .running: false
      }
    }
    if isDone, !buttonsAreDue { actions += finish("") }
    return actions
  }

  private mutating func apply(
    _ step: MediaAttempt.Step, of attempt: MediaAttempt, number: Int
  ) -> [Action] {
    switch step {
    case .fetch(let fetch):
      attempts[number] = .running(attempt)
      return [.fetch(number, fetch)]
    case .wait(let pause):
      attempts[number] = .running(attempt)
      return [.pause(number, pause)]
    case .attached(let file):
      attempts[number] = .ended(attempt, .success(file))
      return []
    case .failed(let failure):
      attempts[number] = .ended(attempt, .failure(failure))
      return []
    }
  }

  /// Delivers the content so far.
  ///
  /// `lateness` is the failure of attempts that have not ended.
  private mutating func finish(_ lateness: String) -> [Action] {
    guard let plan, state == .working else { return [] }
    // An attempt that waits for a retry holds a partial file, which must be deleted before the delivery.
    defer { (self.plan, attempts) = (nil, []) }
    state = .delivered
    let late = MediaFailure(.timeout, lateness)
    let endings = attempts.map { attempt in
      switch attempt {
      case .queued(let attempt), .running(let attempt), .unneeded(let attempt):
        EnrichmentPlan.Ending(attempt: attempt, result: .failure(attempt.failure ?? late))
      case .ended(let attempt, let result):
        EnrichmentPlan.Ending(attempt: attempt, result: result)
      }
    }
    return [.deliver(plan.content(endings))]
  }
}
