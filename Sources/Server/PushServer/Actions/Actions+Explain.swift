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

  /// The subject of a question: a notification, or a run, or of a campaign the last run that is not only planned.
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
    var reader = TimelineReader(of: app, store)
    var timelines: [DeviceTimeline] = []
    guard let subject = question.subject else {
      for device in devices {
        let facts = try await campaignFacts(of: question, for: device, at: now)
        timelines.append(try await reader.timeline(of: facts))
      }
      return timelines.sorted { $0.timeline.reach > $1.timeline.reach }
    }
    for delivery in try await subject.facts(of: devices, audiences, at: now, store) {
      var facts = TimelineFacts(delivery)
      facts.campaign = question.campaign
      facts.asked = question.campaign == nil ? subject.sends.first : nil
      timelines.append(try await reader.timeline(of: facts))
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
      // Behind the next run, which is only planned, is the one that people ask about.
      let runs = try await store.runs(ofCampaign: id, app: app, limit: 2)
      let last = runs.first { $0.state != .planned } ?? runs.first
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

  /// The facts about a campaign that is triggered or has no run.
  private func campaignFacts(
    of question: Question, for device: Device, at now: Timestamp
  ) async throws -> TimelineFacts {
    var facts = TimelineFacts(DeliveryFacts(device: device, at: now))
    facts.campaign = question.campaign
    guard let campaign = question.campaign, campaign.kind == .triggered else { return facts }
    let explanation = try await EnrollmentExplanation(of: device, in: campaign, at: now, store)
    if let send = explanation.send,
      try await store.isTargeted(device.number, by: send.id, app: send.app) == true
    {
      let subject = try await DeliverySubject(of: send, store)
      facts.delivery = try await subject.facts(of: [device], audiences, at: now, store)[0]
    } else {
      facts.enrollment = explanation.reason
    }
    return facts
  }
}
