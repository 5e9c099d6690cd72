import PushPayload
import PushStore

/// The report of a run: rates with their intervals, and what the variants differ by.
struct RunAnswer: Sendable {
  var run: CampaignRun
  var plan: CampaignPlan
  var sends: [Send]

  /// The probability below which the division among the variants is doubted.
  private static let splitDoubt = 0.001

  var json: JSONValue {
    let report = RunReport(run.report)
    var members = run.members
    members["decide_at"] = .optional(run.state == .testing ? run.dueAt?.iso8601 : nil)
    var devices: [String: JSONValue] = ["selected": .integer(Int64(report.selected))]
    for group in CampaignRun.Group.allCases {
      devices[group.rawValue] = .integer(Int64(report.groups[group] ?? 0))
    }
    members["devices"] = .object(devices)
    members["variants"] = .array(plan.variants.map { json(of: $0, report) })
    members["comparison"] = comparison.map { Self.json(of: $0) } ?? .null
    members["split"] = split
    members["goals"] = .array(plan.goals.map { json(of: $0, report) })
    members["decision"] =
      report.decision.map { decision in
        [
          "variant": .optional(decision.variant), "by": .string(decision.by),
          "significant": .bool(decision.isSignificant), "at": .string(decision.at.iso8601),
          "comparison": Self.json(of: decision.comparison),
        ]
      } ?? .null
    return .object(members)
  }

  func sends(of variant: String, _ phase: CampaignRun.Phase? = nil) -> [Send] {
    sends.filter { $0.origin?.variant == variant && (phase == nil || $0.origin?.phase == phase) }
  }

  func opens(of variant: String, _ phase: CampaignRun.Phase? = nil) -> Proportion {
    sends(of: variant, phase).reduce(into: Proportion(successes: 0, trials: 0)) { sum, send in
      let opened = Proportion(opened: send.counts)
      sum.successes += opened.successes
      sum.trials += opened.trials
    }
  }

  private func json(of variant: CampaignPlan.Variant, _ report: RunReport) -> JSONValue {
    let own = sends(of: variant.key)
    func sum(_ count: KeyPath<Send.Counts, Int>) -> JSONValue {
      .integer(Int64(own.reduce(0) { $0 + $1.counts[keyPath: count] }))
    }
    return [
      "key": .string(variant.key), "name": .optional(variant.name),
      "share": .integer(Int64(variant.share)),
      "notifications": .array(
        own.map { send in
          [
            "id": .string(send.id), "phase": .string(send.origin?.phase.rawValue ?? ""),
            "state": .string(send.state.rawValue),
          ]
        }),
      "targeted": sum(\.targeted), "sent": sum(\.sent), "rejected": sum(\.rejected),
      "quiet": sum(\.quiet), "capped": sum(\.capped),
      "uninstalled": sum(\.uninstalled), "delivered": sum(\.delivered),
      "displayed": sum(\.displayed), "opens": Self.json(of: opens(of: variant.key)),
    ]
  }

  /// The variants by their openings: in the test where there is one, since only there people were
  /// divided by chance.
  var comparison: VariantComparison? {
    let phase = plan.test == nil ? CampaignRun.Phase.rollout : .test
    let arms = plan.variants.map { variant in
      VariantComparison.Arm(key: variant.key, result: opens(of: variant.key, phase))
    }
    guard arms.count > 1, arms.contains(where: { $0.result.trials > 0 }) else { return nil }
    return VariantComparison(arms)
  }

  /// Whether the devices were divided as the shares say.
  private var split: JSONValue {
    ["p_value": .number(splitProbability), "as_planned": .bool(isDividedAsPlanned)]
  }

  var isDividedAsPlanned: Bool { splitProbability >= Self.splitDoubt }

  /// The probability of numbers that differ from the shares by as much, or more, by chance.
  private var splitProbability: Double {
    let phase = plan.test == nil ? CampaignRun.Phase.rollout : .test
    let counts = plan.variants.map { variant in
      sends(of: variant.key, phase).reduce(0) { $0 + $1.counts.targeted }
    }
    return Proportion.chiSquare(counts: counts, shares: plan.variants.map(\.share)).pValue
  }

  private func json(of goal: CampaignPlan.Goal, _ report: RunReport) -> JSONValue {
    let measured = report.goals[goal.event]
    let control = measured?.arms[CampaignPlan.controlKey]
    let variants = plan.variants.compactMap { variant -> JSONValue? in
      guard let own = measured?.arms[variant.key] else { return nil }
      var members: [String: JSONValue] = [
        "key": .string(variant.key), "result": Self.json(of: own),
      ]
      if let control {
        let difference = own.difference(from: control)
        members["uplift"] = [
          "difference": .number(difference.value),
          "low": .number(difference.interval.lowerBound),
          "high": .number(difference.interval.upperBound),
          "relative": control.rate > 0 ? .number(difference.value / control.rate) : .null,
          "p_value": .number(own.pValue(against: control)),
        ]
      }
      return .object(members)
    }
    let end = (run.startedAt ?? run.plannedAt) + goal.within
    return [
      "event": .string(goal.event), "until": .string(end.iso8601),
      "measured_at": .optional(measured?.measuredAt.iso8601), "variants": .array(variants),
      "control": control.map { Self.json(of: $0) } ?? .null,
    ]
  }

  static func json(of result: Proportion) -> JSONValue {
    [
      "count": .integer(Int64(result.successes)), "of": .integer(Int64(result.trials)),
      "rate": .number(result.rate), "low": .number(result.interval.lowerBound),
      "high": .number(result.interval.upperBound),
    ]
  }

  private static func json(of comparison: VariantComparison) -> JSONValue {
    [
      "variants": .array(
        comparison.arms.map { ["key": .string($0.key), "result": json(of: $0.result)] }),
      "best": .optional(comparison.best?.key), "winner": .optional(comparison.winner),
      "p_value": .number(comparison.pValue),
      "pairs": .array(
        comparison.pairs.map { ["key": .string($0.key), "p_value": .number($0.pValue)] }),
    ]
  }
}
