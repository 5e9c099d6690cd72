import PushPayload

/// The life of one notification in the extension, as a value: every event, in any order and from any
/// thread, leads to exactly one delivery.
struct Enrichment: Sendable {
  /// What happens to it.
  enum Event: Sendable {
    case began(EnrichmentPlan)
    case mediaEnded(Result<AttachedMedia, MediaFailure>)
    /// Our own deadline.
    case deadlinePassed
    /// `serviceExtensionTimeWillExpire`.
    case systemExpires
  }

  /// What is to be done about it.
  enum Action: Sendable {
    case load(MediaSource)
    case deliver(EnrichedContent)
    /// A file that came too late.
    case discard(AttachedMedia)
    case nothing
  }

  private enum State: Sendable {
    case waiting
    case loading(EnrichmentPlan, PlannedMedia)
    case delivered
  }

  private var state = State.waiting

  mutating func on(_ event: Event) -> Action {
    switch (state, event) {
    case (.waiting, .began(let plan)):
      guard let media = plan.media else { return deliver(plan.content) }
      switch media.source {
      case .success(let source):
        state = .loading(plan, media)
        return .load(source)
      case .failure(let failure):
        return deliver(plan.content(without: media, because: failure))
      }
    case (.loading(let plan, let media), .mediaEnded(.success(let file))):
      return deliver(plan.content(with: file, for: media))
    case (.loading(let plan, let media), .mediaEnded(.failure(let failure))):
      return deliver(plan.content(without: media, because: failure))
    case (.loading(let plan, let media), .deadlinePassed):
      let failure = MediaFailure(.timeout, "the deadline of the extension passed")
      return deliver(plan.content(without: media, because: failure))
    case (.loading(let plan, let media), .systemExpires):
      let failure = MediaFailure(.timeout, "the system is about to end the extension")
      return deliver(plan.content(without: media, because: failure))
    case (_, .mediaEnded(.success(let file))):
      return .discard(file)
    case (.waiting, _), (.delivered, _), (.loading, .began):
      return .nothing
    }
  }

  private mutating func deliver(_ content: EnrichedContent) -> Action {
    state = .delivered
    return .deliver(content)
  }
}
