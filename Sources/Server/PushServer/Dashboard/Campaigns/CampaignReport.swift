import Markup
import PushModel
import PushPayload

/// The report of a campaign's run: the results of its variants, the decision, and the effect on the goals.
struct CampaignReport {
  var request: PageRequest
  var plan: CampaignPlan
  var results: RunResults
  /// The key that decided; `nil` if the clock or a person did, or the key was revoked.
  var decider: APIKey?
  /// The name of the person who decided; `nil` if the clock or a key did.
  var decidingPerson: String?

  var report: RunReport { RunReport(results.run.report) }

  static func path(of campaign: Campaign, _ request: PageRequest) -> String {
    "\(request.path(.reports))\(CampaignPages.path)/\(campaign.id)"
  }

  var html: HTML {
    """
    <section class="card" id="result"><h2>Result</h2>\(conclusion)\(decision)\(leftOut)</section>
    \(plan.isInApp ? messageVariants : variants)
    \(doubt)
    \(comparison)
    \(goals)
    <details class="help"><summary>How to read the numbers</summary>
    <p>The interval beside a rate is where the true rate lies in 95 of 100 cases (Wilson). Two variants \
    differ by more than chance where a χ² test of all and, after Holm's correction, a z test of the best against each \
    other one find p &lt; 0.05. Devices are counted, not people. A device whose app does not report openings \
    counts as one that did not open.</p></details>
    """
  }

  // MARK: Results

  private var accepted: Int {
    plan.variants.reduce(0) { $0 + results.deliveries.opens(of: $1.key).trials }
  }

  private var conclusion: HTML {
    guard accepted > 0 else {
      return plan.isInApp
        ? "<p>There is nothing to report yet: the message is in no inbox.</p>"
        : "<p>There is nothing to report yet: APNs has not accepted the notification for any device.</p>"
    }
    let opened = plan.variants.reduce(0) { $0 + results.deliveries.opens(of: $1.key).successes }
    guard opened > 0 else {
      return """
        <p>\(plan.isInApp ? "It is in the inbox of" : "APNs has accepted it for") \
        \(AudienceReach.devices(accepted)). No device has reported that it was \
        opened, so there is nothing to compare yet.</p>
        """
    }
    guard let comparison = results.comparison, let best = comparison.best, plan.variants.count > 1
    else {
      let all = Proportion(successes: opened, trials: accepted)
      return "<p>\(all.rateText) of \(AudienceReach.devices(accepted)) opened it.</p>"
    }
    let inTest = plan.test == nil ? "" : " in the test"
    if comparison.winner != nil {
      return """
        <p>“\(plan.title(of: best.key))” did better than the others\(inTest): \(best.result.rateText) \
        opened it. Such a difference is hardly chance (p = \(Self.probability(comparison.pValue))).</p>
        """
    }
    return """
      <p>“\(plan.title(of: best.key))” has the highest rate\(inTest), \(best.result.rateText), but \
      the difference may be chance (p = \(Self.probability(comparison.pValue))). More devices or more time \
      may show it.</p>
      """
  }

  private static func probability(_ p: Double) -> String {
    p < 0.001 ? "less than 0.001" : String(Double(Int((p * 1000).rounded())) / 1000)
  }

  /// The devices that got nothing because of a limit or the time, by the reason.
  private var leftOut: HTML? {
    func sum(_ count: KeyPath<Send.Counts, Int>) -> Int {
      results.deliveries.sends.reduce(0) { $0 + $1.counts[keyPath: count] }
    }
    let reasons = [
      ((report.groups[.capped] ?? 0) + sum(\.capped), "had got as many pushes as the app allows"),
      ((report.groups[.quiet] ?? 0) + sum(\.quiet), "were in their quiet hours"),
      (report.groups[.missed] ?? 0, "had the time behind them when it began"),
    ].filter { $0.0 > 0 }
    guard !reasons.isEmpty else { return nil }
    let words = reasons.enumerated().map { place, reason -> HTML in
      "\(", ", if: place > 0)\(.count(reason.0)) \(reason.1)"
    }
    return "<p>Devices that got nothing: \(words).</p>"
  }

