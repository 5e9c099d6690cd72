import PushModel

/// What an explanation is about: a notification, or all deliveries of a run.
struct DeliverySubject: Sendable {
  let app: String
  private(set) var sends: [Send]
  private(set) var run: CampaignRun?
  private var messages: [PublishedMessage] = []

  private var audience: String? { sends.first?.audience ?? messages.first?.message.audience }

  /// Makes the subject of a notification, with its run.
  ///
  /// The run may be the reason why a device did not get the notification, such as by another variant.
  init(of send: Send, _ store: any PushStore) async throws(StoreError) {
    (app, sends) = (send.app, [send])
    guard let origin = send.origin, let run = try await store.run(origin.run, app: app),
      // A step of a triggered campaign has a notification for every few seconds.
      try await store.campaign(run.campaign, app: app)?.kind != .triggered
    else { return }
    self.run = run
    sends = try await store.sends(ofRun: run.id, app: app)
  }

  /// Makes the subject of a run of a campaign that is not triggered.
  init(of run: CampaignRun, _ store: any PushStore) async throws(StoreError) {
    let deliveries = try await RunDeliveries(of: run, store)
    (app, self.run, sends) = (run.app, run, deliveries.sends)
    messages = deliveries.messages
  }

  /// The facts about the subject for each of some devices, in order.
  func facts(
    of devices: [Device], _ audiences: Audiences, at now: Timestamp, _ store: any PushStore
  ) async throws(StoreError) -> [DeliveryFacts] {
    let misses = try await misses(of: devices, audiences, at: now, store)
    let deliveries = Dictionary(
      grouping: try await store.deliveries(of: sends.map(\.id), to: devices, app: app),
      by: \.device)
    let caps = try await store.limits(app: app).caps
    var all: [DeliveryFacts] = []
    for device in devices {
      var facts = DeliveryFacts(device: device, at: now)
      facts.run = run
      facts.decidedAt = run.flatMap { RunReport($0.report).decision?.at }
      facts.selectedAt = run.map(\.startedAt) ?? sends.first?.createdAt
      facts.isMember = misses.map { $0[device.number] == nil }
      facts.miss = misses?[device.number]
      facts.isInApp = !messages.isEmpty
      facts.caps = caps
      try await facts.findMessage(among: messages, store)
      try await facts.findSend(among: sends, deliveries[device.number] ?? [], store)
      all.append(facts)
    }
    return all
  }

  /// What keeps each of the devices out of the audience now; `nil` if it, or an audience that it refers to, was deleted.
  private func misses(
    of devices: [Device], _ audiences: Audiences, at now: Timestamp, _ store: any PushStore
  ) async throws(StoreError) -> [UInt32: AudienceMiss]? {
    guard let audience, let audience = try await store.audience(audience, app: app) else {
      return nil
    }
    do throws(StoreError) {
      return try await audiences.misses(of: audience, by: devices.map(\.number), at: now)
    } catch {
      guard error.code == .conflict else { throw error }
      return nil
    }
  }
}
