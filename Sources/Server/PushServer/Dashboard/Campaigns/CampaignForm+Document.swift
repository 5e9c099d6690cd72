import PushModel
import PushPayload

extension CampaignForm {
  /// The form of a stored campaign.
  ///
  /// Members without a field, of the document and of its objects, go to hidden fields.
  init(_ campaign: Campaign, at now: Timestamp) throws(RequestError) {
    try self.init(Form())
    let plan = try CampaignPlan(stored: campaign.document, at: now)
    var rest = campaign.document.object ?? [:]
    self[.name] = campaign.name
    set(ComposeField.labels.rawValue, campaign.labels.joined(separator: ", "))
    fill(target: rest["to"] ?? .null)
    self[.sent] =
      (plan.rule != nil ? .triggered : plan.schedule != nil ? .recurring : Campaign.Kind.once)
      .rawValue
    self[.content] = (plan.isInApp ? ComposeForm.Kind.message : .push).rawValue
    if let at = plan.at { self[.scheduledAt] = at.inputValue }
    if plan.isLocalTime { self[.localTime] = "on" }
    if plan.isBestTime { self[.bestTime] = "on" }
    fillSchedule(plan.schedule)
    fillTrigger(plan.rule, campaign.document["when"])
    fill(plan.steps, of: campaign.document)
    if plan.control > 0 { self[.control] = String(plan.control) }
    self[.mode] = plan.test == nil ? "all" : "test"
    let test = plan.test
    self[.sample] = String(test?.sample ?? 20)
    self[.metric] = (test?.metric ?? .opens).rawValue
    self[.decide] = test != nil && test?.decideAfter == nil ? "hand" : "clock"
    let after = CampaignPeriod(test?.decideAfter ?? .seconds(4 * 3600))
    self[.decideAfter] = after.amount
    self[.decideUnit] = after.unit.rawValue
    self[.noWinner] = (test?.noWinner ?? .best).rawValue
    self[.holdout] = plan.obeysHoldout ? "obey" : "ignore"
    if let rate = plan.throttlePerSecond { self[.throttle] = String(rate) }
    fillLimits(rest["limits"]?.object ?? [:])
    for (row, goal) in plan.goals.enumerated() {
      let within = CampaignPeriod(goal.within)
      set(Self.goalName(row, "event"), goal.event)
      set(Self.goalName(row, "within"), within.amount)
      set(Self.goalName(row, "unit"), within.unit.rawValue)
    }
    for name in ["to", "variants", "steps"] { rest[name] = nil }
    for (name, members) in Self.objects {
      var left = rest[name]?.without(members)?.object ?? [:]
      for (inner, own) in Self.innerObjects where inner.0 == name {
        left[inner.1] = rest[name]?[inner.1]?.without(own)
      }
      rest[name] = left.isEmpty ? nil : .object(left)
    }
    let goals = (rest["goals"]?.array ?? []).compactMap { $0.without(["within"], but: "event") }
    rest["goals"] = goals.isEmpty ? nil : .array(goals)
    if !rest.isEmpty { set(Self.keptField, Self.text(rest)) }
  }

  /// The objects of a document, each with the members that have a field.
  private static let objects = [
    "when": ["at", "local_time", "best_time", "every", "from", "until", "missed"] + triggerMembers,
    "limits": ["per_second", "holdout", "quiet", "caps", "counts"],
    "test": ["sample", "metric", "decide_after", "no_winner"],
  ]
  /// The objects within ``objects``, each with the members that have a field.
  private static let innerObjects: [((String, String), [String])] = [
    (("when", "every"), ["unit", "days", "day", "time", "zone"]),
    (("limits", "quiet"), ["from", "to", "else"]),
  ]

  /// The members of the document for which the form has no field.
  var kept: [String: JSONValue] { Self.members(form[Self.keptField]) }

  /// Parses the JSON object in a hidden field; returns no members if the text is not a JSON object.
  static func members(_ text: String?) -> [String: JSONValue] {
    text.flatMap { try? JSONValue(parsing: $0) }?.object ?? [:]
  }

