import PushModel

/// The reason why a device got the messages of a triggered campaign or did not.
struct EnrollmentExplanation: Sendable {
  enum Code: String, CaseIterable, Sendable {
    case notEnrolled = "not_enrolled"
    case waiting, paused
    case accepted, refused, pending
    case published, unpublished
    case exited
    case campaignEnded = "campaign_ended"
    case control
    case heldOut = "held_out"
    case notInAudience = "not_in_audience"
    case unreachable, missed
    case erased
    /// The message went to another device of the person, or it is not stored any more.
    case otherDevice = "other_device"
  }

  let device: Device
  let campaign: Campaign
  let enrollment: Enrollment?
  let send: Send?
  let message: Message?
  private let now: Timestamp
  private var isTargeted = false
  private var outcome: Outcome?

  init(
    of device: Device, in campaign: Campaign, at now: Timestamp, _ store: any PushStore
  ) async throws {
    self.device = device
    self.campaign = campaign
    // A device may have entered on its own before it had a user.
    var found = try await store.enrollment(
      of: .device(device.id), inCampaign: campaign.id, app: campaign.app)
    if let user = device.userID,
      let own = try await store.enrollment(
        of: .user(user), inCampaign: campaign.id, app: campaign.app),
      found.map({ $0.enrollment.enteredAt <= own.enrollment.enteredAt }) ?? true
    {
      found = own
    }
    enrollment = found?.enrollment
    (send, message, self.now) = (found?.send, found?.message, now)
    if let message {
      let devices = try await store.devices(ofMessage: message.id, app: message.app)
      isTargeted = devices.contains(device.number)
    }
    if let send {
      isTargeted =
        try await store.isTargeted(device.number, by: send.id, app: send.app) ?? false
      outcome = try await store.outcome(of: send.id, app: send.app, device: device.number)
    }
  }

  /// The reason that applies now.
  var reason: (code: Code, message: String) {
    if let time = device.erasedAt { return (.erased, "the device was erased at \(time.iso8601)") }
    guard let enrollment else {
      return (
        .notEnrolled,
        "nothing has enrolled its person since the campaign started, or retention has removed it"
      )
    }
    switch enrollment.outcome {
    case nil: return waiting(enrollment)
    case .done: return last
    case .exited:
      return (
        .exited, "an event of exit_on happened at \(enrollment.endedAt?.iso8601 ?? "")\(before)"
      )
    case .campaignEnded: return (.campaignEnded, "the campaign ended while it waited\(before)")
    case .control:
      return (.control, "its person is in the control of the campaign, which is sent nothing")
    case .heldOut:
      return (.heldOut, "its person is in the holdout of the app, which gets no campaigns")
    case .notInAudience:
      return (.notInAudience, "no device of its person was in the audience\(checked)\(before)")
    case .unreachable:
      return (.unreachable, "no device of its person could get it\(checked)\(before)")
    case .missed:
      return (
        .missed,
        "no server ran when step \(enrollment.step) was due, or the campaign was paused, for more than"
          + " 12 hours\(before)"
      )
    }
  }

  private var checked: String {
    enrollment?.endedAt.map { " at \($0.iso8601)" } ?? ""
  }

  private var before: String {
    send == nil && message == nil ? "" : "; it had got an earlier message"
  }

  private func waiting(_ enrollment: Enrollment) -> (code: Code, message: String) {
    if campaign.state == .paused {
      return (.paused, "the campaign is paused while its person waits for step \(enrollment.step)")
    }
    let due = enrollment.dueAt?.iso8601 ?? ""
    return (.waiting, "its person waits for step \(max(1, enrollment.step)), due at \(due)")
  }

  /// The outcome of the last message.
  private var last: (code: Code, message: String) {
    if isTargeted, let message {
      let end = message.unpublishAt.iso8601
      return message.unpublishAt > now
        ? (.published, "the in-app message is in its inbox until \(end)")
        : (.unpublished, "the in-app message was in its inbox until \(end)")
    }
    guard isTargeted, let send else {
      return (.otherDevice, "another device of its person got the message, or it is not stored")
    }
    guard let outcome else {
      return (.pending, "its push is not sent yet; the notification is \(send.state.rawValue)")
    }
    guard outcome.result == .sent else {
      let reason = outcome.reason ?? outcome.result.rawValue
      return (.refused, "nothing was sent: \(reason). \(FailureAdvice.text(reason))")
    }
    return (.accepted, "APNs accepted the push at \(outcome.time.iso8601)")
  }
}
