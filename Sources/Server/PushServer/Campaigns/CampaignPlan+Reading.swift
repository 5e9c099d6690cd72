import PushModel
import PushPayload

extension CampaignPlan {
  /// Reads the steps of a triggered campaign, or the variants of any other as its only step.
  static func steps(
    _ field: BodyValue, _ rule: TriggerRule?, adding utm: LinkParameters?,
    composedAt now: Timestamp?
  ) throws(RequestError) -> [Step] {
    guard let list = field["steps"] else {
      let (variants, control) = try variants(
        try field.required("variants"), adding: utm, composedAt: now)
      return [Step(after: rule?.after ?? .zero, variants: variants, control: control)]
    }
    guard let rule else { throw .refused(list.path, "must be only in a triggered campaign") }
    if let other = field["variants"] {
      throw .refused(other.path, "must not be with steps, each of which has its own")
    }
    guard rule.after == .zero else {
      throw .refused(field.path(to: "when") + ".after", "must be in the first step")
    }
    let elements = try list.elements(upTo: stepLimit, of: "steps")
    guard !elements.isEmpty else { throw .refused(list.path, "must have a step at least") }
    var steps: [Step] = []
    for element in elements {
      let after = try element["after"].map { value throws(RequestError) in try value.duration() }
      guard let wait = after ?? (steps.isEmpty ? .zero : nil) else {
        throw .missing(element.path(to: "after"))
      }
      let (variants, control) = try variants(
        try element.required("variants"), adding: utm, composedAt: now)
      if let first = steps.first, first.control != control {
        throw .refused(
          element.path(to: "variants"),
          "must have the control of the first step, of the same share: people stay in it")
      }
      steps.append(Step(after: wait, variants: variants, control: control))
    }
    return steps
  }

  static func variants(
    _ field: BodyValue, adding utm: LinkParameters?, composedAt now: Timestamp?
  ) throws(RequestError) -> (variants: [Variant], control: Int) {
    let elements = try field.elements()
    guard (1...variantLimit + 1).contains(elements.count) else {
      throw .refused(field.path, "must have 1 to \(variantLimit) variants, and one for the control")
    }
    var variants: [Variant] = []
    var (control, total) = (0, 0)
    var keys: Set<String> = []
    for element in elements {
      let key = try element.required("key")
      let text = try key.string()
      guard text.wholeMatch(of: /[a-z0-9_-]{1,32}/) != nil else {
        throw .refused(key.path, "must be 1 to 32 of a-z, 0-9, _ and -")
      }
      guard keys.insert(text).inserted else { throw .refused(key.path, "is a key of two variants") }
      let share = Int(
        try element["share"]?.integer(in: 1...100) ?? (elements.count == 1 ? 100 : 0))
      guard share > 0 else { throw .missing(element.path(to: "share")) }
      total += share
      if text == controlKey {
        if let content = element["payload"] ?? element["template"] ?? element["message"] {
          throw .refused(content.path, "must not be: the control is sent nothing")
        }
        control = share
        continue
      }
      let isForced = try element["force"]?.bool() ?? false
      variants.append(
        Variant(
          key: text,
          name: try element["name"].map { value throws(RequestError) in try SendNaming.name(value)
          },
          share: share,
          content: try content(of: element, adding: utm, isForced: isForced, composedAt: now),
          isForced: isForced,
          template: element["template"]?.value.string))
    }
    guard total == 100 else {
      throw .refused(field.path, "have shares of \(total) together, and must have 100")
    }
    guard !variants.isEmpty else { throw .refused(field.path, "must have one beside the control") }
    guard variants.count <= variantLimit else {
      throw .refused(field.path, "must have at most \(variantLimit) beside the control")
    }
    return (variants, control)
  }

  private static func content(
    of element: BodyValue, adding utm: LinkParameters?, isForced: Bool, composedAt now: Timestamp?
  ) throws(RequestError) -> Content {
    if let message = element["message"] {
      if let other = element["template"] ?? element["payload"] {
        throw .refused(other.path, "must not be with a message, which takes its place")
      }
      return .message(try CampaignMessage(message, adding: utm))
    }
    let written = try element.required("payload")
    let payload = try utm?.added(to: written) ?? written
    if let now { try payload.judged(at: now, isForced: isForced) }
    return .push(payload, written: written.value)
  }

  static func goals(_ field: BodyValue) throws(RequestError) -> [Goal] {
    let elements = try field.elements()
    guard elements.count <= goalLimit else {
      throw .refused(field.path, "must have at most \(goalLimit) goals")
    }
    var goals: [Goal] = []
    for element in elements {
      let event = try element.required("event")
      let name = try event.string()
      guard Attribute.isName(name) else {
        throw .refused(event.path, "must be the name of an event")
      }
      guard !goals.contains(where: { $0.event == name }) else {
        throw .refused(event.path, "must differ from the events of the other goals")
      }
      let within = try element["within"].map { value throws(RequestError) in try value.duration() }
      goals.append(Goal(event: name, within: within ?? .seconds(3 * 24 * 3600)))
    }
    return goals
  }
}
