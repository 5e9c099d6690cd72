import Foundation
import Markup
import PushModel
import PushPayload

/// The page that shows the whole send, and asks for confirmation.
struct ReviewView {
  var form: ComposeForm
  var request: PageRequest
  var review: ComposeReview
  var problem: String?

  private var preview: ComposePreview { review.preview }

  var html: HTML {
    """
    <h1>\(heading)</h1>
    \(steps)
    \(problem.map { HTML.problem($0, at: "confirm") })
    <div class="beside">
    <div>
    <section class="card"><dl class="facts sent">
    \(facts.map { "<dt>\($0.title)</dt><dd>\($0.text)</dd>\n" as HTML })</dl>
    \(review.recipients == 0 ? nobody : nil)
    \(ComposeView.remarks(preview.warnings))
    \(confirmation)
    </section>
    \(languages)
    \(samples)
    \(payload)
    </div>
    \(picture)
    </div>
    """
  }

  /// The steps, which lead back to the form.
  private var steps: HTML {
    var steps = preview.steps(review: nil)
    steps.back = (form: Self.formID, path: request.path(.compose))
    return steps.html
  }

  private var heading: String {
    guard review.recipients > 0 else { return "There is no device to send to" }
    return "Send to \(review.recipients) \(review.recipients == 1 ? "device" : "devices")?"
  }

  private var nobody: HTML {
    """
    <p class="finding warning">Nothing can be sent: no device of this audience \
    \(form.kind == .push ? "can receive pushes" : "has the app").</p>
    """
  }

  // MARK: The facts

  private var facts: [(title: String, text: HTML)] {
    var facts: [(title: String, text: HTML)] = [("Audience", audience)]
    if form.languages.isEmpty, let notice = review.coverage?.notice() {
      facts.append(("Languages", notice))
    }
    if let replaced = review.replaced {
      facts.append(("Replaces", "the scheduled send “\(replaced.summary)”, which is canceled"))
    }
    facts.append((ComposeField.kind.title, "\(form.kind.title)"))
    facts.append(("Schedule", schedule))
    if form.kind != .message, let rate { facts.append(("Rate limit", "\(rate)")) }
    facts += times
    facts += content
    if form.kind == .push { facts += values(of: [.sendName, .labels]) }
    if form.kind != .message { facts.append(("Size", "\(preview.budget)")) }
    return facts
  }

  private var audience: HTML {
    guard form.kind != .message else {
      return "\(review.audience): \(Self.devices(review.reach.targeted))"
    }
    return "\(review.audience): \(review.reach.words)"
  }

  private static func devices(_ count: Int) -> String { AudienceReach.devices(count) }

  private var schedule: HTML {
    guard let due = review.due.first, let last = review.due.last, isLater else { return "now" }
    guard !form[.localTime].isEmpty, form.kind != .message else { return .timeInWords(due.time) }
    let wall = form[.scheduledAt].replacing("T", with: " ")
    let late = review.due.filter { $0.time <= request.now }.reduce(0) { $0 + $1.devices }
    return """
      \(wall) in each device's local time: from \(.timeInWords(max(due.time, request.now))) to \
      \(.timeInWords(max(last.time, request.now))).\
      \(" \(Self.devices(late)) whose clocks are past that time get it at once.", if: late > 0)
      """
  }

  /// Whether the send reaches any device later than now.
  private var isLater: Bool { review.due.contains { $0.time > request.now } }

  private var rate: String? {
    guard let rate = review.rate else { return nil }
    let origin = form[.throttle].isEmpty ? " (the app's limit)" : ""
    let seconds = (review.reach.reached + rate - 1) / rate
    let time =
      switch seconds {
      case ..<120: "\(seconds) s"
      case ..<7200: "\(seconds / 60) minutes"
      default: "\(seconds / 3600) hours"
      }
    return "\(rate) per second\(origin): the send takes about \(time)"
  }

  private var times: [(title: String, text: HTML)] {
    let fields: [ComposeField] = form.kind == .message ? [.unpublishAt] : [.expiresAt]
    return (form.kind == .both ? [.expiresAt, .unpublishAt] : fields).compactMap { field in
      guard !form[field].isEmpty else { return nil }
      let text = form.time(form[field], offset: form.form[field.rawValue + "_offset"])
      return (field.title, Timestamp(iso8601: text).map(HTML.timeInWords) ?? "\(text)")
    }
  }

