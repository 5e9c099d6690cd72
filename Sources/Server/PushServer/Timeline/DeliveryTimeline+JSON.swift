import PushModel
package import PushPayload

extension DeliveryTimeline {
  /// The object that the API answers, and that `martlet explain --json` prints.
  package var json: JSONValue {
    ["verdict": verdict.json, "steps": .array(steps.map(\.json))]
  }
}

extension DeliveryTimeline.Verdict {
  package var json: JSONValue {
    ["code": .string(code), "text": .string(text), "advice": .optional(advice)]
  }
}

extension DeliveryTimeline.Step {
  package var json: JSONValue {
    [
      "at": .optional(at?.iso8601), "stage": .string(stage.rawValue), "title": .string(title),
      "code": .string(code), "text": .string(text), "known": .bool(isKnown),
      "cause": .bool(meaning == .cause), "advice": .optional(advice), "link": .optional(link?.path),
    ]
  }
}
