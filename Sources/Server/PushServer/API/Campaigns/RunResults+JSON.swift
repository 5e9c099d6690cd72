import PushModel
import PushPayload

extension RunResults {
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
    members["comparison"] = comparison?.answer ?? .null
    members["split"] = split
    members["goals"] = .array(plan.goals.map { json(of: $0, report) })
    members["decision"] =
      report.decision.map { decision in
        [
          "variant": .optional(decision.variant), "by": .string(decision.by),
          "significant": .bool(decision.isSignificant), "at": .string(decision.at.iso8601),
          "comparison": decision.comparison.answer,
        ]
      } ?? .null
    return .object(members)
  }

  private func json(of variant: CampaignPlan.Variant, _ report: RunReport) -> JSONValue {
    let own = deliveries.sends(of: variant.key)
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
      "messages": .array(
        deliveries.messages(of: variant.key).map { published in
          [
            "id": .string(published.message.id),
            "phase": .string(published.message.origin?.phase.rawValue ?? ""),
            "unpublish_at": .string(published.message.unpublishAt.iso8601),
          ]
        }),
      "targeted": .integer(Int64(deliveries.targeted(by: variant.key))), "sent": sum(\.sent),
      "rejected": sum(\.rejected),
      "quiet": sum(\.quiet), "capped": sum(\.capped),
      "uninstalled": sum(\.uninstalled), "delivered": sum(\.delivered),
      "displayed": sum(\.displayed),
      "listed": .integer(Int64(deliveries.seen(.stream, of: variant.key))),
      "shown_in_app": .integer(Int64(deliveries.seen(.inApp, of: variant.key))),
      "opens": deliveries.opens(of: variant.key).answer,
    ]
  }

  /// The check that the devices were divided in proportion to the shares.
  private var split: JSONValue {
    ["p_value": .number(splitProbability), "as_planned": .bool(isDividedAsPlanned)]
  }

  private func json(of goal: CampaignPlan.Goal, _ report: RunReport) -> JSONValue {
    let measured = report.goals[goal.event]
    let control = measured?.arms[CampaignPlan.controlKey]
    let variants = plan.variants.compactMap { variant -> JSONValue? in
      guard let own = measured?.arms[variant.key] else { return nil }
      var members: [String: JSONValue] = [
        "key": .string(variant.key), "result": own.answer,
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
    return [
      "event": .string(goal.event), "until": .string(run.end(of: goal).iso8601),
      "measured_at": .optional(measured?.measuredAt.iso8601), "variants": .array(variants),
      "control": control?.answer ?? .null,
    ]
  }
}

extension Proportion {
  /// The rate with its 95 % interval, for an answer.
  var answer: JSONValue {
    [
      "count": .integer(Int64(successes)), "of": .integer(Int64(trials)),
      "rate": .number(rate), "low": .number(interval.lowerBound),
      "high": .number(interval.upperBound),
    ]
  }
}

extension VariantComparison {
  fileprivate var answer: JSONValue {
    [
      "variants": .array(
        arms.map { ["key": .string($0.key), "result": $0.result.answer] }),
      "best": .optional(best?.key), "winner": .optional(winner),
      "p_value": .number(pValue),
      "pairs": .array(
        pairs.map { ["key": .string($0.key), "p_value": .number($0.pValue)] }),
    ]
  }
}
