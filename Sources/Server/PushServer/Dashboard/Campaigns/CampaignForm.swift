import PushModel
import PushPayload

/// The form of a campaign of any kind, and the document that it makes.
///
/// The texts of each variant are those of a ``ComposeForm``, whose fields have the variant's number before their
/// names. Each variant belongs to a message. Only a triggered campaign has several messages.
struct CampaignForm: Sendable {
  /// The fields beside those of the audience and of the variants.
  enum Field: String, CaseIterable, Sendable {
    case name, control, mode, sample, metric, decide, holdout, throttle, sent, entry, again, quiet,
      caps
    /// The choice between pushes and in-app messages, under the composer's name.
    case content = "kind"
    case decideAfter = "decide_after"
    case decideUnit = "decide_unit"
    case noWinner = "no_winner"
    case scheduledAt = "scheduled_at"
    case localTime = "local_time"
    case bestTime = "best_time"
    case unit = "every_unit"
    case day = "every_day"
    case time = "every_time"
    case clock = "every_clock"
    case zone = "every_zone"
    case from = "every_from"
    case until = "every_until"
    case missed = "every_missed"
    case late = "every_late"
    case lateUnit = "every_late_unit"
    case entryAudience = "entry_audience"
    case includesCurrent = "entry_current"
    case againAfter = "again_after"
    case againUnit = "again_unit"
    case checksAtSend = "check_at_send"
    case quietFrom = "quiet_from"
    case quietTo = "quiet_to"
    case quietElse = "quiet_else"

    /// The label of the field, which error messages use too.
    var title: String {
      switch self {
      case .name: "Name"
      case .control: "Control (%)"
      case .mode: "How it is sent"
      case .content: "What it sends"
      case .sample: "Sample (%)"
      case .metric: "What decides"
      case .decide: "Who decides"
      case .decideAfter: "Decide after"
      case .decideUnit, .lateUnit, .againUnit: "Unit"
      case .noWinner: "Without a clear winner"
      case .holdout: "Holdout"
      case .scheduledAt: ComposeField.scheduledAt.title
      case .localTime: ComposeField.localTime.title
      case .bestTime: "At each device's best time, within 24 hours"
      case .throttle: ComposeField.throttle.title
      case .sent: "When it is sent"
      case .unit: "Repeats"
      case .day: "Day of the month"
      case .time: "Time"
      case .clock: "Whose clock"
      case .zone: "Time zone"
      case .from: "First day"
      case .until: "Last day"
      case .missed: "A day whose time no server could keep"
      case .late: "At most late by"
      case .entry: "Who enters"
      case .entryAudience: "Audience that people enter or leave"
      case .includesCurrent: "Also who is in the audience at the start"
      case .again: "Entering again"
      case .againAfter: "Again after"
      case .checksAtSend: "Check the audience again before each message"
      case .quiet: "Quiet hours"
      case .quietFrom: "From"
      case .quietTo: "To"
      case .quietElse: "A push in these hours"
      case .caps: "Frequency caps"
      }
    }
  }

  /// The field with the members of the document for which the form has no field.
  static let keptField = "kept"
  /// The field with a target that the form cannot write, and the choice of it in the menu of audiences.
  static let keptTargetField = "kept_to"
  static let keptTarget = "kept"

  private(set) var form: Form

  /// Reads a submitted form.
  ///
  /// - Throws: ``RequestError`` if a hidden field is not JSON or contains U+0000.
  init(_ form: Form) throws(RequestError) {
    for (name, value) in form.fields where Self.isJSON(name) && !value.isEmpty {
      _ = try BodyValue(parsing: Array(value.utf8), as: "the field \(name.prefix(64))")
    }
    self.form = form
  }

  /// Whether a field is hidden and holds JSON that the form cannot show.
  private static func isJSON(_ name: String) -> Bool {
    [keptField, keptTargetField].contains(name) || name.hasSuffix("_kept")
      || name.hasSuffix("_where")
  }

