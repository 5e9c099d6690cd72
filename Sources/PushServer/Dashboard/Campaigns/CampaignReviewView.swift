import Markup
import PushPayload
import PushStore

/// What a draft would send, with a test of each variant, and the start.
struct CampaignReviewView {
  var request: PageRequest
  var campaign: Campaign
  var plan: CampaignPlan
  var review: CampaignReview
  /// Why a test was refused.
  var testProblem: String?
  /// Whether the app's name was typed wrong.
  var isNameWrong = false

  private var path: String { CampaignPages.path(of: campaign, request) }

  var html: HTML {
    """
    <section class="card"><h2>Review</h2>
    \(review.obstacles.map { "<p class=\"finding warning\">It cannot be started: \($0)</p>" as HTML })
    <dl class="facts sent">\(facts.map { "<dt>\($0.title)</dt><dd>\($0.text)</dd>\n" as HTML })</dl>
    \(start)
    </section>
    \(division)
    <h2>As a phone shows them</h2>
    <div class="cards">\(review.variants.map(card))</div>
    \(test)
    """
  }

  // MARK: The facts

  private var facts: [(title: String, text: HTML)] {
    var facts: [(title: String, text: HTML)] = [
      ("Audience", "\(review.audience): \(review.reach.words)")
    ]
    if !campaign.labels.isEmpty {
      facts.append(("Labels", "\(campaign.labels.joined(separator: ", "))"))
    }
    facts.append(("Holdout", "\(holdout)"))
    facts.append(("Schedule", schedule))
    facts.append(("Quiet hours", "\(quiet)"))
    facts.append(("Frequency caps", "\(caps)"))
    facts.append(("Test", "\(plan.testInWords)"))
    for goal in plan.goals {
      facts.append(
        ("Goal", "“\(goal.event)” within \(CampaignPeriod(goal.within).words) after the start"))
    }
    if let rate = plan.throttlePerSecond { facts.append(("Rate limit", "\(rate) per second")) }
    return facts
  }

  private var holdout: String {
    guard plan.obeysHoldout else { return "People of the holdout get it, too." }
    guard let holdout = review.holdout else { return "The app has none." }
    return "\(holdout.percent) % of the app's people are left out of campaigns."
  }

  private var quiet: String {
    let hours = plan.variants.lazy.compactMap {
      plan.limits.quietHours(for: $0.payload, of: review.limits)
    }.first
    guard let hours else { return "None: it is sent at any hour." }
    let span = "\(QuietHours.clock(hours.from)) to \(QuietHours.clock(hours.to))"
    return hours.otherwise == .wait
      ? "From \(span) on each device's clock it waits for their end."
      : "From \(span) on each device's clock it is not sent."
  }

  private var caps: String {
    guard !review.limits.caps.isEmpty else { return "The app has none." }
    guard plan.limits.capping.contains(.obeys) else {
      return "It is sent past the app's caps"
        + (plan.limits.capping.contains(.counts) ? ", and counts for them." : ".")
    }
    let rules = review.limits.caps.map { cap in
      let within = CampaignPeriod(cap.within).words
      return "\(cap.most) \(cap.most == 1 ? "push" : "pushes") in \(within)"
    }
    let capped = review.capped.map { " \(AudienceReach.devices($0)) had as many already." } ?? ""
    return "At most \(rules.joined(separator: ", ")).\(capped)"
  }

  private var schedule: HTML {
    if let schedule = plan.schedule { return "\(schedule.words)" }
    if plan.rule != nil { return "\(plan.triggerInWords)" }
    guard let at = plan.at else { return "when you start it" }
    return plan.isLocalTime
      ? "\(at.utcText.prefix(16)) in each device's local time" : .timeInWords(at)
  }