  private var decision: HTML? {
    guard let decision = report.decision else { return nil }
    let sent: String =
      decision.variant.map { "“\(plan.title(of: $0))” is sent to the rest" }
      ?? "nothing more is sent"
    let reason: String =
      decision.variant == nil
      ? ""
      : decision.isSignificant
        ? ", since it did better by more than chance" : ", which may be chance"
    let numbers = decision.comparison.arms.map {
      "\(plan.title(of: $0.key)) \($0.result.successes) of \($0.result.trials)"
    }.joined(separator: ", ")
    return """
      <p>Decided \(who(decision)), \(.time(decision.at)): \(sent)\(reason). \
      The counts then: \(numbers).</p>
      """
  }

  private func who(_ decision: RunReport.Decision) -> HTML {
    if decision.by == "clock" { return "by the clock" }
    if decision.by == request.userID {
      return request.person == nil ? "by hand, with your key" : "by hand, by you"
    }
    if let decidingPerson { return "by hand, by \(decidingPerson)" }
    return "by hand, with \(decider?.inWords ?? APIKey.revoked)"
  }

  // MARK: Variants

  private var variants: HTML {
    let openings = plan.variants.map { results.deliveries.opens(of: $0.key) }
    let top = openings.filter { $0.trials > 0 }.map(\.interval.upperBound).max() ?? 1
    let rows = zip(plan.variants, openings).map { variant, opens -> HTML in
      let own = results.deliveries.sends(of: variant.key)
      let targeted = own.reduce(0) { $0 + $1.counts.targeted }
      let links = own.map { send -> HTML in
        "<a href=\"\(link(to: send))\">\(phase(send.origin?.phase))</a> "
      }
      return """
        <tr><th scope="row">\(variant.title)\(chosen(variant))\
        <div class="phone">\(.count(targeted)) targeted · \(.count(opens.trials)) sent · \
        \(.count(opens.successes)) opened</div></th>\
        <td class="number wide">\(.count(targeted))</td>\
        <td class="number wide">\(.count(opens.trials))</td><td class="number wide">\(.count(opens.successes))</td>\
        <td>\(opens.rateWithInterval)\(Self.bar(opens, upTo: top))</td>\
        <td class="wide">\(links)</td></tr>

        """
    }
    let control: HTML? =
      plan.control == 0
      ? nil
      : """
      <tr><th scope="row">Control<div class="phone">\(.count(report.groups[.control] ?? 0)) devices</div></th>\
      <td class="number wide">\(.count(report.groups[.control] ?? 0))</td>\
      <td class="wide" colspan="2"></td><td>gets nothing</td><td class="wide"></td></tr>
      """
    let table: HTML = """
      <table class="list"><caption>Openings of each variant\(plan.test == nil ? "" : ", of the test and the rest together")</caption>
      <thead><tr><th scope="col">Variant</th>\
      <th scope="col" class="number wide">Targeted</th><th scope="col" class="number wide">Sent</th>\
      <th scope="col" class="number wide">Opened</th><th scope="col">Open rate</th>\
      <th scope="col" class="wide">Sends</th></tr></thead><tbody>\(rows)\(control)</tbody></table>
      """
    return .table("Variants", table)
  }

  private func link(to send: Send) -> String {
    request.mayOpen(.sends)
      ? "\(request.path(.sends))/\(send.id)" : SendReport.path(of: send, request)
  }

  /// A rate as a point on the line of its interval; the numbers are beside it.
  static func bar(_ result: Proportion, upTo top: Double) -> HTML? {
    guard result.trials > 0, top > 0 else { return nil }
    func x(_ rate: Double) -> String { String(Int((rate / top * 196).rounded()) + 2) }
    let interval = result.interval
    return """
      <svg class="interval" viewBox="0 0 200 12" aria-hidden="true">\
      <line x1="\(x(interval.lowerBound))" x2="\(x(interval.upperBound))" y1="6" y2="6"/>\
      <circle cx="\(x(result.rate))" cy="6" r="4"/></svg>
      """
  }

  private var doubt: HTML? {
    guard accepted > 0, !results.isDividedAsPlanned else { return nil }
    return """
      <p class="finding warning"><strong>The devices were not divided as the shares say</strong>The numbers of the variants \
      differ by more than chance allows. Something leaves out devices of one variant: do not trust the comparison.</p>
      """
  }