  /// The fields that are filled in, in the order of the form.
  private var content: [(title: String, text: HTML)] {
    var fields: [ComposeField] = [.title, .text]
    if form.kind != .message { fields.insert(.subtitle, at: 1) }
    if form.kind != .push { fields.append(.messageText) }
    fields += [.link, .media]
    var facts = values(of: fields)
    guard form.kind != .message else { return facts + custom }
    facts += values(of: [.alternativeText])
    facts += templateFacts
    for (row, button) in form.buttonRows.enumerated() where !button.isEmpty {
      let options = ComposeButton.options.filter { button.options.contains($0.0) }.map(\.1)
      let parts = [button.title, button.url, button.id] + (form.template == nil ? options : [])
      facts.append(
        ("Button \(row + 1)", "\(parts.filter { !$0.isEmpty }.joined(separator: " · "))"))
    }
    facts += values(of: [
      .category, .sound, .badge, .collapseKey, .interruptionLevel, .relevance,
    ])
    if !form[.shorten].isEmpty { facts.append((ComposeField.shorten.title, "yes")) }
    return facts + custom + values(of: [.more])
  }

  private func values(of fields: [ComposeField]) -> [(title: String, text: HTML)] {
    fields.filter { !form[$0].isEmpty }.map { field in
      (field == .media ? "Media" : field.title, "\(form[field])")
    }
  }

  private var templateFacts: [(title: String, text: HTML)] {
    guard let template = form.template else { return [] }
    let pages = form.filledPages.count
    var facts: [(title: String, text: HTML)] = [
      (
        "Expanded",
        "\(template.title)\(pages == 0 ? "" : ", \(pages) \(pages == 1 ? "page" : "pages")")"
      )
    ]
    let fields: [(TemplateField, Int?)] =
      template.fields.map { ($0, nil) }
      + form.filledPages.flatMap { page in template.pageFields.map { ($0, page) } }
    for (field, page) in fields {
      guard let value = form.form[field.name(inPage: page)] else { continue }
      facts.append((field.title(inPage: page), "\(value)"))
    }
    return facts
  }

  private var custom: [(title: String, text: HTML)] {
    form.pairs.map { ("Custom data: \($0.key)", "\($0.value)") }
  }

  // MARK: Texts and pictures

  private var languages: HTML? {
    guard !form.languages.isEmpty else { return nil }
    return review.coverage.map { LanguageTexts(form: form, coverage: $0).html }
  }

  private var samples: HTML? {
    SampleTexts(samples: review.samples, hasSubtitle: !form[.subtitle].isEmpty).html
  }

  private var payload: HTML? {
    review.shown.payload.map { payload in
      let text = String(decoding: payload.serialized(), as: UTF8.self)
      return """
        <details><summary>Payload</summary><pre tabindex="0"><code>\(text)</code></pre></details>
        """
    }
  }

  private var hasPicture: Bool { review.card != nil }

  private var picture: HTML? {
    guard let card = review.card else { return nil }
    return """
      <section class="preview" aria-labelledby="preview-title"><h2 id="preview-title">Preview</h2>
      <div class="columns">\(review.shown.choice.menus(of: Self.formID))</div>
      <p><button form="\(Self.formID)" name="action" value="review">Show</button></p>
      <p class="help">\(review.shown.choice.caption(hasTemplate: review.shown.hasTemplate))</p>
      <img class="shown" src="\(PreviewPane.data(card))" width="393" alt="\(review.shown.spoken)">
      </section>
      """
  }

  // MARK: Confirmation

  private static let formID = "send"

  private var confirmation: HTML {
    // The menus beside the picture replace the hidden fields of the choice.
    let own =
      ["token", "action", "once", "confirm", "part"] + (hasPicture ? CardChoice.fields : [])
    let fields = form.form.fields.filter { !own.contains($0.name) }
    return """
      <form method="post" action="\(request.path(.compose))" id="\(Self.formID)">
      \(request.session.tokenField)
      \(fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n" as HTML })
      <input type="hidden" name="once" value="\(request.form["once"] ?? Identifiers.makeObjectID())">
      \(review.recipients > 0 ? appName : nil)
      <div class="row">
      \(buttons)
      </div>
      </form>
      """
  }

  /// The send button comes first, because Enter presses the first button of a form.
  private var buttons: HTML {
    let verb = isLater ? "Schedule" : "Send now"
    let send: HTML = "<button class=\"primary\" name=\"action\" value=\"send\">\(verb)</button>"
    let back: HTML = "<button name=\"action\" value=\"preview\">Back to editing</button>"
    return review.recipients > 0 ? "\(send)\n\(back)" : back
  }

  private var appName: HTML? {
    guard form.isForEveryone else { return nil }
    return """
      <label for="confirm">This sends to all devices. Type <strong>\(request.app.name)</strong> to \
      confirm</label>
      <input id="confirm" name="confirm" value="\(request.form["confirm"] ?? "")" autocomplete="off" \
      autocapitalize="none" spellcheck="false"\(" aria-invalid=\"true\"", if: problem != nil)>
      """
  }
}
