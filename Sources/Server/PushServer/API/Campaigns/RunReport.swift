import PushPayload
import PushStore

/// What is stored of a run beside its sends: its groups, the decision and the goals.
struct RunReport: Sendable {
  /// Which variant the rest of the devices gets, and the numbers that led to it.
  struct Decision: Sendable {
    /// `nil` sends no variant.
    var variant: String?
    /// "clock", or the id of the key with which a person has decided.
    var by: String
    /// Whether the variant was better than all others by more than chance.
    var isSignificant: Bool
    var at: Timestamp
    var comparison: VariantComparison
  }

  /// The devices of each variant on which a goal's event happened.
  struct Goal: Sendable {
    var measuredAt: Timestamp
    var arms: [String: Proportion]
  }

  /// The day of a recurring campaign's schedule that the run is for.
  var day: CalendarDay?
  /// The number of devices that the audience had.
  var selected = 0
  /// The number of devices of each group when the run started.
  var groups: [CampaignRun.Group: Int] = [:]
  var decision: Decision?
  /// The goals whose time is over, by their events.
  var goals: [String: Goal] = [:]

  init() {}

  var json: JSONValue {
    var members: [String: JSONValue] = ["selected": .integer(Int64(selected))]
    for (group, count) in groups { members[group.rawValue] = .integer(Int64(count)) }
    if let day { members["day"] = .string(day.text) }
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
    decision = json["decision"].flatMap { Decision(json: $0) }
    for (event, goal) in json["goals"]?.object ?? [:] {
      guard let at = goal["at"]?.string.flatMap({ Timestamp(iso8601: $0) }) else { continue }
      goals[event] = Goal(
        measuredAt: at,
        arms: (goal["arms"]?.object ?? [:]).compactMapValues { Proportion(json: $0) })
    }
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
  /// The counts, with which every other number is computed again.
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
