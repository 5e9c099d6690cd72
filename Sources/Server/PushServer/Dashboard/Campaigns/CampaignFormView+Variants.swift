import APNs
import Foundation
import Markup
import PushPayload

/// The card of the messages with their variants, each with its texts and its share.
extension CampaignFormView {
  var messages: HTML {
    let steps = form.steps
    let canAdd = steps.count < CampaignPlan.stepLimit
    return """
      <section class="card"><h2>Content</h2>
      <p class="help">Each person gets one variant, on all devices.\
      <span class="timed-only"> With a test, the shares divide the sample.</span></p>
      <fieldset class="switch"><legend>\(CampaignForm.Field.content.title)</legend>
      \(radio(.content, ComposeForm.Kind.push.rawValue, title: "A push"))\
      \(radio(.content, ComposeForm.Kind.message.rawValue, title: "An in-app message"))</fieldset>
      <p class="help message-only">It is in the inbox that the app shows, also where pushes are not allowed.</p>
      \(ComposeView.remarks(remarks, at: CampaignForm.Field.content.rawValue))
      <div class="push-only">\(PersonalizationMenu(attributes: choices.attributes).html)</div>
      \(steps.map { fields(of: $0, of: steps.count) })
      <div class="row triggered-only"><button id="step-add" name="action" value="step-add"\(" disabled", if: !canAdd)\
      \(" autofocus", if: focus == "step-add")>Add a message</button>
      <span class="help">At most \(CampaignPlan.stepLimit), which follow each other.</span></div>
      <div class="row"><button id="variant-even" name="action" value="variant-even"\
      \(" autofocus", if: focus == "variant-even")>Divide the shares evenly</button></div>
      \(line(.control, type: "number", more: " min=\"0\" max=\"99\"",
        help: "The part of the audience that gets nothing, so that the report can say what the campaign has changed. If empty, none."))
      </section>
      """
  }

  /// A message with the wait before it, and its variants.
  private func fields(of step: CampaignForm.StepForm, of count: Int) -> HTML {
    let number = step.number
    func name(_ part: String) -> String { CampaignForm.stepName(number, part) }
    let canAdd = step.variants.count < CampaignPlan.variantLimit
    let add = CampaignForm.addName(number)
    let title = count > 1 ? " of message \(number + 1)" : ""
    let amount = form.form[name("after")] ?? ""
    let units: [CampaignPeriod.Unit] = [.minutes, .hours, .days]
    let removal: HTML = """
      <p><button name="action" value="step-remove-\(number)">Remove message \(number + 1)</button></p>
      """
    return """
      <div class="step">\(count > 1 ? "<h3>Message \(number + 1)</h3>" : nil)<div class="triggered-only">
      \(period(
        name("after"), number == 0 ? "Wait after entering" : "Wait after message \(number)", unit: name("unit"),
        period: CampaignPeriod(amount: amount, unit: form.stepUnit(number)), units: units,
        help: number == 0 ? "If empty, the message is sent at once." : nil))
      \(hidden(name("kept")))</div>
      \(step.variants.map { fields(of: $0, canRemove: step.variants.count > 1) })
      <div class="row"><button id="\(add)" name="action" value="\(add)"\(" disabled", if: !canAdd)\
      \(" autofocus", if: focus == add)>Add a variant\(title)</button>
      <span class="help">At most \(CampaignPlan.variantLimit). The shares\(title) and the control add up to 100 %. \
      <span class="sum" role="status" hidden></span></span></div>
      \(ComposeView.remarks(remarks, at: add))
      \(count > 1 ? removal : nil)</div>

      """
  }

  private func fields(of variant: CampaignForm.VariantForm, canRemove: Bool) -> HTML {
    func name(_ part: String) -> String { CampaignForm.name(variant.index, part) }
    func line(_ field: ComposeField, help: String? = nil) -> HTML {
      self.line(name(field.rawValue), field.title, help: help)
    }
    let picture = picture(of: variant)
    return """
      <fieldset class="variant"><legend>\(variant.title)</legend>
      <input type="hidden" name="\(name("key"))" value="\(variant.key)">\(hidden(name("step")))\(hidden(name("kept")))
      <div class="\(picture == nil ? "" : "beside" as HTML)"><div>
      <div class="columns">
      <div>\(self.line(name("name"), "Name of the variant", help: "If empty, \(variant.title)."))</div>
      <div>\(self.line(name("share"), "Share (%)", type: "number", more: " min=\"1\" max=\"100\""))</div>
      </div>
      <div class="push-only">\(template(of: variant))</div>
      \(texts(of: variant))
      <div class="columns">
      <div>\(line(.link, help: "What a tap opens."))</div>
      <div>\(self.line(name("media"), "Media (URL)", type: "url"))
      <input type="file" name="\(name("file"))" aria-label="Upload media of \(variant.title)" \
      accept="image/jpeg,image/png,image/gif,video/mp4,audio/mpeg,audio/mp4,audio/wav,audio/aiff"></div>
      <div class="push-only">\(line(.alternativeText))</div>
      </div>
      <div class="push-only">\(options(of: variant))</div>
      <div class="message-only">\(period(
        name(CampaignForm.lifePart), "Visible for", unit: name(CampaignForm.lifeUnitPart),
        period: form.life(of: variant) ?? CampaignPeriod(amount: "", unit: form.lifeUnit(of: variant)),
        units: [.hours, .days], help: "How long inboxes show it. If empty, 90 days."))</div>
      \(kept(of: variant))
      \(canRemove ? remove(variant) : nil)
      </div>\(picture)</div>
      \(inboxes[variant.index])
      </fieldset>
      """
  }

