import PushModel

/// The notifications and in-app messages of a run, by variant.
struct RunDeliveries: Sendable {
  var sends: [Send] = []
  var messages: [PublishedMessage] = []

  init(of run: CampaignRun, _ store: any PushStore) async throws(StoreError) {
    sends = try await store.sends(ofRun: run.id, app: run.app)
    messages = try await store.messages(ofRun: run.id, app: run.app)
  }

  /// The id of the audience, which all deliveries of the run share.
  var audience: String? { sends.first?.audience ?? messages.first?.message.audience }

  func sends(of variant: String, _ phase: CampaignRun.Phase? = nil) -> [Send] {
    sends.filter { $0.origin?.variant == variant && (phase == nil || $0.origin?.phase == phase) }
  }

  func messages(of variant: String, _ phase: CampaignRun.Phase? = nil) -> [PublishedMessage] {
    messages.filter { published in
      let origin = published.message.origin
      return origin?.variant == variant && (phase == nil || origin?.phase == phase)
    }
  }

  /// The number of devices that a variant was sent to, or whose inboxes got its message.
  func targeted(by variant: String, _ phase: CampaignRun.Phase? = nil) -> Int {
    sends(of: variant, phase).reduce(0) { $0 + $1.counts.targeted }
      + messages(of: variant, phase).reduce(0) { $0 + $1.message.targeted }
  }

  /// The devices that opened a variant, among those for which APNs accepted its push or whose inbox got its
  /// message.
  func opens(of variant: String, _ phase: CampaignRun.Phase? = nil) -> Proportion {
    let parts =
      sends(of: variant, phase).map { Proportion(opened: $0.counts) }
      + messages(of: variant, phase).map { Proportion(opened: $0) }
    return parts.reduce(into: Proportion(successes: 0, trials: 0)) { sum, part in
      sum.successes += part.successes
      sum.trials += part.trials
    }
  }

  /// The number of devices that saw the messages of a variant in a way.
  func seen(_ kind: Message.Impression, of variant: String) -> Int {
    messages(of: variant).reduce(0) { $0 + ($1.seen[kind] ?? 0) }
  }

  /// The time at which all deliveries have ended; `nil` while a send is still under way.
  ///
  /// An in-app message ends when inboxes stop showing it.
  func end(at now: Timestamp) -> Timestamp? {
    guard sends.allSatisfy(\.state.isOver) else { return nil }
    return max(now, messages.map(\.message.unpublishAt).max() ?? now)
  }
}

extension Proportion {
  /// The devices that opened an in-app message, among those whose inbox got it.
  init(opened message: PublishedMessage) {
    self.init(opened: message.seen, of: message.message.targeted)
  }

  /// The devices that opened in-app messages, among those whose inboxes got them.
  init(opened counts: MessageCounts) { self.init(opened: counts.seen, of: counts.targeted) }

  private init(opened seen: [Message.Impression: Int], of targeted: Int) {
    self.init(successes: min(seen[.detail] ?? 0, targeted), trials: targeted)
  }
}
