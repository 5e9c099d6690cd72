import PushPayload
import PushStore

extension CampaignForm {
  /// The form of a stored campaign.
  ///
  /// Members of the document and of its objects without a field are kept beside the fields, and so is the
  /// schedule of a recurring campaign.
  init(_ campaign: Campaign, at now: Timestamp) throws(APIError) {
    self.init(Form())
    let plan = try CampaignPlan(stored: campaign.document, at: now)
    var rest = campaign.document.object ?? [:]
    self[.name] = campaign.name
    set(ComposeField.labels.rawValue, campaign.labels.joined(separator: ", "))
    fill(target: rest["to"] ?? .null)
    if let at = plan.at { self[.scheduledAt] = at.inputValue }
    if plan.isLocalTime { self[.localTime] = "on" }
    fill(plan.variants)
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
    for (row, goal) in plan.goals.enumerated() {
      let within = CampaignPeriod(goal.within)
      set(Self.goalName(row, "event"), goal.event)
      set(Self.goalName(row, "within"), within.amount)
      set(Self.goalName(row, "unit"), within.unit.rawValue)
    }
    rest["to"] = nil
    for (name, members) in Self.objects {
      let isSchedule = name == "when" && plan.schedule != nil
      rest[name] = isSchedule ? rest[name] : rest[name]?.without(members)
    }
    for (name, members) in Self.lists {
      let elements = (rest[name]?.array ?? []).compactMap {
        $0.without(members.own, but: members.key)
      }
      rest[name] = elements.isEmpty ? nil : .array(elements)
    }
    if !rest.isEmpty {
      set(Self.keptField, String(decoding: JSONValue.object(rest).serialized(), as: UTF8.self))
    }
  }

  /// The objects of a document with their members that have a field.
  private static let objects = [
    "when": ["at", "local_time"], "limits": ["per_second", "holdout"],
    "test": ["sample", "metric", "decide_after", "no_winner"],
  ]
  /// The lists of a document, of which each element has a key, with their other members that have a field.
  private static let lists = [
    "variants": (key: "key", own: ["share", "name", "payload", "template"]),
    "goals": (key: "event", own: ["within"]),
  ]

  /// What is kept beside the fields.
  var kept: [String: JSONValue] {
    form[Self.keptField].flatMap { try? JSONValue(parsing: $0) }?.object ?? [:]
  }

  /// The schedule of a recurring campaign, which the form keeps as it is; `nil` for any other one.
  var keptSchedule: CampaignSchedule? {
    kept["when"].flatMap { $0["every"] == nil ? nil : try? CampaignSchedule(BodyValue($0)) }
  }

  /// The members of a list's element that are kept.
  func keptMembers(of list: String, _ key: String) -> [String: JSONValue] {
    let name = Self.lists[list]?.key ?? ""
    return kept[list]?.array?.first { $0[name]?.string == key }?.object ?? [:]
  }

  private mutating func fill(_ variants: [CampaignPlan.Variant]) {
    set("variants", String(variants.count))
    for (index, variant) in variants.enumerated() {
      append(Self.name(index, "key"), variant.key)
      append(Self.name(index, "name"), variant.name ?? "")
      append(Self.name(index, "share"), String(variant.share))
      if let template = variant.template {
        append(Self.name(index, Self.storedPart), template)
      }
      var compose = ComposeForm()
      compose.fill(fromPayload: variant.written.object ?? [:])
      for field in compose.form.fields { append(Self.name(index, field.name), field.value) }
    }
  }

  /// Chooses the audience of a target; one that the form cannot write is kept as it is.
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
  /// The object without some of its members; `nil` where nothing is left, apart from a key that is needed.
  fileprivate func without(_ members: [String], but key: String? = nil) -> JSONValue? {
    guard var object else { return nil }
    for member in members { object[member] = nil }
    let isEmpty = object.keys.allSatisfy { $0 == key }
    return isEmpty ? nil : .object(object)
  }
}
