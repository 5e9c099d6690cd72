import Markup
import PushModel
import PushPayload

/// The page of one campaign: the review of a draft, or else the controls and the report.
struct CampaignView {
  var request: PageRequest
  var campaign: Campaign
  var plan: CampaignPlan
  /// The review of a draft; `nil` if the campaign has started or its audience cannot be read.
  var review: CampaignReviewView?
  var report: CampaignReport?
  /// The days of a recurring campaign.
  var days: HTML?
  /// The report of a triggered campaign.
  var people: HTML?
  var problem: CampaignProblem?
  /// The notification of the test that was just sent; `nil` if the test sent an in-app message.
  var test: Send?
  var testMessage: Message?
  /// The variants of all messages as inboxes show them; an element is `nil` if the variant is a push.
  var inboxes: [HTML?] = []

  private var path: String { CampaignPages.path(of: campaign, request) }

  var html: HTML {
    """
    <p><a href="\(request.path(.sends))\(CampaignPages.path)">Campaigns</a></p>
    <div class="head"><h1>\(campaign.name)</h1><div class="row">\(edit)\(reportLink)\(duplicate)</div></div>
    \(problem.map { HTML.problem($0.message, at: $0.field) })
    \(test.map(sent))\(testMessage.map(published))
    <div id="state" role="status"><p>\(stateTag) \(runText)</p></div>
    \(controls)
    \(review?.html)
    \(report?.html)
    \(days)
    \(people)
    \(campaign.state == .draft ? nil : why)
    \(review == nil ? cards : nil)
    <details><summary>Content</summary><pre tabindex="0"><code>\(content)</code></pre></details>
    """
  }

  private func sent(_ send: Send) -> HTML {
    """
    <p class="note" role="status">Test sent. <a href="\(request.path(.sends))/\(send.id)">View what APNs \
    answers</a></p>
    """
  }

  private func published(_ message: Message) -> HTML {
    """
    <p class="note" role="status">Test published. \
    <a href="\(MessagesPages.path(of: message, request))">View its numbers</a></p>
    """
  }

  private var why: HTML {
    WhyForm(request: request, subject: .campaign(campaign.id)).section(
      help: days == nil
        ? nil
        : "The answer is about the last day that has begun. The list of days leads to that of another."
    )
  }

  private var content: String {
    String(decoding: campaign.document.serialized(), as: UTF8.self)
  }

  private var cards: HTML {
    let cards = zip(plan.messages, inboxes).map { message, inbox in
      CampaignVariantCard(message: message, path: path, version: campaign.version, inbox: inbox)
        .html
    }
    return "<h2>\(plan.cardsTitle)</h2><div class=\"cards\">\(cards)</div>"
  }

  private var totals: SendTotals? { report?.results.totals }

  private var stateTag: HTML {
    totals.map { campaign.stateTag(after: $0) } ?? campaign.stateTag
  }

  private var runText: HTML {
    guard let run = report?.results.run else {
      if campaign.state == .draft { return "Nothing is sent until it starts." }
      return campaign.state == .live
        ? "People are enrolled, and get each message when it is due." : ""
    }
    let reason = run.reason.map { " \($0)." } ?? ""
    if campaign.state == .paused, !run.state.isOver {
      return "Nothing of it goes out until it is resumed.\(reason)"
    }
    if let paused = report?.results.deliveries.sends.first(where: \.isPausedByServer) {
      return """
        The server has paused <a href="\(request.path(.sends))/\(paused.id)">a send</a> of it: \(paused.failure ?? "").
        """
    }
    switch run.state {
    case .planned: return "Starts at \(.time(run.plannedAt)).\(reason)"
    case .testing:
      guard let time = run.dueAt else { return "The test runs until you decide.\(reason)" }
      return "The test is decided at \(.time(time)).\(reason)"
    case .deciding: return "The test waits for your decision:\(reason)"
    case .rolling:
      guard let totals, campaign.hasSentAll(totals) else {
        return "\(plan.isInApp ? "Published" : "Being sent").\(reason)"
      }
      let goals: HTML? = run.dueAt.map { " Its goals are measured at \(.time($0))." }
      return "All of it was sent.\(plan.goals.isEmpty ? nil : goals)\(reason)"
    case .settled:
      return "\(plan.isInApp ? "Its time is over" : "All of it was sent").\(reason)"
    case .skipped: return "Nothing was sent:\(reason)"
    case .canceled: return "Canceled.\(reason)"
    }
  }

