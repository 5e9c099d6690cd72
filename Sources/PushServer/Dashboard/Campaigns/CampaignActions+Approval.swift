import PushPayload
import PushStore

/// The approval of a draft: one person submits it, another one starts it.
extension CampaignActions {
  /// Whether the user may start a draft as it is: who sends without approval, and an approver what somebody else has submitted.
  static func mayStart(_ campaign: Campaign, _ request: PageRequest) -> Bool {
    if request.may(.send) { return true }
    guard request.may(.approve), let submission = campaign.currentSubmission else { return false }
    return submission.account != request.person?.id
  }

  /// - Throws: ``Refusal`` 403 where somebody else has to start the campaign.
  static func checkApproval(of campaign: Campaign, _ request: PageRequest) throws {
    guard campaign.state == .draft, !mayStart(campaign, request) else { return }
    throw Refusal(
      status: 403,
      problem: CampaignProblem(
        message: request.may(.approve)
          ? "A campaign is approved by another person than the one who submitted it, and not before it is submitted."
          : "Your role writes campaigns; an approver starts them. Submit it for approval."))
  }

  static func submit(_ campaign: Campaign, _ request: PageRequest) async throws {
    guard let person = request.person else {
      throw APIError(422, "a campaign is submitted by a person, not with a key")
    }
    try checkVersion(campaign, request)
    let submission = Campaign.Submission(
      account: person.id, name: person.name, version: campaign.version, at: request.now)
    try await change(campaign, to: submission, as: "campaign.submit", request)
  }

  /// Takes a submission back, or refuses that of another.
  static func sendBack(_ campaign: Campaign, _ request: PageRequest) async throws {
    try checkVersion(campaign, request)
    try await change(campaign, to: nil, as: "campaign.return", request)
  }

  /// Refuses what the user has not seen.
  private static func checkVersion(_ campaign: Campaign, _ request: PageRequest) throws {
    guard request.form["version"] == String(campaign.version) else {
      throw Refusal(
        status: 409,
        problem: CampaignProblem(
          message:
            "Somebody else has changed this campaign meanwhile. It is shown as it is now; submit it if it is right."
        ))
    }
  }

  private static func change(
    _ campaign: Campaign, to submission: Campaign.Submission?, as action: String,
    _ request: PageRequest
  ) async throws {
    try await request.api.store(for: request.apiCall("POST", ""), action, campaign.id)
      .submit(submission, version: campaign.version, ofCampaign: campaign.id, app: campaign.app)
  }
}
