import PushPayload
import PushStore

/// The approval of a draft: one person submits it, another one approves and starts it.
extension CampaignActions {
  /// Whether an approver may start a draft as it is: it must be approved, or submitted by somebody else.
  static func mayStartAsApprover(_ campaign: Campaign, _ request: PageRequest) -> Bool {
    request.may(.approve) && (campaign.isApproved || isSubmittedByAnother(campaign, request))
  }

  private static func isSubmittedByAnother(_ campaign: Campaign, _ request: PageRequest) -> Bool {
    guard let approval = campaign.approval, approval.version == campaign.version else {
      return false
    }
    return approval.state == .submitted && approval.submittedBy != request.key.id
  }

  /// Approves a draft that an approver is about to start.
  ///
  /// - Throws: ``Refusal`` `.forbidden` if somebody else has to start the campaign.
  static func approveStart(of campaign: Campaign, _ request: PageRequest) async throws {
    guard campaign.state == .draft, !request.may(.send) else { return }
    guard mayStartAsApprover(campaign, request) else {
      throw Refusal(
        status: 403,
        problem: CampaignProblem(
          message: request.may(.approve)
            ? "A campaign is approved by another person than the one who submitted it, and not before it is submitted."
            : "Your role writes campaigns; an approver starts them. Submit it for approval."))
    }
    guard !campaign.isApproved else { return }
    try await review(.approve, as: "approve", of: campaign, request)
  }

  /// - Throws: ``RequestError`` `.forbidden` unless the user may approve or has submitted the campaign.
  static func checkRejection(of campaign: Campaign, _ request: PageRequest) throws {
    guard campaign.approval?.submittedBy != request.key.id else { return }
    try request.require(.approve, to: "reject a campaign")
  }
}
