import PushPayload
import PushStore

/// The form of a campaign of the kind `once`, and the document that it makes.
///
/// The texts of each variant are those of a ``ComposeForm``, whose fields have the variant's number before their names.
struct CampaignForm: Sendable {
  /// The fields beside those of the audience and of the variants.
  enum Field: String, CaseIterable, Sendable {
    case name, control, mode, sample, metric, decide, holdout, throttle
    case decideAfter = "decide_after"
    case decideUnit = "decide_unit"
    case noWinner = "no_winner"
    case scheduledAt = "scheduled_at"
    case localTime = "local_time"

    /// The label of the field, by which messages call it too.
    var title: String {
      switch self {
      case .name: "Name"
      case .control: "Control (%)"
      case .mode: "How it is sent"
      case .sample: "Sample (%)"
      case .metric: "What decides"
      case .decide: "Who decides"
      case .decideAfter: "Decide after"
      case .decideUnit: "Unit"
      case .noWinner: "If no variant is clearly better"
      case .holdout: "Holdout"
      case .scheduledAt: ComposeField.scheduledAt.title
      case .localTime: ComposeField.localTime.title
      case .throttle: ComposeField.throttle.title
      }
    }
  }

  /// The field with the members of the document for which the form has no field.
  static let keptField = "kept"
  /// The field with a target that the form cannot write, and the choice of it in the menu of audiences.
  static let keptTargetField = "kept_to"
  static let keptTarget = "kept"

  private(set) var form: Form

  init(_ form: Form) { self.form = form }

  /// A form with two variants, of which a sample decides.
  init() {
    form = Form()
    form.set("variants", "2")
    for (index, key) in ["a", "b"].enumerated() {
      form.set(Self.name(index, "key"), key)
      form.set(Self.name(index, "share"), "50")
    }
    let values: [(Field, String)] = [
      (.mode, "test"), (.sample, "20"), (.metric, "opens"), (.decide, "clock"),
      (.decideAfter, "4"), (.decideUnit, CampaignPeriod.Unit.hours.rawValue),
      (.noWinner, "best"), (.holdout, "obey"),
    ]
    for (field, value) in values { self[field] = value }
  }

  subscript(field: Field) -> String {
    get { form[field.rawValue] ?? "" }
    set { form.set(field.rawValue, newValue) }
  }

  mutating func set(_ name: String, _ value: String?) { form.set(name, value) }

  mutating func append(_ name: String, _ value: String) { form.append(name, value) }

  mutating func removeFields(where isRemoved: (String) -> Bool) {
    form = Form(form.fields.filter { !isRemoved($0.name) })
  }

  /// The form of the composer with the audience, the labels and the schedule, which have the same names there.
  var compose: ComposeForm { ComposeForm(form) }

  var isTested: Bool { self[.mode] == "test" }
  var isDecidedByClock: Bool { self[.decide] != "hand" }

  /// The target as the document has it.
  var target: JSONValue {
    guard form["to"] == Self.keptTarget, let text = form[Self.keptTargetField] else {
      return compose.target
    }
    return (try? JSONValue(parsing: text)) ?? .null
  }

  // MARK: Goals

  /// A row of the form for a goal.
  struct GoalRow: Sendable {
    var event: String
    var within: CampaignPeriod
  }

  static func goalName(_ row: Int, _ part: String) -> String { "goal\(row)_\(part)" }

  /// The rows with a goal, and one more as long as another goal is allowed.
  var goalRows: [GoalRow] {
    let rows = (0..<CampaignPlan.goalLimit).map { row in
      GoalRow(
        event: form[Self.goalName(row, "event")] ?? "",
        within: CampaignPeriod(
          amount: form[Self.goalName(row, "within")] ?? "3",
          unit: CampaignPeriod.Unit(rawValue: form[Self.goalName(row, "unit")] ?? "") ?? .days))
    }
    let filled = (rows.lastIndex { !$0.event.isEmpty } ?? -1) + 1
    return Array(rows.prefix(filled + 1))
  }

  var decideAfter: CampaignPeriod {
    CampaignPeriod(
      amount: self[.decideAfter],
      unit: CampaignPeriod.Unit(rawValue: self[.decideUnit]) ?? .hours)
  }

