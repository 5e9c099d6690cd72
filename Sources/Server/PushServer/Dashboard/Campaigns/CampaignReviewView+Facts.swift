import Markup
import PushModel
import PushPayload

extension CampaignReviewView {
  var facts: [(title: String, text: HTML)] {
    var facts: [(title: String, text: HTML)] = [
      ("Audience", "\(review.audience): \(reach)")
    ]
    if !campaign.labels.isEmpty {
      facts.append(("Labels", "\(campaign.labels.joined(separator: ", "))"))
    }
    if plan.rule == nil { facts.append(("Schedule", schedule)) }
    if let time = review.bestTime { facts.append(("Best time", "\(words(time))")) }
    if plan.schedule != nil { facts.append(("Next", occurrences)) }
    facts += plan.triggerFacts(review.entryAudience).map { ($0.title, "\($0.text)") }
    facts.append(("Holdout", "\(holdout)"))
    if !plan.isInApp {
      facts.append(("Quiet hours", "\(quiet)"))
      facts.append(("Frequency caps", "\(caps)"))
    }
    if plan.rule == nil { facts.append(("Test", "\(plan.testInWords)")) }
    for goal in plan.goals {
      facts.append(
        ("Goal", "“\(goal.event)” within \(CampaignPeriod(goal.within).words) after it is sent"))
    }
    if let utm = plan.utm {
      let list = utm.parameters.map(\.text).joined(separator: "&")
      facts.append(("Added to links", "<code>\(list)</code>"))
    }
    if let rate = plan.throttlePerSecond { facts.append(("Rate limit", "\(rate) per second")) }
    return facts
  }

  private var reach: String {
    plan.isInApp
      ? "\(AudienceReach.devices(review.reach.targeted)), also those that allow no pushes."
      : review.reach.words
  }

  private var holdout: String {
    guard plan.obeysHoldout else { return "People of the holdout get it, too." }
    guard let holdout = review.holdout else { return "The app has none." }
    return "\(holdout.percent) % of the app's people are left out of campaigns."
  }

  /// The quiet hours that apply to the campaign; `nil` if none do.
  private var hours: QuietHours? {
    plan.messages.lazy.compactMap {
      plan.limits.quietHours(for: $0.variant.payload, of: review.limits)
    }.first
  }

  private var quiet: String {
    let unknown = review.estimate?.withoutClock ?? 0
    let others =
      unknown == 0
      ? "" : " \(AudienceReach.devices(unknown)) get nothing, as their time zone is not known."
    guard let hours else { return "None: it is sent at any hour.\(others)" }
    var words = hours.words + others
    if let schedule = plan.schedule, hours.contains(schedule.minute) {
      words +=
        hours.otherwise == .wait
        ? " \(schedule.clock) is in these hours, so it is sent at \(QuietHours.clock(hours.to)) each day."
        : " \(schedule.clock) is in these hours, so devices whose clocks show it never get it."
    }
    if let estimate = review.estimate, estimate.quiet > 0 {
      words +=
        " \(AudienceReach.devices(estimate.quiet)) would be in them at that time, and"
        + (hours.otherwise == .wait
          ? " get it at their end, the last at \(estimate.until?.utcText ?? "")."
          : " do not get it.")
    }
    let urgent = plan.messages.filter {
      plan.limits.quietHours(for: $0.variant.payload, of: review.limits) == nil
    }
    if !urgent.isEmpty {
      words +=
        " \(urgent.map(\.title).joined(separator: ", ")) has none, as it is to be shown at once."
    }
    return words
  }

  private var caps: String {
    guard !review.limits.caps.isEmpty else { return "The app has none." }
    guard plan.limits.capping.contains(.obeys) else {
      return "It is sent past the app's caps"
        + (plan.limits.capping.contains(.counts) ? ", and counts for them." : ".")
    }
    let capped =
      review.estimate?.capped.map { " \(AudienceReach.devices($0)) had as many already." } ?? ""
    return "At most \(FrequencyCap.words(review.limits.caps)). What is more is not sent.\(capped)"
  }

  private var schedule: HTML {
    if let schedule = plan.schedule { return "\(schedule.words)" }
    if plan.isBestTime {
      let start: HTML = plan.at.map { .timeInWords($0) } ?? "when you start it"
      return "\(start), at each device's best time within 24 hours"
    }
    guard let at = plan.at else { return "when you start it" }
    return plan.isLocalTime
      ? "\(.wallTime(at)) in each device's local time" : .timeInWords(at)
  }

  /// The number of devices that have a best time, and the time for the others.
  private func words(_ time: BestTime) -> String {
    let others = time.groups.reduce(0) { $0 + $1.devices.count } - time.known
    let known = "\(AudienceReach.devices(time.known)) \(time.known == 1 ? "has" : "have") one."
    guard others > 0 else { return known }
    guard let hour = time.popular else {
      return known + " Of the others no opening is known yet: they get it at once."
    }
    return known
      + " The others get it at \(QuietHours.clock(hour * 60)) UTC, when most open the app."
  }

  /// The next days of a recurring campaign, as if it started now.
  private var occurrences: HTML {
    guard let schedule = plan.schedule else { return "" }
    let items = schedule.next(Self.occurrenceCount, at: request.now).map { day -> HTML in
      "<li>\(schedule.words(for: day))</li>"
    }
    return "<ol class=\"plain\">\(items)</ol>"
  }

  private static let occurrenceCount = 5

  var division: HTML {
    guard plan.rule == nil else { return shares }
    let about = review.isExact ? "" : "about "
    func row(_ title: String, share: String, count: Int, gets what: String) -> HTML {
      """
      <tr><th scope="row">\(title)</th><td class="number">\(share)</td>\
      <td class="number">\(about)\(count)</td><td>\(what)</td></tr>

      """
    }
    var rows = review.variants.map {
      row(
        $0.message.title, share: "\($0.message.variant.share) %", count: $0.devices,
        gets: plan.test == nil ? "get this variant" : "get this variant first")
    }
    if plan.control > 0 {
      rows.append(
        row(
          "Control", share: "\(plan.control) %", count: review.control, gets: "get nothing"))
    }
    if plan.test != nil {
      rows.append(
        row(
          "The rest", share: "", count: review.rest, gets: "wait for the winner of the test"))
    }
    if review.heldOut > 0 {
      rows.append(
        row(
          "Holdout", share: "", count: review.heldOut, gets: "get nothing from campaigns"))
    }
    let caption =
      plan.test == nil
      ? "Who gets what" : "Who gets what; the shares of variants divide the sample"
    let table: HTML = """
      <table><caption>\(caption)</caption><thead><tr><th scope="col">Part</th>\
      <th scope="col" class="number">Share</th><th scope="col" class="number">Devices</th>\
      <th scope="col"><span class="hidden">What they get</span></th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return .table("Who gets what", table)
  }

  /// The shares of the people who enter, whose number is not known in advance.
  private var shares: HTML {
    var rows = plan.messages.map { message -> HTML in
      """
      <tr><th scope="row">\(message.title)</th><td class="number">\(message.variant.share) %</td></tr>

      """
    }
    if plan.control > 0 {
      rows.append(
        "<tr><th scope=\"row\">Control, which gets nothing</th><td class=\"number\">\(plan.control) %</td></tr>"
      )
    }
    let table: HTML = """
      <table><caption>Who gets what, of the people who enter</caption><thead><tr><th scope="col">Part</th>\
      <th scope="col" class="number">Share</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return .table("Who gets what", table)
  }
}
