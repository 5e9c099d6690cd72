import Markup
import PushModel
import PushPayload

/// The report of a triggered campaign: the people at each step, and the results of each message.
struct EnrollmentReportView {
  var report: EnrollmentReport
  var plan: CampaignPlan
  /// The name of the audience that people enter or leave.
  var audience: String?

  var html: HTML {
    """
    <p>\(plan.triggerInWords(audience))</p>
    \(stop)
    \(people)
    \(reasons)
    \(messages)
    """
  }

  /// The reason why the campaign was stopped; `nil` if it was not.
  private var stop: HTML? {
    report.steps.lazy.compactMap { $0.run?.reason }.first.map { reason in
      "<p class=\"alert\">It was stopped: \(reason).</p>"
    }
  }

  private var people: HTML {
    let counts = report.counts
    let facts: [(name: String, count: Int)] = [
      ("Enrolled", counts.total), ("Waiting", report.waiting), ("Done", counts.count(.done)),
      ("Exited", report.ended(\.isExit).reduce(0) { $0 + $1.count }),
      ("Left out", report.ended { !$0.isExit && $0 != .done }.reduce(0) { $0 + $1.count }),
    ]
    let rows = facts.map { fact -> HTML in
      "<tr><th scope=\"row\">\(fact.name)</th><td class=\"number\">\(.count(fact.count))</td></tr>"
    }
    let table: HTML = """
      <table class="list"><caption>People, each as often as they have entered</caption>
      <thead><tr><th scope="col">State</th><th scope="col" class="number">People</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>People</h2>\(HTML.table("People", table))"
  }

  private var reasons: HTML? {
    let reasons = Enrollment.Outcome.allCases.filter { $0 != .done }
      .map { (words: $0.words, count: report.counts.count($0)) }.filter { $0.count > 0 }
    guard !reasons.isEmpty else { return nil }
    let rows = reasons.map { reason -> HTML in
      "<tr><th scope=\"row\">\(reason.words)</th><td class=\"number\">\(.count(reason.count))</td></tr>"
    }
    let table: HTML = """
      <table class="list"><caption>Why people got no further message</caption>
      <thead><tr><th scope="col">Reason</th><th scope="col" class="number">People</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>Reasons</h2>\(HTML.table("Reasons", table))"
  }

  private var messages: HTML {
    let rows = report.steps.enumerated().flatMap { place, step in
      step.plan.variants.map { variant -> HTML in
        let opens = step.opens(of: variant.key)
        let (reached, seen) = reach(of: variant, in: step)
        return """
          <tr><th scope="row">\(place + 1) · \(variant.title)</th>\
          <td class="number">\(.count(report.waiting(forStep: place + 1)))</td>\
          <td class="number">\(.count(reached))</td><td class="number">\(.count(seen))</td>\
          <td>\(opens.rateWithInterval)</td></tr>

          """
      }
    }
    let table: HTML = """
      <table class="list dense"><caption>Each step with its variants</caption>
      <thead><tr><th scope="col">Step and variant</th><th scope="col" class="number">Waiting for the step</th>\
      <th scope="col" class="number">\(plan.isInApp ? "In inboxes" : "Accepted by APNs")</th>\
      <th scope="col" class="number">\(plan.isInApp ? "Listed" : "Delivered")</th>\
      <th scope="col">Opened</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return "<h2>Messages</h2>\(HTML.table("Messages", table))"
  }

  /// The devices that got a variant, and those that have reported its delivery or listed it in their inbox.
  private func reach(
    of variant: CampaignPlan.Variant, in step: EnrollmentReport.Step
  ) -> (reached: Int, seen: Int) {
    if plan.isInApp {
      let counts = step.messages[variant.key] ?? MessageCounts()
      return (counts.targeted, counts.seen[.stream] ?? 0)
    }
    let counts = step.counts[variant.key] ?? Send.Counts()
    return (counts.sent, counts.delivered)
  }
}

extension Enrollment.Outcome {
  /// The reason in words.
  fileprivate var words: String {
    switch self {
    case .done: "got the last message"
    case .exited: "left by an event"
    case .campaignEnded: "the campaign ended"
    case .control: "in the control"
    case .heldOut: "in the holdout"
    case .notInAudience: "not in the audience"
    case .unreachable: "no device can get it"
    case .missed: "late by more than 12 hours"
    }
  }
}