  /// A new form, with two variants for a campaign that is sent once, and one for any other.
  init(of kind: Campaign.Kind = .once) {
    form = Form()
    let keys = kind == .once ? ["a", "b"] : ["a"]
    form.set("variants", String(keys.count))
    form.set(Self.stepsField, "1")
    for (index, key) in keys.enumerated() {
      form.set(Self.name(index, "key"), key)
      form.set(Self.name(index, "share"), String(100 / keys.count))
    }
    let values: [(Field, String)] = [
      (.sent, kind.rawValue), (.mode, kind == .once ? "test" : "all"), (.sample, "20"),
      (.metric, "opens"), (.decide, "clock"), (.decideAfter, "4"),
      (.decideUnit, CampaignPeriod.Unit.hours.rawValue), (.noWinner, "best"), (.holdout, "obey"),
      (.content, ComposeForm.Kind.push.rawValue),
    ]
    for (field, value) in values { self[field] = value }
    fillSchedule(nil)
    fillTrigger(nil)
    fillLimits([:])
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

  /// Replaces the fields of the conditions.
  mutating func set(_ conditions: AudienceConditions) {
    var changed = compose
    changed.set(conditions)
    form = changed.form
  }

  /// The composer's form with the audience, the labels and the schedule, whose fields have the same names.
  var compose: ComposeForm { ComposeForm(form) }

  var kind: Campaign.Kind { Campaign.Kind(rawValue: self[.sent]) ?? .once }

  /// Whether a test on a sample chooses the variant; never for a triggered campaign.
  var isTested: Bool { self[.mode] == "test" && kind != .triggered }
  var isDecidedByClock: Bool { self[.decide] != "hand" }

  /// The target as the document has it.
  var target: JSONValue {
    guard form["to"] == Self.keptTarget, let text = form[Self.keptTargetField] else {
      return compose.target
    }
    return (try? JSONValue(parsing: text)) ?? .null
  }

  // MARK: Goals

  /// The fields of one goal.
  struct GoalRow: Sendable {
    var event: String
    var within: CampaignPeriod
  }

  static func goalName(_ row: Int, _ part: String) -> String { "goal\(row)_\(part)" }

  /// The rows with a goal, and an empty one if another goal is allowed.
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

  /// The body of the API request, whose error paths begin with `$.campaign`.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the additional JSON or a button of a variant is invalid.
  func document() throws(RequestError) -> JSONValue {
    let kept = kept
    var members = kept
    for name in ["when", "test", "goals"] { members[name] = nil }
    members["name"] = .optional(form[Field.name.rawValue])
    let labels = compose.labels
    if !labels.isEmpty { members["labels"] = .array(labels.map(JSONValue.string)) }
    members["to"] = target
    members["when"] = .object(when)
    if isListed {
      var steps: [JSONValue] = []
      for step in self.steps {
        var own = step.kept
        own["after"] = step.after.map { .string($0.iso8601) }
        own["variants"] = .array(try documents(of: step))
        steps.append(.object(own))
      }
      members["steps"] = .array(steps)
    } else {
      members["variants"] = .array(try documents(of: steps[0]))
    }
    if isTested {
      members["test"] = .object((kept["test"]?.object ?? [:]).merging(test) { $1 })
    }
    let goals = kind == .triggered ? [] : goalRows.filter { !$0.event.isEmpty }
    if !goals.isEmpty {
      members["goals"] = .array(
        goals.map { goal in
          var own = keptMembers(ofGoal: goal.event)
          own["event"] = .string(goal.event)
          own["within"] = .string(goal.within.iso8601)
          return .object(own)
        })
    }
    let limits = limits
    members["limits"] = limits.isEmpty ? nil : .object(limits)
    return .object(members)
  }

  /// The members of `when`.
  private var when: [String: JSONValue] {
    var when = kept["when"]?.object ?? [:]
    let every = when.removeValue(forKey: "every")?.object ?? [:]
    switch kind {
    case .once:
      when["at"] = compose.time(.scheduledAt) ?? "now"
      if !self[.localTime].isEmpty { when["local_time"] = true }
      if !self[.bestTime].isEmpty { when["best_time"] = true }
    case .recurring: when.merge(schedule(keeping: every)) { $1 }
    case .triggered: when.merge(trigger) { $1 }
    }
    return when
  }

  /// The variants of a message, with the control.
  private func documents(of step: StepForm) throws(RequestError) -> [JSONValue] {
    var variants: [JSONValue] = []
    for variant in step.variants {
      var own = variant.kept
      own["key"] = .string(variant.key)
      own["share"] = .entered(variant.share)
      own["message"] = nil
      if isInApp {
        own["message"] = message(of: variant)
      } else if variant.stored.isEmpty {
        own["payload"] = .object(try variant.compose.payload())
      } else {
        own["template"] = .string(variant.stored)
      }
      own["name"] = variant.name.isEmpty ? nil : .string(variant.name)
      variants.append(.object(own))
    }
    if !control.isEmpty {
      variants.append(["key": .string(CampaignPlan.controlKey), "share": .entered(control)])
    }
    return variants
  }

  /// The share of the control; empty if the campaign has no control.
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