  private var division: HTML {
    let about = review.isExact ? "" : "about "
    func row(_ title: String, share: String, count: Int, gets what: String) -> HTML {
      """
      <tr><th scope="row">\(title)</th><td class="number">\(share)</td>\
      <td class="number">\(about)\(count)</td><td>\(what)</td></tr>

      """
    }
    var rows = review.variants.map {
      row(
        $0.plan.title, share: "\($0.plan.share) %", count: $0.devices,
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

  // MARK: The variants

  private func card(_ variant: CampaignReview.Variant) -> HTML {
    CampaignVariantCard(
      variant: variant.plan, path: path, version: campaign.version, samples: variant.samples,
      languages: variant.coverage.map { coverage in
        LanguageTexts(
          form: variant.form, coverage: coverage, group: variant.plan.title,
          isAbout: !review.isExact
        ).html
      }, warnings: ComposeView.remarks(variant.warnings)
    ).html
  }

  private var test: HTML? {
    guard request.may(.write) else { return nil }
    let variants = plan.variants.map { variant -> HTML in
      """
      <option value="\(variant.key)"\(" selected", if: variant.key == request.form["variant"])>\
      \(variant.title)</option>
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

  private var start: HTML {
    let isLater = plan.schedule != nil || plan.at.map { $0 > request.now } ?? false
    guard request.may(.write) else { return submissionText ?? "" }
    let canStart = review.obstacles.isEmpty && CampaignActions.mayStart(campaign, request)
    let button: HTML = """
      <button class="primary" name="action" value="start">\(isLater ? "Schedule" : "Start") campaign</button>
      """
    return """
      <form method="post" action="\(path)">\(request.session.tokenField)
      <input type="hidden" name="version" value="\(campaign.version)">
      \(submissionText)
      \(canStart && review.isForEveryone ? appName : nil)
      <div class="row">\(canStart ? button : nil)\(review.obstacles.isEmpty ? submission : nil)\
      <details class="ask"><summary class="button">Discard…</summary>
      <p>A discarded draft cannot be changed or started any more. It can be duplicated.</p>
      <button class="danger" name="action" value="discard">Discard campaign</button></details></div></form>
      """
  }

  private var submissionText: HTML? {
    guard let submission = campaign.currentSubmission else { return nil }
    let isOwn = submission.account == request.person?.id
    return """
      <p class="note">Submitted by \(isOwn ? "you" : submission.name), \(.time(submission.at)). \
      \("It waits for another person's approval.", if: !CampaignActions.mayStart(campaign, request))</p>
      """
  }

  /// The buttons that submit the draft to an approver, and that send it back.
  private var submission: HTML? {
    guard request.person != nil else { return nil }
    if campaign.currentSubmission != nil {
      return "<button name=\"action\" value=\"return\">Send back to draft</button>"
    }
    let kind: HTML = request.may(.send) ? "" : " class=\"primary\""
    return "<button\(kind) name=\"action\" value=\"submit\">Submit for approval</button>"
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
  var variant: CampaignPlan.Variant
  /// The path of the campaign's page.
  var path: String
  var version: Int
  var samples: [ComposeReview.Sample] = []
  /// The texts by language.
  var languages: HTML?
  var warnings: [HTML] = []

  var html: HTML {
    let payload = variant.payload.value
    let texts = [payload["title"], payload["alert"]].compactMap {
      $0?.string ?? $0?[TextLocale.fallback]?.string
    }
    let picture = "\(path)/variants/\(variant.key)/card.png?version=\(version)"
    let table = SampleTexts(
      samples: samples, hasSubtitle: payload["subtitle"] != nil, group: variant.title)
    return """
      <section class="card"><h3>\(variant.title)</h3>
      <picture><source media="(prefers-color-scheme: dark)" srcset="\(picture)&amp;dark=1">\
      <img class="shown" src="\(picture)" width="393" loading="lazy" \
      alt="\(variant.title): \(texts.joined(separator: ". "))"></picture>
      \(warnings)\(languages)\(table.html)</section>

      """
  }
}

extension CampaignPlan {
  /// What is tested, who decides and when, in one sentence.
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
