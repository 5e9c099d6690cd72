import PushModel
import PushPayload

extension EnrollmentReport {
  var json: JSONValue {
    func object(_ reasons: [(reason: String, count: Int)]) -> JSONValue {
      .object(
        Dictionary(uniqueKeysWithValues: reasons.map { ($0.reason, .integer(Int64($0.count))) }))
    }
    return [
      "enrolled": .integer(Int64(counts.total)), "waiting": .integer(Int64(waiting)),
      "done": .integer(Int64(counts.count(.done))),
      "exited": object(ended(\.isExit)),
      "left_out": object(ended { !$0.isExit && $0 != .done }),
      "steps": .array(steps.enumerated().map { json(of: $0.element, number: $0.offset + 1) }),
    ]
  }

  private func json(of step: Step, number: Int) -> JSONValue {
    [
      "number": .integer(Int64(number)), "run": .optional(step.run?.id),
      "waiting": .integer(Int64(waiting(forStep: number))),
      "variants": .array(
        step.plan.variants.map { variant -> JSONValue in
          let counts = step.counts[variant.key] ?? Send.Counts()
          let messages = step.messages[variant.key] ?? MessageCounts()
          return [
            "key": .string(variant.key), "name": .optional(variant.name),
            "targeted": .integer(Int64(counts.targeted + messages.targeted)),
            "sent": .integer(Int64(counts.sent)),
            "rejected": .integer(Int64(counts.rejected)),
            "quiet": .integer(Int64(counts.quiet)), "capped": .integer(Int64(counts.capped)),
            "uninstalled": .integer(Int64(counts.uninstalled)),
            "delivered": .integer(Int64(counts.delivered)),
            "displayed": .integer(Int64(counts.displayed)),
            "listed": .integer(Int64(messages.seen[.stream] ?? 0)),
            "shown_in_app": .integer(Int64(messages.seen[.inApp] ?? 0)),
            "opens": step.opens(of: variant.key).answer,
          ]
        }),
    ]
  }
}
