import Markup
import PushModel

/// The card of a draft's approval: its state, who decided, and the buttons that this user may press.
struct CampaignApprovalView {
  var request: PageRequest
  var campaign: Campaign
  /// The sends that need an approval in this app.
  var needed: AppLimits.Approval
  /// The keys of the app and of the server, for the roles of those who acted.
  var keys: [APIKey]
  /// The names of people who acted, by the ids of their accounts.
  var people: [String: String]

  private var isRequired: Bool { needed != .none }
  private var approver: HTML { needed == .everySend ? "person" : "person or key" }

  var mayStart: Bool {
    request.may(.send)
      ? !isRequired || campaign.isApproved : campaign.mayBeStarted(asApproverBy: request.actor)
  }

  /// The card; `nil` if no approval was asked for, none is needed, and the user may start the campaign.
  var html: HTML? {
    guard isRequired || campaign.approval != nil || !request.may(.send) else { return nil }
    return """
      <section class="card" id="approval"><h2>Approval</h2>
      <p>\(state)</p>\(note)\(controls)</section>
      """
  }

  /// The approval of the version that is shown; `nil` if an edit has made it outdated.
  private var current: CampaignApproval? {
    campaign.approval.flatMap { $0.version == campaign.version ? $0 : nil }
  }

  private var state: HTML {
    guard let approval = campaign.approval else {
      return "It starts only once a second \(approver) has approved it."
    }
    let (submitted, decided): (HTML, HTML) = (
      "\(who(approval.submittedBy)) at \(.time(approval.submittedAt))",
      "\(who(approval.decidedBy ?? "")) at \(.time(approval.decidedAt ?? campaign.updatedAt))"
    )
    guard current != nil else {
      return """
        It was changed after version \(approval.version) was \(approval.state.rawValue), so that no longer \
        holds. Submit it again.
        """
    }
    switch approval.state {
    case .submitted: return "It waits for approval. It was submitted by \(submitted)."
    case .approved:
      return
        "Approved by \(decided), as submitted by \(submitted). An edit takes the approval away."
    case .rejected: return "Rejected by \(decided), as submitted by \(submitted)."
    }
  }

  private var note: HTML? {
    guard let note = campaign.approval?.note, !note.isEmpty else { return nil }
    return "<blockquote>\(note)</blockquote>"
  }

  private func who(_ actor: String) -> HTML {
    if actor == request.userID { return "you" }
    if let name = people[actor] { return "\(name)" }
    return "\(keys.first { $0.id == actor }?.inWords ?? APIKey.revoked)"
  }

  private var controls: HTML? {
    guard request.may(.write) else { return nil }
    return switch current?.state {
    case nil, .rejected:
      form(
        "<button class=\"primary\" name=\"action\" value=\"submit\">Submit for approval</button>")
    case .submitted where current?.submittedBy == request.userID:
      """
      <p>Another \(approver) has to approve it.</p>
      \(form("<button name=\"action\" value=\"reject\">Withdraw</button>"))
      """
    case .submitted where !request.may(.approve): nil as HTML?
    case .submitted:
      form(
        """
        <button class="primary" name="action" value="approve">Approve</button>\
        \(reject("Reject", "Rejected drafts can be changed and submitted again."))
        """)
    case .approved where !request.may(.approve): nil as HTML?
    case .approved: form(reject("Take back", "It then cannot start until it is approved again."))
    }
  }

  private func reject(_ title: String, _ consequence: String) -> HTML {
    """
    <details class="ask"><summary class="button">\(title)…</summary><p>\(consequence)</p>
    <label for="note">Reason, for the author</label>
    <textarea id="note" name="note" rows="2" maxlength="\(CampaignApproval.noteLimit)"></textarea>
    <button class="danger" name="action" value="reject">\(title)</button></details>
    """
  }

  private func form(_ buttons: HTML) -> HTML {
    """
    <form method="post" action="\(CampaignPages.path(of: campaign, request))">\
    \(request.session.tokenField)
    <input type="hidden" name="version" value="\(campaign.version)">
    <div class="row">\(buttons)</div></form>
    """
  }
}
