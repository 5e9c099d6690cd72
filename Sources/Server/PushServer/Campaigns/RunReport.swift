import PushModel
import PushPayload

/// The stored report of a run: its groups, its decision and its goals, without the counts of its sends.
struct RunReport: Sendable {
  /// The variant that was chosen for the rest of the devices, and the numbers behind the choice.
  struct Decision: Sendable {
    /// The key of the variant; `nil` if the rest gets nothing.
    var variant: String?
    /// "clock", or the id of the key or account of the person who decided.
    var by: String
    /// Whether the variant was significantly better than all others.
    var isSignificant: Bool
    var at: Timestamp
    var comparison: VariantComparison
  }

  /// The numbers of devices of each variant on which a goal's event happened.
  struct Goal: Sendable {
    var measuredAt: Timestamp
    var arms: [String: Proportion]
  }

  /// The day of the schedule that the run is for; `nil` if the campaign is not recurring.
  var day: CalendarDay?
  /// The number of devices in the audience.
  var selected = 0
  /// The time at which the last device is due, of those that get a variant when the run starts; `nil` before.
  var lastDueAt: Timestamp?
  /// The number of devices in each group when the run started.
  var groups: [CampaignRun.Group: Int] = [:]
  var decision: Decision?
  /// The results of the goals whose time is over, by their events.
  var goals: [String: Goal] = [:]

  init() {}

  var json: JSONValue {
    var members: [String: JSONValue] = ["selected": .integer(Int64(selected))]
    for (group, count) in groups { members[group.rawValue] = .integer(Int64(count)) }
    if let day { members["day"] = .string(day.text) }
    if let lastDueAt { members["last_due_at"] = .string(lastDueAt.iso8601) }
    if let decision { members["decision"] = decision.json }
    members["goals"] = .object(
      goals.mapValues { goal in
        [
          "at": .string(goal.measuredAt.iso8601),
          "arms": .object(goal.arms.mapValues(\.json)),
        ]
      })
    return .object(members)
  }

  /// Reads a stored report.
  init(_ json: JSONValue) {
    day = json["day"]?.string.flatMap { CalendarDay($0) }
    selected = json["selected"]?.integer.map { Int($0) } ?? 0
    for group in CampaignRun.Group.allCases {
      groups[group] = json[group.rawValue]?.integer.map { Int($0) }
    }
    lastDueAt = json["last_due_at"]?.string.flatMap { Timestamp(iso8601: $0) }
    decision = json["decision"].flatMap { Decision(json: $0) }
    for (event, goal) in json["goals"]?.object ?? [:] {
      guard let at = goal["at"]?.string.flatMap({ Timestamp(iso8601: $0) }) else { continue }
      goals[event] = Goal(
        measuredAt: at,
        arms: (goal["arms"]?.object ?? [:]).compactMapValues { Proportion(json: $0) })
    }
  }
}

extension CampaignRun {
  /// The time at which a goal is measured: when its time is over for the device that is due last.
  func end(of goal: CampaignPlan.Goal) -> Timestamp {
    (RunReport(report).lastDueAt ?? startedAt ?? plannedAt) + goal.within
  }
}

extension RunReport.Decision {
  var json: JSONValue {
    [
      "variant": .optional(variant), "by": .string(by), "significant": .bool(isSignificant),
      "at": .string(at.iso8601),
      "arms": .array(
        comparison.arms.map { ["key": .string($0.key), "result": $0.result.json] }),
    ]
  }

  fileprivate init?(json: JSONValue) {
    guard let by = json["by"]?.string,
      let at = json["at"]?.string.flatMap({ Timestamp(iso8601: $0) })
    else { return nil }
    let arms = (json["arms"]?.array ?? []).compactMap { arm -> VariantComparison.Arm? in
      guard let key = arm["key"]?.string,
        let result = arm["result"].flatMap({ Proportion(json: $0) })
      else { return nil }
      return VariantComparison.Arm(key: key, result: result)
    }
    self.init(
      variant: json["variant"]?.string, by: by,
      isSignificant: json["significant"]?.bool ?? false, at: at,
      comparison: VariantComparison(arms))
  }
}

extension Proportion {
  /// The counts, from which all other numbers are computed.
  fileprivate var json: JSONValue {
    ["successes": .integer(Int64(successes)), "trials": .integer(Int64(trials))]
  }

  fileprivate init?(json: JSONValue) {
    guard let successes = json["successes"]?.integer, let trials = json["trials"]?.integer else {
      return nil
    }
    self.init(successes: Int(successes), trials: Int(trials))
  }
}
