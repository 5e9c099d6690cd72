import PushPayload

/// The life of one notification in the extension, as a value: every event, in any order and from any
/// thread, leads to exactly one delivery.
struct Enrichment: Sendable {
  /// What happens to it.
  enum Event: Sendable {
    case began(EnrichmentPlan)
    /// An order of the errand with this number has ended.
    case fetched(Int, FetchEnding)
    /// The pause of the errand with this number is over.
    case pauseEnded(Int)
    /// The buttons are known to the system under this category, or will not be.
    case buttonsEnded(String)
    /// Our own deadline.
    case deadlinePassed
    /// `serviceExtensionTimeWillExpire`, or nobody waits any longer.
    case systemExpires
  }

  /// What is to be done about it.
  enum Action: Sendable {
    case fetch(Int, FetchOrder)
    case pause(Int, Duration)
    case register(ButtonCategory)
    case deliver(EnrichedContent)
    /// A file that came too late.
    case discard(AttachedMedia)
  }

  private enum Errand: Sendable {
    case queued(MediaAttempt)
    case running(MediaAttempt)
    case ended(MediaAttempt, Result<AttachedMedia, MediaFailure>)
  }

  private enum State: Sendable {
    case waiting
    case expiredBeforeItBegan
    case working
    case delivered
  }

  private var state = State.waiting
  private var plan: EnrichmentPlan?
  private var errands: [Errand] = []
  private var buttonsAreDue = false

  mutating func on(_ event: Event, at now: Duration) -> [Action] {
    switch (state, event) {
    case (.waiting, .began(let plan)), (.expiredBeforeItBegan, .began(let plan)):
      return begin(plan, at: now)
    case (.waiting, .systemExpires), (.waiting, .deadlinePassed):
      state = .expiredBeforeItBegan
      return []
    case (.working, .fetched(let number, let ending)):
      guard case .running(var errand) = errands[number] else { return [] }
      let step = errand.on(ending, at: now)
      return take(step, errand, number) + goOn(at: now)
    case (.working, .pauseEnded(let number)):
      guard case .running(var errand) = errands[number] else { return [] }
      let step = errand.go(at: now)
      return take(step, errand, number) + goOn(at: now)
    case (.working, .buttonsEnded(let category)):
      buttonsAreDue = false
      plan?.name(category)
      return goOn(at: now)
    case (.working, .deadlinePassed):
      return end("the deadline of the extension passed")
    case (.working, .systemExpires):
      return end("the system is about to end the extension")
    case (_, .fetched(_, .file(let file))):
      return [.discard(file)]
    default:
      return []
    }
  }

  private mutating func begin(_ plan: EnrichmentPlan, at now: Duration) -> [Action] {
    let isLate = state == .expiredBeforeItBegan
    self.plan = plan
    errands = plan.errands.map { .queued($0) }
    state = .working
    if isLate { return end("the system ended the extension before it began") }
    buttonsAreDue = plan.buttons != nil
    return (plan.buttons.map { [.register($0)] } ?? []) + goOn(at: now)
  }

  /// Begins what may begin, and delivers when nothing is left to wait for.
  private mutating func goOn(at now: Duration) -> [Action] {
    guard let plan, state == .working else { return [] }
    var actions: [Action] = []
    var running = errands.count { if case .running = $0 { true } else { false } }
    for number in errands.indices where running < plan.maximumParallel {
      guard case .queued(var errand) = errands[number] else { continue }
      let step = errand.go(at: now)
      actions += take(step, errand, number)
      if case .running = errands[number] { running += 1 }
    }
    let isDone = errands.allSatisfy { if case .ended = $0 { true } else { false } }
    if isDone, !buttonsAreDue { actions += end("") }
    return actions
  }

  private mutating func take(
    _ step: MediaAttempt.Step, _ errand: MediaAttempt, _ number: Int
  ) -> [Action] {
    switch step {
    case .fetch(let order):
      errands[number] = .running(errand)
      return [.fetch(number, order)]
    case .wait(let pause):
      errands[number] = .running(errand)
      return [.pause(number, pause)]
    case .attached(let file):
      errands[number] = .ended(errand, .success(file))
      return []
    case .failed(let failure):
      errands[number] = .ended(errand, .failure(failure))
      return []
    }
  }

  /// Delivers what there is; what is still under way failed because of `lateness`.
  private mutating func end(_ lateness: String) -> [Action] {
    guard let plan, state == .working else { return [] }
    // What waits for another try holds half a file, which must be gone at the hand-over.
    defer { (self.plan, errands) = (nil, []) }
    state = .delivered
    let late = MediaFailure(.timeout, lateness)
    let endings = errands.map { errand in
      switch errand {
      case .queued(let errand), .running(let errand):
        EnrichmentPlan.Ending(errand: errand, result: .failure(errand.failure ?? late))
      case .ended(let errand, let result):
        EnrichmentPlan.Ending(errand: errand, result: result)
      }
    }
    return [.deliver(plan.content(endings))]
  }
}
