import Foundation
import MediaLoading
import PushPayload

/// The delivery of one notification: fetches its media and calls a completion with the enriched content.
///
/// Create one for each notification, call ``begin()`` when the notification arrives and ``expire()`` when the
/// system calls `serviceExtensionTimeWillExpire`. The completion is called exactly once.
///
/// An app uses ``RichNotificationService`` or ``RichEnricher``, which create deliveries. Use this class
/// directly if there is no `UNNotificationRequest`.
public final class RichDelivery: Sendable {
  private struct State: Sendable {
    var enrichment = Enrichment()
    var downloads: [Int: MediaDownload] = [:]
    var loads: [Int: any MediaLoad] = [:]
    /// The partial files of failed loads, which a retry may resume.
    var partialFiles: [Int: MediaFile] = [:]
    var timers: [Int: any ScheduledWork] = [:]
    var deadline: (any ScheduledWork)?
    var isOver = false
  }

  /// The plan of a delivery that has begun, with the set that its template's media go to.
  private struct Planned: Sendable {
    var plan: EnrichmentPlan
    /// The set is missing if the plan stores no media for a template.
    var templateMedia: TemplateMediaSet?
  }

  private let notification: IncomingNotification
  private let configuration: RichConfiguration
  let environment: RichEnvironment
  private let start: Duration
  private let budget: ByteBudget
  private let completion: @Sendable (EnrichedContent) -> Void
  private let hasBegun = Locked(false)
  private let planned = Locked<Planned?>(nil)
  private let state = Locked(State())
  let trace: DeliveryTrace

  /// Creates a delivery.
  ///
  /// The payload is read by ``begin()``, and no IO happens before.
  ///
  /// - Parameters:
  ///   - notification: The notification.
  ///   - configuration: The configuration of the engine.
  ///   - environment: The network, clock and files to use.
  ///   - completion: Receives the enriched content, once, on any thread.
  public init(
    _ notification: IncomingNotification, configuration: RichConfiguration = RichConfiguration(),
    environment: RichEnvironment, completion: @escaping @Sendable (EnrichedContent) -> Void
  ) {
    start = environment.clock.now
    self.notification = notification
    self.configuration = configuration
    self.environment = environment
    self.completion = completion
    budget = ByteBudget(configuration.media.maximumBytes)
    trace = DeliveryTrace(
      clock: environment.clock, start: start, sinks: [configuration.trace, environment.trace])
  }

  /// Starts the delivery.
  ///
  /// Without media and buttons, the completion is called before this returns.
  public func begin() {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    guard isFirst else { return }
    let plan = EnrichmentPlan(
      notification, configuration: configuration, environment: environment)
    planned.withLock {
      $0 = Planned(plan: plan, templateMedia: TemplateMediaSet(plan, in: environment))
    }
    trace.didPlan(plan)
    if !plan.attempts.isEmpty {
      removeOldFiles()
    }
    if !plan.attempts.isEmpty || plan.buttons != nil {
      let left = configuration.deadline - (environment.clock.now - start)
      // The scheduled work retains this object, so the delivery happens even without other references.
      let deadline = environment.clock.schedule(after: left) { self.perform(.deadlinePassed) }
      storeUnlessOver {
        $0.deadline = deadline
      } orElse: {
        deadline.cancel()
      }
    }
    perform(.began(plan))
  }

  /// Delivers the content with the media received so far, now.
  public func expire() { perform(.systemExpires) }

  private func perform(_ event: Enrichment.Event) {
    let now = environment.clock.now
    for action in state.withLock({ $0.enrichment.on(event, at: now) }) {
      switch action {
      case .fetch(let number, let fetch): start(fetch, number: number)
      case .pause(let number, let pause): retry(number, after: pause)
      case .register(let buttons): register(buttons)
      case .deliver(let content): deliver(content)
      case .discard(let media): discard(media)
      }
    }
  }