  static func text(_ members: [String: JSONValue]) -> String {
    String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
  }

  /// The members of a stored goal for which the form has no field.
  func keptMembers(ofGoal event: String) -> [String: JSONValue] {
    kept["goals"]?.array?.first { $0["event"]?.string == event }?.object ?? [:]
  }

  private mutating func fill(_ steps: [CampaignPlan.Step], of document: JSONValue) {
    set(Self.stepsField, String(steps.count))
    if document["steps"] != nil { set(Self.listedField, "on") }
    var index = 0
    for (number, step) in steps.enumerated() {
      let stored = document["steps"]?.array?[number]
      if let rest = stored?.without(["after", "variants"])?.object {
        set(Self.stepName(number, "kept"), Self.text(rest))
      }
      let after = CampaignPeriod(step.after)
      set(Self.stepName(number, "after"), step.after == .zero ? "" : after.amount)
      set(
        Self.stepName(number, "unit"),
        (step.after == .zero ? CampaignPeriod.Unit.hours : after.unit).rawValue)
      let variants = (stored ?? document)["variants"]?.array ?? []
      for variant in step.variants {
        append(Self.name(index, "step"), String(number))
        append(Self.name(index, "key"), variant.key)
        append(Self.name(index, "name"), variant.name ?? "")
        append(Self.name(index, "share"), String(variant.share))
        if let template = variant.template {
          append(Self.name(index, Self.storedPart), template)
        }
        let own = variants.first { $0["key"]?.string == variant.key }
        var rest =
          own?.without(["key", "share", "name", "payload", "template", "message"])?.object ?? [:]
        rest["message"] = Self.keptMembers(ofMessage: own?["message"])
        if !rest.isEmpty { append(Self.name(index, "kept"), Self.text(rest)) }
        if let message = variant.message?.written { fill(variant: index, from: message) }
        var compose = ComposeForm()
        compose.fill(fromPayload: variant.written.object ?? [:])
        for field in compose.form.fields { append(Self.name(index, field.name), field.value) }
        index += 1
      }
    }
    set("variants", String(index))
  }

  /// Fills the fields of the audience from a target, or a hidden field if the form cannot write the target.
  private mutating func fill(target: JSONValue) {
    var fields: [(name: String, value: String)] = []
    func canBeWritten() -> Bool {
      var copy = Form(fields)
      if copy["to"] == nil { copy.set("to", "*") }
      return ComposeForm(copy).target == (target["audience"] ?? target)
    }
    if let id = target.string ?? target["audience"]?.string {
      fields.append((ComposeField.to.rawValue, id))
    }
    for (place, part) in (target["any"]?.array ?? []).enumerated() {
      if let id = part.string {
        fields.append((place == 0 ? ComposeField.to.rawValue : ComposeForm.alsoField, id))
      } else if place == 0, let send = part["received"]?.string {
        fields.append((ComposeField.to.rawValue, ComposeForm.unopened(send)))
      }
    }
    for part in target["except"]?.array ?? [] {
      if let id = part.string {
        fields.append((ComposeForm.exceptField, id))
      } else if let send = part["received"]?.string {
        fields.append((ComposeForm.receivedField, send))
      }
    }
    guard canBeWritten() else {
      if let conditions = AudienceConditions(target: target) {
        append(ComposeField.to.rawValue, ComposeForm.conditionsChoice)
        set(conditions)
        return
      }
      append(ComposeField.to.rawValue, Self.keptTarget)
      append(Self.keptTargetField, String(decoding: target.serialized(), as: UTF8.self))
      return
    }
    if !fields.contains(where: { $0.name == ComposeField.to.rawValue }) {
      fields.append((ComposeField.to.rawValue, "*"))
    }
    for field in fields { append(field.name, field.value) }
  }
}

extension JSONValue {
  /// The object without some of its members; `nil` if nothing is left apart from `key`.
  func without(_ members: [String], but key: String? = nil) -> JSONValue? {
    guard var object else { return nil }
    for member in members { object[member] = nil }
    let isEmpty = object.keys.allSatisfy { $0 == key }
    return isEmpty ? nil : .object(object)
  }
}
