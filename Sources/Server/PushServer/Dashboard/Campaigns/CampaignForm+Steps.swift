import PushModel
import PushPayload

/// The messages of a triggered campaign. Any other campaign has one.
extension CampaignForm {
  /// The field with the number of messages.
  static let stepsField = "steps"
  /// The field that is set if the document lists `steps` for a single message.
  static let listedField = "steps_listed"

  static func stepName(_ step: Int, _ part: String) -> String { "s\(step)_\(part)" }

  /// The fields of one message.
  struct StepForm: Sendable {
    var number: Int
    /// The wait before the message; `nil` if it is sent at once.
    var after: CampaignPeriod?
    var variants: [VariantForm]
    /// The members of the step for which the form has no field.
    var kept: [String: JSONValue]
  }

  var stepCount: Int {
    min(max(form[Self.stepsField].flatMap { Int($0) } ?? 1, 1), CampaignPlan.stepLimit)
  }

  /// The messages in their order; a campaign that is not triggered sends only the first.
  var steps: [StepForm] {
    let variants = variants
    return (0..<stepCount).map { number in
      let amount = form[Self.stepName(number, "after")] ?? ""
      let period = CampaignPeriod(amount: amount, unit: stepUnit(number))
      return StepForm(
        number: number, after: amount.isEmpty || amount == "0" ? nil : period,
        variants: variants.filter { $0.step == number },
        kept: Self.members(form[Self.stepName(number, "kept")]))
    }
  }

  func stepUnit(_ step: Int) -> CampaignPeriod.Unit {
    CampaignPeriod.Unit(rawValue: form[Self.stepName(step, "unit")] ?? "") ?? .hours
  }

  /// Whether the document has `steps`, rather than the `variants` of its only message.
  var isListed: Bool {
    kind == .triggered && (stepCount > 1 || form[Self.listedField] != nil)
  }

  /// Removes a message with its variants, and numbers those after it again.
  mutating func removeStep(_ step: Int) {
    let count = stepCount
    rewrite { parts in
      parts.removeAll { $0.step == step }
      for place in parts.indices where parts[place].step > step { parts[place].step -= 1 }
    }
    for number in step..<count {
      for part in ["after", "unit", "kept"] {
        let next = number + 1 < count ? form[Self.stepName(number + 1, part)] : nil
        set(Self.stepName(number, part), next)
      }
    }
    set(Self.stepsField, String(count - 1))
  }

  /// The mistakes in the waits, or in the number of messages if the campaign is not triggered.
  var stepProblems: [Remark] {
    guard kind == .triggered else {
      guard stepCount > 1 else { return [] }
      return [
        .refusal(
          "Only a triggered campaign has more than one message. Remove the others, or choose Triggered.",
          at: Field.sent.rawValue)
      ]
    }
    return steps.compactMap { step in
      let place = Self.stepName(step.number, "after")
      let title = "Message \(step.number + 1)"
      guard let after = step.after else {
        return step.number == 0
          ? nil : .refusal("\(title): enter how long after the message before.", at: place)
      }
      return after.isAllowed
        ? nil : .refusal("\(title): enter a time from 1 minute to 30 days.", at: place)
    }
  }
}
