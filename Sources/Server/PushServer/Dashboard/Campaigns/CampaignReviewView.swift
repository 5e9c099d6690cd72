import Markup
import PushModel
import PushPayload

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

  var path: String { CampaignPages.path(of: campaign, request) }

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

  // MARK: The variants

  private func card(_ variant: CampaignReview.Variant) -> HTML {
    CampaignVariantCard(
      message: variant.message, path: path, version: campaign.version, samples: variant.samples,
      languages: variant.coverage.flatMap { coverage in
        guard !variant.form.languages.isEmpty else {
          return coverage.notice(isAbout: !review.isExact).map { "<p>\($0)</p>" }
        }
        return LanguageTexts(
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