  // MARK: The document

  /// The body of the API request, whose errors begin with `$.campaign`.
  ///
  /// - Throws: ``APIError`` 422 if the additional JSON or a button of a variant is invalid.
  func document() throws(APIError) -> JSONValue {
    let kept = kept
    var members = kept
    for name in ["when", "test", "variants", "goals"] { members[name] = nil }
    members["name"] = .optional(form[Field.name.rawValue])
    let labels = compose.labels
    if !labels.isEmpty { members["labels"] = .array(labels.map(JSONValue.string)) }
    members["to"] = target
    var when = kept["when"]?.object ?? [:]
    if keptSchedule == nil {
      when["at"] = compose.time(.scheduledAt) ?? "now"
      if !self[.localTime].isEmpty { when["local_time"] = true }
    }
    members["when"] = .object(when)
    var variants: [JSONValue] = []
    for variant in self.variants {
      var own = keptMembers(of: "variants", variant.key)
      own["key"] = .string(variant.key)
      own["share"] = .entered(variant.share)
      if variant.stored.isEmpty {
        own["payload"] = .object(try variant.compose.payload())
      } else {
        own["template"] = .string(variant.stored)
      }
      own["name"] = variant.name.isEmpty ? nil : .string(variant.name)
      variants.append(.object(own))
    }
    if !control.isEmpty {
      variants.append(
        ["key": .string(CampaignPlan.controlKey), "share": .entered(control)])
    }
    members["variants"] = .array(variants)
    if isTested {
      members["test"] = .object((kept["test"]?.object ?? [:]).merging(test) { $1 })
    }
    let goals = goalRows.filter { !$0.event.isEmpty }
    if !goals.isEmpty {
      members["goals"] = .array(
        goals.map { goal in
          var own = keptMembers(of: "goals", goal.event)
          own["event"] = .string(goal.event)
          own["within"] = .string(goal.within.iso8601)
          return .object(own)
        })
    }
    var limits = kept["limits"]?.object ?? [:]
    if !self[.throttle].isEmpty { limits["per_second"] = .entered(self[.throttle]) }
    if self[.holdout] == "ignore" { limits["holdout"] = "ignore" }
    if !limits.isEmpty { members["limits"] = .object(limits) }
    return .object(members)
  }

  /// The share of the control; empty where there is none.
  var control: String { self[.control] == "0" ? "" : self[.control] }

  private var test: [String: JSONValue] {
    var test: [String: JSONValue] = [
      "sample": .entered(self[.sample]), "metric": .string(self[.metric]),
      "no_winner": .string(self[.noWinner]),
    ]
    if isDecidedByClock { test["decide_after"] = .string(decideAfter.iso8601) }
    return test
  }
}

/// A time span as a form has it: an amount and its unit.
struct CampaignPeriod: Hashable, Sendable {
  enum Unit: String, CaseIterable, Sendable {
    case seconds, minutes, hours, days

    var length: Int {
      switch self {
      case .seconds: 1
      case .minutes: 60
      case .hours: 3600
      case .days: 86_400
      }
    }
  }

  var amount: String
  var unit: Unit

  init(amount: String, unit: Unit) { (self.amount, self.unit) = (amount, unit) }

  /// The period in the largest unit of which it is a whole number.
  init(_ duration: Duration) {
    let seconds = Int(duration.components.seconds)
    unit = Unit.allCases.last { seconds % $0.length == 0 } ?? .seconds
    amount = String(seconds / unit.length)
  }

  /// The period in ISO 8601; an amount that is no number stays as it is, and is refused.
  var iso8601: String {
    switch unit {
    case .seconds: "PT\(amount)S"
    case .minutes: "PT\(amount)M"
    case .hours: "PT\(amount)H"
    case .days: "P\(amount)D"
    }
  }

  /// Whether the API accepts the period: from a minute to 30 days.
  var isAllowed: Bool {
    guard let number = Int(amount), (1...2_592_000).contains(number) else { return false }
    return (60...2_592_000).contains(number * unit.length)
  }

  /// The period in words: `4 hours`, `1 day`.
  var words: String {
    "\(amount) \(amount == "1" ? String(unit.rawValue.dropLast()) : unit.rawValue)"
  }
}
