import Markup
import PushPayload
import PushStore

/// The review of a draft: its recipients and variants, a test of each variant, and the start.
struct CampaignReviewView {
  var request: PageRequest
  var campaign: Campaign
  var plan: CampaignPlan
  var review: CampaignReview
  /// The reason why a test was refused.
  var testProblem: String?
  /// Whether the user typed a wrong name of the app.
  var isNameWrong = false

  private var path: String { CampaignPages.path(of: campaign, request) }

  var html: HTML {
    """
    <section class="card"><h2>Review</h2>
    \(review.obstacles.map { "<p class=\"finding warning\">It cannot be started: \($0)</p>" as HTML })
    <dl class="facts sent">\(facts.map { "<dt>\($0.title)</dt><dd>\($0.text)</dd>\n" as HTML })</dl>
    \(start)
    </section>
    \(approval.html)
    \(division)
    <h2>\(plan.cardsTitle)</h2>
    <div class="cards">\(review.variants.map(card))</div>
    \(test)
    """
  }

  // MARK: The facts

  private var facts: [(title: String, text: HTML)] {
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
        ("Goal", "“\(goal.event)” within \(CampaignPeriod(goal.within).words) after the start"))
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
      ? "\(at.utcText.prefix(16)) in each device's local time" : .timeInWords(at)
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

  private var division: HTML {
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

  // MARK: The variants

  private func card(_ variant: CampaignReview.Variant) -> HTML {
    CampaignVariantCard(
      message: variant.message, path: path, version: campaign.version, samples: variant.samples,
      languages: variant.coverage.map { coverage in
        LanguageTexts(
          form: variant.form, coverage: coverage, group: variant.message.title,
          isAbout: !review.isExact
        ).html
      }, warnings: ComposeView.remarks(variant.warnings), inbox: variant.inbox
    ).html
  }

  private var test: HTML? {
    guard request.may(.write) else { return nil }
    let variants = plan.messages.map { message -> HTML in
      let value = "\(message.step)/\(message.variant.key)"
      return """
        <option value="\(value)"\(" selected", if: value == request.form["variant"])>\(message.title)</option>
        """
    }
    let audiences = review.choices.audiences.filter(\.isTest).map { audience -> HTML in
      "<option value=\"\(audience.id)\">\(audience.name ?? "")</option>"
    }
    let devices = review.choices.devices.map { device -> HTML in
      "<option value=\"\(device.id)\">\(device.userID ?? "")</option>"
    }
    return """
      <section class="card"><h2>Send a test</h2>
      <form method="post" action="\(path)">\(request.session.tokenField)
      <input type="hidden" name="once" value="\(Identifiers.makeObjectID())">
      <div class="columns">
      <div><label for="variant">Variant</label><select id="variant" name="variant">\(variants)</select></div>
      <div><label for="test_device">\(ComposeField.testDevice.title)</label>
      <input id="test_device" name="test_device" value="\(request.form["test_device"] ?? "")" list="tests" \
      autocomplete="off"\(" aria-invalid=\"true\"", if: testProblem != nil)>
      <datalist id="tests">\(audiences)\(devices)</datalist></div></div>
      <p><button name="action" value="test">Send test</button></p></form>
      </section>
      """
  }

  // MARK: The start

  private var approval: CampaignApprovalView {
    CampaignApprovalView(
      request: request, campaign: campaign, needed: review.limits.approval,
      keys: review.keys, people: review.people)
  }

  private var start: HTML {
    let isLater = plan.schedule != nil || plan.at.map { $0 > request.now } ?? false
    guard request.may(.write) else { return "" }
    let canStart = review.obstacles.isEmpty && approval.mayStart
    let button: HTML = """
      <button class="primary" name="action" value="start">\(isLater ? "Schedule" : "Start") campaign</button>
      """
    return """
      <form method="post" action="\(path)">\(request.session.tokenField)
      <input type="hidden" name="version" value="\(campaign.version)">
      \(canStart && review.isForEveryone ? appName : nil)
      <div class="row">\(canStart ? button : nil)\
      <details class="ask"><summary class="button">Discard…</summary>
      <p>A discarded draft cannot be changed or started any more. It can be duplicated.</p>
      <button class="danger" name="action" value="discard">Discard campaign</button></details></div></form>
      """
  }

  private var appName: HTML {
    """
    <label for="confirm">This sends to all devices. Type <strong>\(request.app.name)</strong> to \
    confirm</label>
    <input id="confirm" name="confirm" value="\(request.form["confirm"] ?? "")" autocomplete="off" \
    autocapitalize="none" spellcheck="false"\(" aria-invalid=\"true\"", if: isNameWrong)>
    """
  }
}

/// A variant as a phone shows it, with the texts of some devices.
struct CampaignVariantCard {
  var message: CampaignPlan.Message
  /// The path of the campaign's page.
  var path: String
  var version: Int
  var samples: [ComposeReview.Sample] = []
  /// The texts by language.
  var languages: HTML?
  var warnings: [HTML] = []
  /// An in-app message as inboxes show it, in place of the phone's card.
  var inbox: HTML?

  var html: HTML {
    guard let payload = message.variant.payload?.value else {
      return """
        <section class="card"><h3>\(message.title)</h3>\(inbox)\(life)</section>

        """
    }
    let texts = [payload["title"], payload["alert"]].compactMap {
      $0?.string ?? $0?[TextLocale.fallback]?.string
    }
    let picture =
      "\(path)/variants/\(message.variant.key)/card.png?step=\(message.step)&version=\(version)"
    let table = SampleTexts(
      samples: samples, hasSubtitle: payload["subtitle"] != nil, group: message.title)
    return """
      <section class="card"><h3>\(message.title)</h3>\
      \(message.variant.template.map { "<p class=\"muted\">Template \($0)</p>" as HTML })
      <picture><source media="(prefers-color-scheme: dark)" srcset="\(picture)&amp;dark=1">\
      <img class="shown" src="\(picture)" width="393" loading="lazy" \
      alt="\(message.title): \(texts.joined(separator: ". "))"></picture>
      \(warnings)\(languages)\(table.html)</section>

      """
  }

  private var life: HTML? {
    message.variant.message.map { own in
      "<p class=\"muted\">Inboxes show it for \(CampaignPeriod(own.life).words).</p>"
    }
  }
}

extension CampaignPlan {
  /// The heading of the variants' cards.
  var cardsTitle: String { isInApp ? "As the app shows them" : "As a phone shows them" }

  /// The test in one or two sentences: its sample, its metric, and who decides when.
  var testInWords: String {
    guard let test else { return "None: the variants are sent to everyone at once." }
    let metric =
      test.metric == .opens
      ? "openings" : "conversions (“\(goals.first?.event ?? "the first goal")”)"
    let sample = "\(test.sample) % of the audience get the variants first, compared by \(metric)."
    guard let after = test.decideAfter else { return sample + " You decide what the rest gets." }
    let otherwise =
      switch test.noWinner {
      case .best: "the one with the highest rate is sent"
      case .default: "\(variants.first?.title ?? "variant 1") is sent"
      case .none: "nothing more is sent"
      }
    return sample
      + " After \(CampaignPeriod(after).words) the clock decides; if none is clearly better, "
      + otherwise + "."
  }
}
