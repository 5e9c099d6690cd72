import Foundation
import MediaLoading
public import PushPayload

/// Enriches one notification: the runner of the state machine.
///
/// Make one for each notification, call ``begin()`` when it arrives and ``expire()`` when the system
/// says that time is up. The completion is called exactly once, whatever happens in whatever order.
/// An app uses ``RichNotificationService``; this is for an extension with a base class of its own.
public final class RichDelivery: Sendable {
  private struct State: Sendable {
    var enrichment = Enrichment()
    var download: MediaDownload?
    var load: (any MediaLoad)?
    var deadline: (any ScheduledWork)?
    var isOver = false
  }

  private let plan: EnrichmentPlan
  private let configuration: RichConfiguration
  private let environment: RichEnvironment
  private let start: Duration
  private let completion: @Sendable (EnrichedContent) -> Void
  private let state = Locked(State())

  /// Reads the payload; nothing else happens before ``begin()``.
  ///
  /// - Parameters:
  ///   - payload: The whole payload, `aps` included.
  ///   - text: The texts as they arrived.
  ///   - category: The notification's category; empty for none.
  ///   - configuration: How the app wants it.
  ///   - environment: Network, clock and files.
  ///   - completion: Receives the outcome, once, from any thread.
  public init(
    payload: JSONValue, text: NotificationText, category: String = "",
    configuration: RichConfiguration = RichConfiguration(), environment: RichEnvironment,
    completion: @escaping @Sendable (EnrichedContent) -> Void
  ) {
    plan = EnrichmentPlan(
      payload: payload, text: text, category: category, categories: environment.categories,
      configuration: configuration)
    self.configuration = configuration
    self.environment = environment
    self.completion = completion
    start = environment.clock.now
  }

  /// Begins: delivers at once where nothing is to be fetched.
  public func begin() {
    trace(.dialect, plan.content.dialect == .none ? "none fits" : "\(plan.content.dialect)")
    for finding in plan.content.findings { trace(.dialect, "\(finding.path) \(finding.message)") }
    if let media = plan.media { trace(.media, "\(media.path) asks for \(media.url)") }
    perform(.began(plan))
  }

  /// Delivers the best there is, now.
  public func expire() { perform(.systemExpires) }

  private func perform(_ event: Enrichment.Event) {
    switch state.withLock({ $0.enrichment.on(event) }) {
    case .load(let source): load(source)
    case .deliver(let content): deliver(content)
    case .discard(let media): try? FileManager.default.removeItem(at: media.file)
    case .nothing: break
    }
  }

  private func load(_ source: MediaSource) {
    switch source {
    case .bundled(let name):
      perform(.mediaEnded(BundledMedia.copy(name, in: environment)))
    case .remote(let url):
      let left = configuration.deadline - (environment.clock.now - start)
      // The deadline holds this object, so a delivery happens even where nobody else keeps it.
      let deadline = environment.clock.schedule(after: left) { self.perform(.deadlinePassed) }
      let download = MediaDownload(
        in: environment.temporaryDirectory, allowsPlainHTTP: configuration.allowsPlainHTTP
      ) { self.perform(.mediaEnded($0)) }
      state.withLock { $0.download = download }
      let request = MediaRequest(url: url)
      let load = environment.loader.load(request, into: download)
      let isOver = state.withLock { state in
        state.load = load
        state.deadline = deadline
        return state.isOver
      }
      if isOver { release() }
    }
  }

  private func deliver(_ content: EnrichedContent) {
    if let outcome = content.media.first {
      trace(.media, "\(outcome.result.rawValue): \(describe(outcome, content))")
    }
    if content.usedAlternativeText { trace(.text, "the alternative text is the body") }
    if content.media.isEmpty, let note = content.note { trace(.deliver, note) }
    trace(
      .deliver,
      content.attachments.isEmpty ? "text" : "text and \(content.attachments.count) attachment")
    configuration.delivered?(content)
    // Before the hand-over: the system may suspend the extension right after it.
    release()
    completion(content)
  }

  /// Stops the deadline and what is still under way, and deletes what came of it.
  private func release() {
    let (download, load, deadline) = state.withLock { state in
      defer {
        (state.download, state.load, state.deadline, state.isOver) = (nil, nil, nil, true)
      }
      return (state.download, state.load, state.deadline)
    }
    deadline?.cancel()
    download?.abandon()
    load?.cancel()
  }

  private func describe(_ outcome: MediaOutcome, _ content: EnrichedContent) -> String {
    if let file = content.attachments.first {
      return "\(file.type.identifier), \(file.bytes) bytes"
    }
    return "\(outcome.reason?.rawValue ?? "") (\(content.note ?? ""))"
  }

  private func trace(_ stage: TraceEvent.Stage, _ message: String) {
    configuration.trace?(
      TraceEvent(at: environment.clock.now - start, stage: stage, message: message))
  }
}
