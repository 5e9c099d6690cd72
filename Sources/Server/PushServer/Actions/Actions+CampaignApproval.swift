import PushModel

/// The approval of a draft: one key or person submits it, another one approves it.
extension Actions {
  /// Submits a draft; `version` is the one that the actor has seen, and `nil` submits any version.
  @discardableResult
  func submitCampaign(
    _ id: String, version: Int? = nil, by actor: Actor
  ) async throws -> Campaign {
    try actor.require(.write, to: "submit a campaign")
    return try await apply(.submit, version: version, as: "submit", to: id, by: actor)
  }

  @discardableResult
  func approveCampaign(_ id: String, version: Int, by actor: Actor) async throws -> Campaign {
    try actor.require(.approve, to: "approve a campaign")
    return try await apply(.approve, version: version, as: "approve", to: id, by: actor)
  }

  /// Rejects a version, or takes its submission or approval back; `note` is the reason, for the author.
  ///
  /// - Throws: ``RequestError`` `.forbidden` unless the actor may approve or has submitted the campaign.
  @discardableResult
  func rejectCampaign(
    _ id: String, version: Int, note: String?, by actor: Actor
  ) async throws -> Campaign {
    let campaign = try await campaign(id, app: try actor.ownApp())
    if campaign.approval?.submittedBy != actor.id {
      try actor.require(.approve, to: "reject a campaign")
    }
    return try await apply(
      .reject(note: note), version: version, as: "reject", to: id, by: actor)
  }

  /// Approves a draft that an approver is about to start.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if somebody else has to start the campaign.
  func approveStart(of campaign: Campaign, version: Int, by actor: Actor) async throws {
    guard campaign.state == .draft, !actor.may(.send) else { return }
    guard campaign.mayBeStarted(asApproverBy: actor) else {
      throw RequestError(
        .forbidden,
        actor.may(.approve)
          ? "A campaign is approved by another person than the one who submitted it, and not before it is submitted."
          : "Your role writes campaigns; an approver starts them. Submit it for approval.")
    }
    guard !campaign.isApproved else { return }
    try await approveCampaign(campaign.id, version: version, by: actor)
  }

  private func apply(
    _ kind: CampaignApproval.Event.Kind, version: Int?, as action: String, to id: String,
    by actor: Actor
  ) async throws -> Campaign {
    let event = CampaignApproval.Event(kind, version: version, by: actor.id, at: clock.now())
    do {
      let recording = store(for: actor, "campaign.\(action)", id)
      guard
        let campaign = try await recording.apply(event, toCampaign: id, app: try actor.ownApp())
      else { throw RequestError.notFound("campaign with this id") }
      return campaign
    } catch let error as StoreError where error.code == .forbidden {
      throw RequestError(.forbidden, error.message)
    }
  }
}

extension CampaignApproval {
  /// The largest number of characters in the reason for a rejection.
  static let noteLimit = 1000
}

extension Campaign {
  /// Whether an approver may start the draft as it is: it must be approved, or submitted by somebody else.
  func mayBeStarted(asApproverBy actor: Actor) -> Bool {
    actor.may(.approve) && (isApproved || isSubmitted(byAnotherThan: actor))
  }

  private func isSubmitted(byAnotherThan actor: Actor) -> Bool {
    guard let approval, approval.version == version else { return false }
    return approval.state == .submitted && approval.submittedBy != actor.id
  }
}
