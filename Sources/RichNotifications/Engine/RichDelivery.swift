import Foundation
import MediaLoading
import PushPayload

/// Enriches one notification: the runner of the state machine.
///
/// Make one for each notification, call ``begin()`` when it arrives and ``expire()`` when the system
/// says that time is up. The completion is called exactly once, whatever happens in whatever order.
/// An app uses ``RichNotificationService`` or ``RichEnricher``; this is for an extension that shares no
/// class of theirs.
public final class RichDelivery: Sendable {
  private struct State: Sendable {
    var enrichment = Enrichment()
    var downloads: [Int: MediaDownload] = [:]
    var loads: [Int: any MediaLoad] = [:]
    /// What broken loads have left.
    var parts: [Int: MediaFile] = [:]
    var timers: [Int: any ScheduledWork] = [:]
    var deadline: (any ScheduledWork)?
    var isOver = false
  }

  private let plan: EnrichmentPlan
  private let configuration: RichConfiguration
  private let environment: RichEnvironment
  private let start: Duration
  private let budget: ByteBudget
  private let completion: @Sendable (EnrichedContent) -> Void
  private let state = Locked(State())
  let trace: DeliveryTrace

  /// Reads the payload; nothing else happens before ``begin()``.
  ///
  /// - Parameters:
  ///   - arrival: The notification.
  ///   - configuration: How the app wants it.
  ///   - environment: Network, clock and files.
  ///   - completion: Receives the outcome, once, from any thread.
  public init(
    _ arrival: IncomingNotification, configuration: RichConfiguration = RichConfiguration(),
    environment: RichEnvironment, completion: @escaping @Sendable (EnrichedContent) -> Void
  ) {
    start = environment.clock.now
    plan = EnrichmentPlan(arrival, configuration, environment)
    self.configuration = configuration
    self.environment = environment
    self.completion = completion
    budget = ByteBudget(configuration.media.maximumBytes)
    trace = DeliveryTrace(clock: environment.clock, start: start, sink: configuration.trace)
  }

  /// Begins: delivers at once where there is nothing to wait for.
  public func begin() {
    trace.planned(plan)
    if !plan.errands.isEmpty || plan.buttons != nil {
      let left = configuration.deadline - (environment.clock.now - start)
      // The deadline holds this object, so a delivery happens even where nobody else keeps it.
      let deadline = environment.clock.schedule(after: left) { self.perform(.deadlinePassed) }
      keep {
        $0.deadline = deadline
      } orElse: {
        deadline.cancel()
      }
    }
    perform(.began(plan))
  }

  /// Delivers the best there is, now.
  public func expire() { perform(.systemExpires) }

  private func perform(_ event: Enrichment.Event) {
    let now = environment.clock.now
    for action in state.withLock({ $0.enrichment.on(event, at: now) }) {
      switch action {
      case .fetch(let number, let order): fetch(number, order)
      case .pause(let number, let pause): wait(number, pause)
      case .register(let buttons): register(buttons)
      case .deliver(let content): deliver(content)
      case .discard(let media): try? FileManager.default.removeItem(at: media.file)
      }
    }
  }

  private func fetch(_ number: Int, _ order: FetchOrder) {
    trace.fetches(order)
    let maximumImageBytes = environment.maximumImageBytes(configuration.media)
    if order.partial == nil { state.withLock { $0.parts.removeValue(forKey: number) }?.discard() }
    let ended: @Sendable (FetchEnding) -> Void = { ending in
      self.release(number)
      if case .failed(_, let partial?) = ending { self.keep { $0.parts[number] = partial.file } }
      self.trace.ended(order, ending)
      self.perform(.fetched(number, ending))
    }
    switch order.source {
    case .local(let path):
      ended(
        LocalMedia.copy(
          path, for: order.reference, maximumImageBytes: maximumImageBytes, in: environment))
    case .remote(let plain):
      let request = withHeaders(plain, for: order.headersFor)
      let download = MediaDownload(
        order.reference, from: request.url, after: order.partial, budget: budget,
        maximumImageBytes: maximumImageBytes, environment: environment, ended: ended)
      // Kept before it begins: an answer may come before `load` returns.
      guard keep({ $0.downloads[number] = download }) else { return }
      if let slice = order.slice {
        let timer = environment.clock.schedule(after: slice) {
          download.giveUp(MediaFailure(.timeout, "too slow, while something else may still do"))
        }
        keep {
          $0.timers[number] = timer
        } orElse: {
          timer.cancel()
        }
      }
      let load = environment.loader.load(request, into: download)
      let isOver = state.withLock { state in
        let isCurrent = state.downloads[number] === download
        if isCurrent { state.loads[number] = load }
        return !isCurrent
      }
      if isOver { load.cancel() }
    }
  }

  /// What the app wants to send, asked for outside the lock: its answer may take its time.
  private func withHeaders(_ request: MediaRequest, for url: URL?) -> MediaRequest {
    guard let url, let headers = configuration.media.headers?(url) else { return request }
    var request = request
    request.headers.merge(headers) { ours, _ in ours }
    return request
  }