  /// The texts of a variant, with a tab for each language.
  private func texts(of variant: CampaignForm.VariantForm) -> HTML {
    func name(_ field: ComposeField) -> String {
      CampaignForm.name(variant.index, field.rawValue)
    }
    let fallback: HTML = """
      \(line(name(.title), ComposeField.title.title, more: " dir=\"auto\""))
      <div class="push-only">\(line(name(.subtitle), ComposeField.subtitle.title, more: " dir=\"auto\""))</div>
      \(area(name(.text), ComposeField.text.title, help: nil))
      """
    return LanguageFieldsView(
      form: variant.compose, prefix: CampaignForm.name(variant.index, ""), fallback: fallback,
      remarks: remarks,
      coverage: locales.map { LanguageCoverage(variant.compose.languages, in: $0) }, focus: focus
    ).html
  }

  /// The fields of a variant that the page shows.
  private static let shown: Set<String> = Set(
    ([
      .title, .subtitle, .text, .link, .media, .alternativeText, .sound, .badge, .collapseKey,
      .interruptionLevel, .category, .more, .kind,
    ] as [ComposeField]).map(\.rawValue))

  private func options(of variant: CampaignForm.VariantForm) -> HTML {
    func name(_ field: ComposeField) -> String {
      CampaignForm.name(variant.index, field.rawValue)
    }
    let fields: [ComposeField] = [
      .sound, .badge, .collapseKey, .interruptionLevel, .category, .more,
    ]
    let places = Set(fields.map(name))
    let isOpen =
      fields.contains { !variant.compose[$0].isEmpty }
      || remarks.contains { $0.place.map(places.contains) == true }
    let levels =
      [("", "Default")]
      + APS.InterruptionLevel.all.map { ($0.rawValue, $0.rawValue.capitalized) }
    return """
      <details\(" open", if: isOpen)><summary>Delivery options of \(variant.title)</summary>
      <div class="columns">
      \(fields.dropLast().filter { $0 != .interruptionLevel }.map { field -> HTML in
        "<div>\(line(name(field), field.title))</div>"
      })
      <div>\(menu(name(.interruptionLevel), ComposeField.interruptionLevel.title, choices: levels))</div>
      </div>
      \(area(name(.more), ComposeField.more.title,
        help: "Further keys of the payload, as a JSON object."))
      </details>
      """
  }

  /// Hidden fields for the parts of a variant that the page does not show, such as buttons that the API has set.
  private func kept(of variant: CampaignForm.VariantForm) -> [HTML] {
    variant.compose.form.fields.filter {
      !Self.shown.contains($0.name) && !ComposeForm.isLanguagePart($0.name) && !$0.value.isEmpty
    }
    .map { field in
      """
      <input type="hidden" name="\(CampaignForm.name(variant.index, field.name))" value="\(field.value)">

      """
    }
  }

  private func remove(_ variant: CampaignForm.VariantForm) -> HTML {
    """
    <p><button name="action" value="variant-remove-\(variant.index)">Remove \(variant.title)</button></p>
    """
  }

  private func picture(of variant: CampaignForm.VariantForm) -> HTML? {
    guard let pair = pictures[variant.index] else { return nil }
    func data(_ jpeg: [UInt8]) -> String {
      "data:image/jpeg;base64," + Data(jpeg).base64EncodedString()
    }
    let texts = [variant.compose[.title], variant.compose[.text]].filter { !$0.isEmpty }
    return """
      <div><p class="budget">\(budgets[variant.index] ?? "")</p>
      <picture><source media="(prefers-color-scheme: dark)" srcset="\(data(pair.dark))">\
      <img class="shown" src="\(data(pair.light))" width="393" \
      alt="\(variant.title) as a phone shows it: \(texts.joined(separator: ". "))"></picture></div>
      """
  }
}
