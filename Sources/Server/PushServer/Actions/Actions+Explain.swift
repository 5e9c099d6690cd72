import PushModel

/// The timelines of notifications, for support: reading only.
extension Actions {
  /// The timeline of one device.
  struct DeviceTimeline: Sendable {
    var device: Device
    /// The notification that was for the device; `nil` if none was.
    var send: Send?
    var timeline: DeliveryTimeline
  }

  /// The subject of a question: a notification, or the last run of a campaign.
  enum TimelineSubject: Sendable {
    /// A notification, by its id or that of its message.
    case notification(String)
    case run(String)
    case campaign(String)
  }

  /// The device or the person of a question.
  enum TimelineRecipient: Sendable {
    case device(String)
    case user(String)
  }

  /// The largest number of a person's devices that are read.
  static let timelineDeviceLimit = 100

  /// Returns the timeline of a notification for a device or for each device of a user, the furthest first.
  ///
  /// It reads what is stored anyway, and costs nothing when a notification is sent.
  ///
  /// - Throws: ``RequestError`` `.notFound` if the app does not have the notification, the run, the campaign, the
  ///   device, or a device of the user.
  func timelines(
    of subject: TimelineSubject, for recipient: TimelineRecipient, app: String
  ) async throws -> [DeviceTimeline] {
    let question = try await question(subject, app: app)
    let devices = try await devices(of: recipient, app: app)
    let now = clock.now()
    var timelines: [DeviceTimeline] = []
    guard let subject = question.subject else {
      for device in devices {
        timelines.append(try await campaignTimeline(of: question, for: device, at: now))
      }
      return timelines.sorted { $0.timeline.reach > $1.timeline.reach }
    }
    for delivery in try await subject.facts(of: devices, audiences, at: now, store) {
      var facts = TimelineFacts(delivery)
      facts.campaign = question.campaign
      timelines.append(try await timeline(of: facts))
    }
    return timelines.sorted { $0.timeline.reach > $1.timeline.reach }
  }

  /// A question with what it is about; `subject` is `nil` for a campaign that is triggered or has no run.
  private typealias Question = (campaign: Campaign?, subject: DeliverySubject?)

  private func question(_ subject: TimelineSubject, app: String) async throws -> Question {
    switch subject {
    case .notification(let id):
      let send = try await notification(id, app: app)
      let campaign =
        if let origin = send.origin { try await store.campaign(origin.campaign, app: app) } else {
          nil as Campaign?
        }
      return (campaign, try await DeliverySubject(of: send, store))
    case .run(let id):
      guard let run = try await store.run(id, app: app) else {
        throw RequestError.notFound("run with this id")
      }
      return try await question(run, app: app)
    case .campaign(let id):
      guard let campaign = try await store.campaign(id, app: app) else {
        throw RequestError.notFound("campaign with this id")
      }
      let last = try await store.runs(ofCampaign: id, app: app, limit: 1).first
      guard campaign.kind != .triggered, let last else { return (campaign, nil) }
      return try await question(last, app: app)
    }
  }

  private func question(_ run: CampaignRun, app: String) async throws -> Question {
    let campaign = try await store.campaign(run.campaign, app: app)
    guard campaign?.kind != .triggered else { return (campaign, nil) }
    return (campaign, try await DeliverySubject(of: run, store))
  }

  private func devices(of recipient: TimelineRecipient, app: String) async throws -> [Device] {
    switch recipient {
    case .device(let id):
      guard let device = try await store.device(id, app: app) else {
        throw RequestError.notFound("device with this id")
      }
      return [device]
    case .user(let id):
      let devices = try await store.devices(
        ofUser: id, app: app, limit: Self.timelineDeviceLimit)
      guard !devices.isEmpty else { throw RequestError.notFound("device of this user") }
      return devices
    }
  }

  /// The timeline of a campaign that is triggered or has no run.
  private func campaignTimeline(
    of question: Question, for device: Device, at now: Timestamp
  ) async throws -> DeviceTimeline {
    var facts = TimelineFacts(DeliveryFacts(device: device, at: now))
    facts.campaign = question.campaign
    guard let campaign = question.campaign, campaign.kind == .triggered else {
      return try await timeline(of: facts)
    }
    let explanation = try await EnrollmentExplanation(of: device, in: campaign, at: now, store)
    if let send = explanation.send,
      try await store.isTargeted(device.number, by: send.id, app: send.app) == true
    {
      let subject = try await DeliverySubject(of: send, store)
      facts.delivery = try await subject.facts(of: [device], audiences, at: now, store)[0]
    } else {
      facts.enrollment = explanation.reason
    }
    return try await timeline(of: facts)
  }

  /// Completes facts with the audit log and with the push as it is composed now.
  private func timeline(of facts: TimelineFacts) async throws -> DeviceTimeline {
    var facts = facts
    let delivery = facts.delivery
    let object =
      facts.campaign?.id ?? delivery.send?.id ?? delivery.message?.id ?? ""
    let app = facts.campaign?.app ?? delivery.send?.app ?? delivery.message?.app
    if let app, !object.isEmpty {
      facts.entries = try await store.audit(of: object, app: app, limit: 20)
    }
    if let send = delivery.send, delivery.outcome?.status != nil {
      facts.push = try await push(of: send, for: delivery.device, at: delivery.now)
    }
    return DeviceTimeline(device: delivery.device, send: delivery.send, timeline: facts.timeline)
  }

  /// The push of a notification for a device, as it is composed now; `nil` if it cannot be composed.
  private func push(
    of send: Send, for device: Device, at now: Timestamp
  ) async throws(StoreError) -> ComposedPush? {
    guard send.activity == nil else { return nil }
    var recipient = Recipient(device)
    if send.origin != nil {
      let data = try await store.eventData(
        ofSend: send.id, app: send.app, devices: DeviceNumbers([device.number]))
      recipient.event = data[device.number]
    }
    do throws(ComposeError) {
      var options = Composer.Options(now: now)
      options.expiresAt = send.expiresAt
      let composer = try Composer(send.payload, notification: send.id, options: options)
      return try ComposedPush(composer, for: recipient, at: now)
    } catch {
      return nil
    }
  }
}
