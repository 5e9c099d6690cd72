import Markup
import PushPayload
import PushStore

/// The page of one campaign: its controls, and the report of its last run.
struct CampaignView {
  var request: PageRequest
  var campaign: Campaign
  var plan: CampaignPlan
  var report: RunAnswer?
  var problem: String?

  private var path: String { "\(request.path(.sends))\(CampaignPages.path)/\(campaign.id)" }

  var html: HTML {
    """
    <p><a href="\(request.path(.sends))\(CampaignPages.path)">Campaigns</a></p>
    <div class="head"><h1>\(campaign.name)</h1></div>
    \(problem.map { HTML.problem($0) })
    <div id="state" role="status"><p>\(campaign.stateTag) \(runText)</p></div>
    \(controls)
    \(variants)
    \(verdict)
    \(goals)
    <details><summary>Content</summary><pre tabindex="0"><code>\(content)</code></pre></details>
    """
  }

  private var content: String {
    String(decoding: campaign.document.serialized(), as: UTF8.self)
  }

  private var runText: HTML {
    guard let run = report?.run else { return "Nothing is sent until it starts." }
    let reason = run.reason.map { " \($0)." } ?? ""
    switch run.state {
    case .planned: return "Starts at \(.time(run.plannedAt)).\(reason)"
    case .testing:
      guard let time = run.dueAt else { return "The test runs until you decide.\(reason)" }
      return "The test is decided at \(.time(time)).\(reason)"
    case .deciding: return "The test waits for your decision:\(reason)"
    case .rolling: return "Being sent.\(reason)"
    case .settled: return "All of it was sent.\(reason)"
    case .skipped: return "Nothing was sent:\(reason)"
    case .canceled: return "Canceled.\(reason)"
    }
  }

  // MARK: Controls

  private var controls: HTML? {
    func button(_ action: String, _ title: String, isPrimary: Bool = false) -> HTML {
      """
      <button\(" class=\"primary\"", if: isPrimary) name="action" value="\(action)">\(title)</button>
      """
    }
    let end: HTML = """
      <details class="ask"><summary class="button">End…</summary>
      <p>Devices that APNs has accepted it for keep it; the others do not get it.</p>
      <button class="danger" name="action" value="end">End campaign</button></details>
      """
    let buttons: HTML
    switch campaign.state {
    case .draft: buttons = button("start", "Start", isPrimary: true)
    case .live: buttons = "\(button("pause", "Pause"))\(end)"
    case .paused: buttons = "\(button("resume", "Resume", isPrimary: true))\(end)"
    case .ended, .discarded: return nil
    }
    return """
      <form method="post" action="\(path)" class="row">\(request.session.tokenField)\(buttons)</form>
      \(decision)
      """
  }

  private var decision: HTML? {
    guard campaign.state == .live, let state = report?.run.state,
      state == .testing || state == .deciding
    else { return nil }
    let options = plan.variants.map { variant -> HTML in
      "<option value=\"\(variant.key)\">\(variant.name ?? variant.key)</option>"
    }
    return """
      <form method="post" action="\(path)" class="row">\(request.session.tokenField)
      <label for="variant">Send to the rest</label>
      <select id="variant" name="variant">\(options)<option value="">no variant</option></select>
      <button name="action" value="decide">Decide</button></form>
      """
  }

  // MARK: Report

  private static func percent(_ rate: Double) -> String {
    let tenths = Int((rate * 1000).rounded())
    return "\(tenths / 10).\(abs(tenths % 10)) %"
  }

  private static func text(_ result: Proportion) -> String {
    guard result.trials > 0 else { return "–" }
    let interval = result.interval
    return
      "\(percent(result.rate)) (\(percent(interval.lowerBound)) – \(percent(interval.upperBound)))"
  }

  private var variants: HTML {
    let rows = plan.variants.map { variant -> HTML in
      let own = report?.sends(of: variant.key) ?? []
      let opens = report?.opens(of: variant.key) ?? Proportion(successes: 0, trials: 0)
      let links = own.map { send -> HTML in
        """
        <a href="\(request.path(.sends))/\(send.id)">\(send.origin?.phase.rawValue ?? "send")</a>
        """
      }
      return """
        <tr><th scope="row">\(variant.name ?? variant.key)</th><td class="number">\(variant.share) %</td>\
        <td class="number">\(own.reduce(0) { $0 + $1.counts.targeted })</td>\
        <td class="number">\(opens.trials)</td><td class="number">\(opens.successes)</td>\
        <td>\(Self.text(opens))</td><td>\(links)</td></tr>

        """
    }
    let control: HTML? =
      plan.control == 0
      ? nil
      : """
      <tr><th scope="row">Control</th><td class="number">\(plan.control) %</td>\
      <td class="number">\(report?.run.report["control"]?.integer ?? 0)</td>\
      <td colspan="4">is sent nothing</td></tr>
      """
    let table: HTML = """
      <table><caption>Variants, with the share of devices that opened and its interval at 95 %</caption>
      <thead><tr><th scope="col">Variant</th><th scope="col" class="number">Share</th>\
      <th scope="col" class="number">Targeted</th><th scope="col" class="number">Sent</th>\
      <th scope="col" class="number">Opened</th><th scope="col">Open rate</th>\
      <th scope="col">Sends</th></tr></thead><tbody>\(rows)\(control)</tbody></table>
      """
    return HTML.table("Variants", table)
  }

  private var verdict: HTML? {
    var parts: [HTML] = []
    if let comparison = report?.comparison {
      parts.append(
        comparison.winner.map { "<p>“\($0)” did better than the others by more than chance.</p>" }
          ?? "<p>No variant did better than all others by more than chance so far.</p>")
    }
    if let decision = report.flatMap({ RunReport($0.run.report).decision }) {
      let who = decision.by == "clock" ? "at the set time" : "by hand"
      parts.append(
        """
        <p>Decided \(who), \(.time(decision.at)): \
        \(decision.variant.map { "“\($0)” is sent to the rest" } ?? "nothing more is sent").</p>
        """)
    }
    return parts.isEmpty ? nil : "<section class=\"card\"><h2>Result</h2>\(parts)</section>"
  }

  private var goals: HTML? {
    guard let run = report?.run, !plan.goals.isEmpty else { return nil }
    let measured = RunReport(run.report).goals
    let items = plan.goals.map { goal -> HTML in
      guard let result = measured[goal.event] else {
        let end = (run.startedAt ?? run.plannedAt) + goal.within
        return "<h3>\(goal.event)</h3><p>Measured at \(.time(end)).</p>"
      }
      let rows = (plan.variants.map(\.key) + [CampaignPlan.controlKey]).compactMap { key -> HTML? in
        guard let own = result.arms[key] else { return nil }
        return """
          <tr><th scope="row">\(key)</th><td class="number">\(own.successes)</td>\
          <td>\(Self.text(own))</td></tr>
          """
      }
      let table: HTML = """
        <table><thead><tr><th scope="col">Variant</th><th scope="col" class="number">Devices</th>\
        <th scope="col">Rate</th></tr></thead><tbody>\(rows)</tbody></table>
        """
      return "<h3>\(goal.event)</h3>\(HTML.table(goal.event, table))"
    }
    return "<section class=\"card\"><h2>Goals</h2>\(items)</section>"
  }
}