  private func wait(_ number: Int, _ pause: Duration) {
    trace.waits(pause)
    let timer = environment.clock.schedule(after: pause) {
      self.release(number)
      self.perform(.pauseEnded(number))
    }
    keep {
      $0.timers[number] = timer
    } orElse: {
      timer.cancel()
    }
  }

  private func register(_ buttons: ButtonCategory) {
    guard let registry = environment.categoryRegistry else {
      trace.note(.buttons, "no-registry", "there is nothing to make buttons known to")
      return perform(.buttonsEnded(buttons.identifier))
    }
    registry.register(buttons) { outcome in
      self.trace.note(.buttons, outcome.result.rawValue, outcome.identifier)
      self.perform(.buttonsEnded(outcome.identifier))
    }
  }

  private func deliver(_ content: EnrichedContent) {
    // Before the hand-over: the system may suspend the extension right after it.
    let unfinished = releaseAll()
    var content = content
    for (index, number) in zip(content.media.indices, plan.errandNumbers)
    where content.media[index].reason == .timeout && content.media[index].status == nil {
      guard let progress = number.flatMap({ unfinished[$0] })?.progress else { continue }
      (content.media[index].status, content.media[index].bytes) = progress
    }
    content.attachments = Self.separated(content.attachments)
    content.elapsed = environment.clock.now - start
    if let change = plan.badge { content.badge = badge(change) }
    trace.delivers(content, planned: plan.content.text)
    let receipt = configuration.receipts.flatMap {
      DeliveryReceipt($0, content, at: environment.date())
    }
    if let receipt { trace.note(.receipt, "kept", receipt.keep()) }
    configuration.delivered?(content)
    completion(content)
    if let receipt, let poster = environment.poster { receipt.send(by: poster) }
  }

  /// Without a place to count, only a number that is given can be shown.
  private func badge(_ change: BadgeChange) -> Int? {
    if let folder = environment.appGroupFolder { return BadgeCounter(folder: folder).apply(change) }
    if case .set(let number) = change { return max(0, number) }
    return nil
  }

  /// A file that stands twice is linked, since the system takes each away by itself.
  private static func separated(_ attachments: [AttachedMedia]) -> [AttachedMedia] {
    var seen: Set<URL> = []
    var names: Set<String> = []
    return attachments.compactMap { media in
      var copy = media
      // The system names one that has no name of its own.
      if !names.insert(media.identifier).inserted { copy.identifier = "" }
      guard !seen.insert(media.file).inserted else { return copy }
      copy.file = media.file.deletingLastPathComponent()
        .appending(path: "\(UUID().uuidString).\(media.type.preferredExtension)")
      guard (try? FileManager.default.linkItem(at: media.file, to: copy.file)) != nil else {
        return nil
      }
      return copy
    }
  }

  /// Keeps something for as long as the delivery goes on.
  ///
  /// - Returns: Whether it does.
  @discardableResult private func keep(
    _ change: (inout State) -> Void, orElse undo: () -> Void = {}
  ) -> Bool {
    let isOver = state.withLock { state in
      if !state.isOver { change(&state) }
      return state.isOver
    }
    if isOver { undo() }
    return !isOver
  }

  /// Lets go of what one errand had under way.
  private func release(_ number: Int) {
    let (load, timer) = state.withLock { state in
      state.downloads[number] = nil
      return (
        state.loads.removeValue(forKey: number), state.timers.removeValue(forKey: number)
      )
    }
    timer?.cancel()
    load?.cancel()
  }

  /// Stops the deadline and what is still under way, and deletes what came of it.
  ///
  /// - Returns: What was under way.
  private func releaseAll() -> [Int: MediaDownload] {
    let ended = state.withLock { state in
      defer {
        state = State(enrichment: state.enrichment)
        state.isOver = true
      }
      return state
    }
    ended.deadline?.cancel()
    for timer in ended.timers.values { timer.cancel() }
    let late = MediaFailure(.timeout, "given up at the hand-over")
    for download in ended.downloads.values { download.giveUp(late) }
    // Others may hold them a little longer, but the system may suspend the extension before that.
    for part in ended.parts.values { part.discard() }
    for load in ended.loads.values { load.cancel() }
    return ended.downloads
  }
}

extension RichDelivery {
  /// Whether the outcome was handed over.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Enriches one notification and waits; a cancelled task has the best there is, at once.
  static func outcome(
    of arrival: IncomingNotification, _ configuration: RichConfiguration,
    _ environment: RichEnvironment
  ) async -> EnrichedContent {
    let running = Locked<RichDelivery?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let delivery = RichDelivery(arrival, configuration: configuration, environment: environment)
        {
          running.withLock { $0 = nil }
          continuation.resume(returning: $0)
        }
        running.withLock { $0 = delivery }
        if Task.isCancelled { delivery.expire() }
        delivery.begin()
      }
    } onCancel: {
      running.withLock { $0 }?.expire()
    }
  }
}
