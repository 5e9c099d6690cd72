import PushModel
import PushPayload

/// The template of a campaign's variant: `welcome@3`, or `welcome` for the newest version.
///
/// It is replaced by the template's payload when the campaign is saved. So a later save of the template does not
/// change what was reviewed and approved.
struct TemplateReference: Hashable, Sendable {
  var name: String
  var version: Int?

  init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, StoredTemplate.isName(String(first)) else { return nil }
    name = String(first)
    guard parts.count == 2 else { return }
    guard parts[1].utf8.count <= 9, let version = Int(parts[1]), version > 0 else { return nil }
    self.version = version
  }

  /// Adds the payloads of templates to the variants of a campaign that name a template.
  ///
  /// A stored variant then has both members, and a request may send both back.
  static func resolve(
    in field: BodyValue, app: String, _ store: any PushStore
  ) async throws -> BodyValue {
    guard var document = field.value.object else { return field }
    if let list = field["variants"], list.value.array != nil {
      document["variants"] = try await variants(list, app: app, store)
    }
    if let list = field["steps"], list.value.array != nil {
      var steps: [JSONValue] = []
      for step in try list.elements(upTo: CampaignPlan.stepLimit, of: "steps") {
        var members = step.value.object
        if let own = step["variants"], own.value.array != nil {
          members?["variants"] = try await variants(own, app: app, store)
        }
        steps.append(members.map(JSONValue.object) ?? step.value)
      }
      document["steps"] = .array(steps)
    }
    return BodyValue(.object(document), at: field.path)
  }

  private static func variants(
    _ list: BodyValue, app: String, _ store: any PushStore
  ) async throws -> JSONValue {
    // The plan refuses a list that is too long, so its templates are not read.
    guard let count = list.value.array?.count, count <= CampaignPlan.variantLimit + 1 else {
      return list.value
    }
    var variants: [JSONValue] = []
    for element in try list.elements() {
      guard var members = element.value.object, let field = element["template"] else {
        variants.append(element.value)
        continue
      }
      if let message = element["message"] {
        throw RequestError.refused(
          message.path, "must not be with a template, which has a payload in its place")
      }
      let template = try await template(field, app: app, store)
      if let payload = element["payload"], payload.value != template.payload {
        throw RequestError.refused(
          payload.path, "differs from the template \(template.reference); leave one of them out")
      }
      members["template"] = .string(template.reference)
      members["payload"] = template.payload
      variants.append(.object(members))
    }
    return .array(variants)
  }

  private static func template(
    _ field: BodyValue, app: String, _ store: any PushStore
  ) async throws -> StoredTemplate {
    guard let reference = TemplateReference(try field.string()) else {
      throw RequestError.refused(
        field.path, "must be the name of a template, or one with its version such as welcome@3")
    }
    let template =
      if let version = reference.version {
        try await store.template(reference.name, version: version, app: app)
      } else {
        try await store.template(reference.name, app: app)
      }
    guard let template else {
      throw RequestError.notFound(
        "template \(reference.name)" + (reference.version.map { "@\($0)" } ?? ""))
    }
    return template
  }
}