  /// Deletes the files that earlier deliveries left.
  private func removeOldFiles() {
    let date = environment.date()
    MediaFolder.removeLeftovers(in: environment.temporaryDirectory, at: date)
    guard let container = environment.appGroupFolder else { return }
    let count = TemplateMediaSet.removeOld(in: container, at: date)
    if count > 0 {
      trace.note(
        .template, "removed", message: "deleted the media of \(count) earlier templates")
    }
  }

  /// Deletes a file that was received after the delivery.
  private func discard(_ media: AttachedMedia) {
    try? FileManager.default.removeItem(at: media.file)
    guard case .success(let file)? = media.stored else { return }
    planned.withLock(\.self)?.templateMedia?.discard(file)
  }

  private func start(_ fetch: MediaFetch, number: Int) {
    trace.willStart(fetch)
    let maximumImageBytes = environment.maximumImageBytes(configuration.media)
    if fetch.partial == nil {
      state.withLock { $0.partialFiles.removeValue(forKey: number) }?.discard()
    }
    let ended: @Sendable (MediaFetchResult) -> Void = { result in
      self.cancelAttempt(number)
      let result = self.storing(result, number: number)
      if case .failed(_, let partial?) = result {
        self.storeUnlessOver { $0.partialFiles[number] = partial.file }
      }
      self.trace.didEnd(fetch, with: result)
      self.perform(.fetched(number, result))
    }
    switch fetch.source {
    case .local(let path):
      ended(
        LocalMedia.copy(
          path, for: fetch.reference, maximumImageBytes: maximumImageBytes, in: environment))
    case .remote(let request):
      let request = addingAppHeaders(request, for: fetch.headersFor)
      let download = MediaDownload(
        fetch.reference, from: request.url, after: fetch.partial, budget: budget,
        maximumImageBytes: maximumImageBytes, environment: environment, ended: ended)
      // Stored before the load starts, because the result may come before `load` returns.
      guard storeUnlessOver({ $0.downloads[number] = download }) else { return }
      if let timeLimit = fetch.timeLimit {
        let timer = environment.clock.schedule(after: timeLimit) {
          download.giveUp(
            MediaFailure(.timeout, "the server was too slow; the fallback needs the remaining time")
          )
        }
        storeUnlessOver {
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

  /// Stores a file for the content extension, if the template shows it.
  ///
  /// Called outside the lock, because scaling down a picture takes time.
  private func storing(_ result: MediaFetchResult, number: Int) -> MediaFetchResult {
    guard case .file(let media) = result, let planned = planned.withLock(\.self),
      let templateMedia = planned.templateMedia
    else { return result }
    let plan = planned.plan
    let isAttached = plan.isAttached(number)
    if plan.stores(media, attempt: number) {
      return .file(templateMedia.adding(media, number: number, isAttached: isAttached))
    }
    if !isAttached { try? FileManager.default.removeItem(at: media.file) }
    return result
  }

  /// Adds the app's header fields.
  ///
  /// Called outside the lock, because the app's closure may take time.
  private func addingAppHeaders(_ request: MediaRequest, for url: URL?) -> MediaRequest {
    guard let url, let headers = configuration.media.headers?(url) else { return request }
    var request = request
    request.headers.merge(headers) { ours, _ in ours }
    return request
  }

  private func retry(_ number: Int, after pause: Duration) {
    trace.willRetry(after: pause)
    let timer = environment.clock.schedule(after: pause) {
      self.cancelAttempt(number)
      self.perform(.pauseEnded(number))
    }
    storeUnlessOver {
      $0.timers[number] = timer
    } orElse: {
      timer.cancel()
    }
  }

  private func register(_ buttons: ButtonCategory) {
    guard let registry = environment.categoryRegistry else {
      trace.note(
        .buttons, "no-registry",
        message: "RichEnvironment.categoryRegistry is not set, so the buttons are not shown")
      return perform(.buttonsEnded(buttons.identifier))
    }
    registry.register(buttons) { outcome in
      self.trace.note(.buttons, outcome.result.rawValue, message: outcome.identifier)
      self.perform(.buttonsEnded(outcome.identifier))
    }
  }

  private func deliver(_ content: EnrichedContent) {
    guard let planned = planned.withLock(\.self) else { return }
    let plan = planned.plan
    // Before the completion, because the system may suspend the extension right after it.
    let unfinished = cancelAll()
    var content = content
    for (index, number) in zip(content.media.indices, plan.attemptIndices)
    where content.media[index].reason == .timeout && content.media[index].status == nil {
      guard let progress = number.flatMap({ unfinished[$0] })?.progress else { continue }
      (content.media[index].status, content.media[index].bytes) = progress
    }
    attach(&content)
    writeManifest(&content, of: planned)
    content.elapsed = environment.clock.now - start
    if let change = plan.badge { content.badge = badge(change) }
    trace.willDeliver(content, of: plan)
    let receipt = configuration.receipts.flatMap {
      DeliveryReceipt($0, content, at: environment.date())
    }
    if let receipt { trace.note(.receipt, "kept", message: receipt.save()) }
    configuration.delivered?(content)
    environment.delivered?(content)
    completion(content)
    if let receipt, let poster = environment.poster { receipt.send(by: poster) }
  }

  /// Writes the manifest of the template's media.
  ///
  /// Without the manifest the content extension finds none of the media.
  private func writeManifest(_ content: inout EnrichedContent, of planned: Planned) {
    guard let template = planned.plan.template?.template,
      let templateMedia = planned.templateMedia
    else { return }
    do throws(MediaFailure) {
      try templateMedia.commit(content.templateMedia, of: template)
    } catch {
      trace.note(.template, error.reason.rawValue, message: error.message)
      for index in content.templateMedia.indices where content.templateMedia[index].isReady {
        content.templateMedia[index].reason = error.reason
      }
    }
  }

  /// The new badge.
  ///
  /// A relative change needs the app group's folder, where the number is stored.
  private func badge(_ change: BadgeChange) -> Int? {
    let folder = environment.appGroupFolder
    if let number = folder.flatMap({ BadgeCounter(folder: $0).apply(change) }) { return number }
    // A number that is set needs no stored one.
    if case .set(let number) = change { return max(0, number) }
    return nil
  }

  /// Changes the state, or calls `undo` if the delivery is over.
  ///
  /// - Returns: Whether the state was changed.
  @discardableResult private func storeUnlessOver(
    _ change: (inout State) -> Void, orElse undo: () -> Void = {}
  ) -> Bool {
    let isOver = state.withLock { state in
      if !state.isOver { change(&state) }
      return state.isOver
    }
    if isOver { undo() }
    return !isOver
  }

  /// Cancels the load and the timer of one attempt.
  private func cancelAttempt(_ number: Int) {
    let (load, timer) = state.withLock { state in
      state.downloads[number] = nil
      return (
        state.loads.removeValue(forKey: number), state.timers.removeValue(forKey: number)
      )
    }
    timer?.cancel()
    load?.cancel()
  }

  /// Cancels the deadline, all timers and all loads, and deletes partial files.
  ///
  /// - Returns: The downloads that had not ended.
  private func cancelAll() -> [Int: MediaDownload] {
    let ended = state.withLock { state in
      defer {
        state = State(enrichment: state.enrichment)
        state.isOver = true
      }
      return state
    }
    ended.deadline?.cancel()
    for timer in ended.timers.values { timer.cancel() }
    let late = MediaFailure(.timeout, "the notification was delivered before the download ended")
    for download in ended.downloads.values { download.giveUp(late) }
    // Deleted now: the system may suspend the extension before the last reference is released.
    for file in ended.partialFiles.values { file.discard() }
    for load in ended.loads.values { load.cancel() }
    return ended.downloads
  }
}

extension RichDelivery {
  /// Whether the completion was called or is about to be.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Enriches one notification.
  ///
  /// If the task is canceled, returns the content with the media received so far.
  static func outcome(
    of notification: IncomingNotification, configuration: RichConfiguration,
    environment: RichEnvironment
  ) async -> EnrichedContent {
    let running = Locked<RichDelivery?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let delivery = RichDelivery(
          notification, configuration: configuration, environment: environment
        ) {
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