  // MARK: Controls

  private var edit: HTML? {
    guard campaign.canBeEdited, request.may(.write) else { return nil }
    return "<a class=\"button\" href=\"\(path)/edit\">Edit</a>"
  }

  private var reportLink: HTML? {
    guard report != nil || people != nil, request.mayOpen(.reports) else {
      return nil
    }
    return "<a class=\"button\" href=\"\(CampaignReport.path(of: campaign, request))\">Report</a>"
  }

  private var duplicate: HTML? {
    guard request.may(.write) else { return nil }
    return """
      <form method="post" action="\(path)">\(request.session.tokenField)\
      <button name="action" value="duplicate">Duplicate</button></form>
      """
  }

  private var controls: HTML? {
    guard request.may(.stop) else { return nil }
    let toggle: HTML?
    switch campaign.state {
    case .live: toggle = "<button name=\"action\" value=\"pause\">Pause</button>"
    case .paused:
      toggle =
        !request.may(.approve)
        ? nil : "<button class=\"primary\" name=\"action\" value=\"resume\">Resume</button>"
    case .draft, .ended, .discarded: return nil
    }
    let consequence =
      people != nil
      ? "Nobody who waits gets a message any more\(plan.isInApp ? ", and inboxes stop showing those that were published" : ""). An ended campaign cannot be resumed."
      : report?.results.run.state == .planned
        ? "No device gets it. An ended campaign cannot be resumed."
        : plan.isInApp
          ? "Inboxes stop showing it when they next load. An ended campaign cannot be resumed."
          : "Devices that APNs has accepted it for keep it; the others do not get it. An ended campaign cannot be resumed."
    return """
      \(decision)
      <form method="post" action="\(path)" class="row">\(request.session.tokenField)\(toggle)
      <details class="ask"><summary class="button">End…</summary>
      <p>\(consequence)</p>
      <button class="danger" name="action" value="end">End campaign</button></details></form>
      """
  }

  /// The choice of a variant for the rest of the devices, behind a button that opens it.
  private var decision: HTML? {
    guard campaign.state == .live, request.may(.approve), let results = report?.results,
      results.run.state == .testing || results.run.state == .deciding
    else { return nil }
    let choices = plan.variants.map { variant -> HTML in
      """
      <label class="choice"><input type="radio" name="variant" value="\(variant.key)" required> \
      <span>\(variant.title): \(results.deliveries.opens(of: variant.key, .test).rateWithInterval) opened</span></label>
      """
    }
    let rest = RunReport(results.run.report).groups[.rest] ?? 0
    return """
      <form method="post" action="\(path)">\(request.session.tokenField)
      <input type="hidden" name="run" value="\(results.run.id)">
      <details class="ask"\(" open", if: problem?.field == "decide")><summary class="button primary">Decide…</summary>
      <fieldset id="decide"><legend>What the rest, \(AudienceReach.devices(rest)), gets</legend>\(choices)
      <label class="choice"><input type="radio" name="variant" value="\(CampaignPages.noVariant)" required> \
      <span>Nothing: only the devices of the test got it</span></label></fieldset>
      <p>This cannot be taken back.</p>
      <button class="primary" name="action" value="decide">Decide</button></details></form>
      """
  }
}

/// The reason why a page of a campaign could not perform an action.
struct CampaignProblem {
  var message: String
  /// The id of the field to which the message leads.
  var field: String?
}
