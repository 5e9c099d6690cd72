import Markup
import PushModel
import PushPayload

/// The step of the messages with their variants, each with its texts and its share.
extension CampaignFormView {
  var messages: HTML {
    let steps = form.steps
    return """
      <section class="card" id="\(StepList.Step.message.id)" tabindex="-1"><h2 class="beside-next">Message</h2>
      <div class="columns">
      <fieldset class="switch"><legend class="hidden">\(CampaignForm.Field.content.title)</legend>
      \(radio(.content, ComposeForm.Kind.push.rawValue, title: "A push"))\
      \(radio(.content, ComposeForm.Kind.message.rawValue, title: "An in-app message"))</fieldset>
      <div class="push-only">\(PersonalizationMenu(attributes: choices.attributes).html)</div></div>
      <p class="help message-only">It is in the inbox that the app shows, also where pushes are not allowed.</p>
      \(fields.remarks(at: CampaignForm.Field.content.rawValue))
      <div class="step-list">\(steps.map { messageFields(of: $0, of: steps.count) })</div>
      <div class="after-steps">\(steps.count > 1 ? furtherButtons(after: steps.count) : nil)\(test)</div>
      </section>
      """
  }

  /// The buttons that add a message to the last one, and that divide the shares of all messages.
  private func furtherButtons(after count: Int) -> HTML {
    """
    <button id="variant-even" class="small" name="action" value="variant-even"\(fields.autofocus("variant-even"))>Divide the \
    shares evenly</button>
    <button id="step-add" class="small triggered-only" name="action" value="step-add"\
    \(" disabled", if: count >= CampaignPlan.stepLimit)\(fields.autofocus("step-add"))>Add a message</button>
    """
  }

  /// A message with the wait before it, and its variants.
  private func messageFields(of step: CampaignForm.StepForm, of count: Int) -> HTML {
    let number = step.number
    func name(_ part: String) -> String { CampaignForm.stepName(number, part) }
    let canAdd = step.variants.count < CampaignPlan.variantLimit
    let add = CampaignForm.addName(number)
    let title = count > 1 ? " of message \(number + 1)" : ""
    let amount = form.form[name("after")] ?? ""
    let units: [CampaignPeriod.Unit] = [.minutes, .hours, .days]
    let removal: HTML = """
      <button class="small" name="action" value="step-remove-\(number)">Remove message \(number + 1)</button>
      """
    return """
      <div class="step">\(count > 1 ? "<h3>Message \(number + 1)</h3>" : nil)<div class="triggered-only">
      \(period(
        name("after"), waitTitle(of: step, of: count),
        unit: name("unit"), period: CampaignPeriod(amount: amount, unit: form.stepUnit(number)), units: units))
      \(hidden(name("kept")))</div>
      <div class="variants">\(step.variants.map { variantFields(of: $0, canRemove: step.variants.count > 1) })</div>
      <div class="row"><button id="\(add)" class="small" name="action" value="\(add)"\(" disabled", if: !canAdd)\
      \(fields.autofocus(add))>Add a variant\(title)</button>\(count > 1 ? removal : nil)\
      \(count == 1 ? furtherButtons(after: count) : nil)
      <span class="help">Shares and control make 100 %. <span class="sum" role="status" hidden></span></span></div>
      \(fields.remarks(at: add))</div>

      """
  }

  private func waitTitle(of step: CampaignForm.StepForm, of count: Int) -> String {
    guard step.number > 0 else {
      return "\(count > 1 ? "Message 1, wait" : "Wait") after entering, if any"
    }
    return "Message \(step.number + 1), wait after message \(step.number)"
  }

  private func variantFields(of variant: CampaignForm.VariantForm, canRemove: Bool) -> HTML {
    func name(_ part: String) -> String { CampaignForm.name(variant.index, part) }
    let own = MessageFields(
      form: variant.compose,
      fields: FormFields(
        form: variant.compose.form, remarks: remarks, prefix: name(""), focus: focus),
      variant: variant.title,
      coverage: locales.map { LanguageCoverage(variant.compose.languages, in: $0) })
    return """
      <fieldset class="variant" data-variant="\(variant.index)"><legend>\(variant.title)</legend>
      <input type="hidden" name="\(name("key"))" value="\(variant.key)">\(hidden(name("step")))\(hidden(name("kept")))
      <div class="columns">
      <div>\(fields.line(name("name"), "Name of the variant", more: " placeholder=\"\(variant.title)\""))</div>
      <div>\(fields.line(name("share"), "Share (%)", type: "number", more: " min=\"1\" max=\"100\""))</div>
      </div>
      <div class="push-only">\(template(of: variant))</div>
      <div class="texts">\(own.texts)</div>
      <div class="message-only">\(period(
        name(CampaignForm.lifePart), "Visible for", unit: name(CampaignForm.lifeUnitPart),
        period: form.life(of: variant) ?? CampaignPeriod(amount: "", unit: form.lifeUnit(of: variant)),
        units: [.hours, .days], help: "How long inboxes show it. If empty, 90 days."))</div>
      \(own.options)
      \(own.advanced)
      \(canRemove ? remove(variant) : nil)
      </fieldset>
      """
  }

  private func remove(_ variant: CampaignForm.VariantForm) -> HTML {
    """
    <p class="corner"><button class="small" name="action" value="variant-remove-\(variant.index)">Remove \(variant.title)</button></p>
    """
  }
}