  /// The variants compared with the best one.
  private var comparison: HTML? {
    guard let comparison = results.comparison, let best = comparison.best,
      best.result.successes > 0
    else { return nil }
    let items = comparison.pairs.compactMap { pair -> HTML? in
      guard let own = comparison.arms.first(where: { $0.key == pair.key })?.result,
        own.trials > 0
      else { return nil }
      let difference = best.result.difference(from: own)
      return """
        <li>“\(plan.title(of: best.key))” was opened by \(HTML.points(difference.value)) more than \
        “\(plan.title(of: pair.key))” (\(HTML.points(difference.interval)); \
        p = \(Self.probability(pair.pValue))).</li>
        """
    }
    guard !items.isEmpty else { return nil }
    return "<section class=\"card\"><h2>Differences</h2><ul>\(items)</ul></section>"
  }

  // MARK: Goals

  private var goals: HTML? {
    guard !plan.goals.isEmpty else { return nil }
    let items = plan.goals.map { goal -> HTML in
      guard let measured = report.goals[goal.event] else {
        let text: HTML =
          results.run.state.isOver
          ? "It was not measured, since the campaign ended before."
          : "Nothing yet: it is measured at \(.time(results.run.end(of: goal)))."
        return "<h3>\(goal.event)</h3><p>\(text)</p>"
      }
      return
        "<h3>\(goal.event)</h3>\(table(of: goal.event, measured))\(uplift(of: goal.event, measured))"
    }
    return "<section class=\"card\"><h2>Goals</h2>\(items)</section>"
  }

  private func table(of event: String, _ goal: RunReport.Goal) -> HTML {
    let rows = (plan.variants.map(\.key) + [CampaignPlan.controlKey]).compactMap { key -> HTML? in
      guard let own = goal.arms[key] else { return nil }
      return """
        <tr><th scope="row">\(plan.title(of: key))</th><td class="number">\(.count(own.trials))</td>\
        <td class="number">\(.count(own.successes))</td><td>\(own.rateWithInterval)</td></tr>

        """
    }
    let table: HTML = """
      <table><caption>Measured \(.time(goal.measuredAt))</caption><thead><tr><th scope="col">Variant</th>\
      <th scope="col" class="number">Devices</th><th scope="col" class="number">Reached it</th>\
      <th scope="col">Rate</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return .table(event, table)
  }

  /// The difference that each variant made against the control, in words.
  private func uplift(of event: String, _ goal: RunReport.Goal) -> HTML {
    guard let control = goal.arms[CampaignPlan.controlKey], control.trials > 0 else {
      return """
        <p class="help">Without a control the report cannot say how many would have reached “\(event)” without \
        the campaign.</p>
        """
    }
    let items = plan.variants.compactMap { variant -> HTML? in
      guard let own = goal.arms[variant.key], own.trials > 0 else { return nil }
      let difference = own.difference(from: control)
      let relative: HTML =
        control.rate > 0
        ? ", \(HTML.percent(abs(difference.value) / control.rate)) \(difference.value < 0 ? "fewer" : "more")"
        : ""
      let isClear = own.pValue(against: control) < VariantComparison.significance
      return """
        <li>“\(variant.title)”: \(HTML.points(difference.value)) against the control\(relative) \
        (\(HTML.points(difference.interval))). \(isClear ? "Hardly chance." : "It may be chance.")</li>
        """
    }
    return "<p>Uplift against the control, which got nothing:</p><ul>\(items)</ul>"
  }
}

extension Proportion {
  /// A rate in percent with one decimal: `12.3 %`.
  static func percent(_ rate: Double) -> String {
    let tenths = Int((abs(rate) * 1000).rounded())
    return "\(rate < 0 && tenths > 0 ? "−" : "")\(tenths / 10).\(tenths % 10) %"
  }
}

extension RunResults {
  /// The sums over the notifications and messages of the run.
  var totals: SendTotals {
    var totals = SendTotals()
    totals.sends = deliveries.sends.count
    totals.messages = deliveries.messages.count
    totals.unfinished = deliveries.sends.count { !$0.state.isOver }
    totals.waitingRuns = [.planned, .testing, .deciding].contains(run.state) ? 1 : 0
    return totals
  }
}
