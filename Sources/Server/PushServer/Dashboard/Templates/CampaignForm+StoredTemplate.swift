import Markup
import PushModel
import PushPayload

/// Templates in the form of a campaign, whose variants name a template's version as long as they have its message.
extension CampaignForm {
  /// The parts of a variant's fields for the version of its template, and for the chosen template.
  static let storedPart = "stored"
  static let choicePart = "choice"

  /// The number of the variant that a button fills from the chosen template: `v0_use`.
  static func variant(filledBy action: String) -> Int? {
    part(ofField: action).flatMap { $0.part == "use" ? $0.index : nil }
  }

  /// Replaces the message of a variant with that of a template.
  mutating func fill(variant index: Int, from template: StoredTemplate) {
    removeFields {
      Self.part(ofField: $0).map { $0.index == index && !Self.ownParts.contains($0.part) } ?? false
    }
    for field in ComposeForm(template).form.fields {
      append(Self.name(index, field.name), field.value)
    }
    set(Self.name(index, Self.storedPart), template.reference)
    set(Self.name(index, Self.choicePart), nil)
  }

  /// The form without the template of each variant whose message was changed.
  func withoutChangedTemplates(_ request: PageRequest) async throws -> CampaignForm {
    var form = self
    for variant in variants where !variant.stored.isEmpty {
      var isWhole = false
      if let reference = TemplateReference(variant.stored), let version = reference.version,
        let template = try await request.router.store.template(
          reference.name, version: version, app: request.app.id),
        let written = try? variant.compose.payload()
      {
        isWhole = try ComposeForm(template).payload() == written
      }
      if !isWhole { form.set(Self.name(variant.index, Self.storedPart), "") }
    }
    return form
  }
}

extension CampaignFormView {
  /// The template of a variant, and the menu to choose one.
  func template(of variant: CampaignForm.VariantForm) -> HTML? {
    let stored = CampaignForm.name(variant.index, CampaignForm.storedPart)
    let own: HTML? =
      variant.stored.isEmpty
      ? nil
      : """
      <input type="hidden" name="\(stored)" value="\(variant.stored)">
      <p class="help">The message is that of the template \(variant.stored). If you change it, it becomes one of this \
      campaign alone.</p>
      """
    guard !templates.isEmpty else { return own }
    let choice = CampaignForm.name(variant.index, CampaignForm.choicePart)
    let choices = templates.map { template -> HTML in
      "<option value=\"\(template.name)\">\(template.name), version \(template.version)</option>"
    }
    return """
      \(own)<div class="row"><label for="\(choice)">Template</label>
      <select id="\(choice)" name="\(choice)"><option value="">none</option>\(choices)</select>
      <button name="action" value="\(CampaignForm.name(variant.index, "use"))" \
      aria-label="Use this template for \(variant.title)">Use</button></div>
      """
  }
}
