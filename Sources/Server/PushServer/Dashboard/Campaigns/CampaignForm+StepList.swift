import PushModel
import PushPayload

/// The row of steps above the form of a campaign.
extension CampaignForm {
  /// The steps with their states; `problems` are what has to be changed before the campaign can be saved.
  func stepList(_ problems: [Remark], in locales: AudienceLocales?) -> StepList {
    var counts: [StepList.Step: Int] = [:]
    for problem in problems { counts[Self.step(of: problem.place), default: 0] += 1 }
    let entries = StepList.Step.allCases.map { step in
      StepList.Entry(step, problems: counts[step] ?? 0, words: words(of: step, in: locales))
    }
    return StepList(entries: entries, review: "save")
  }

  private func words(of step: StepList.Step, in locales: AudienceLocales?) -> String {
    switch step {
    case .audience: return locales.map { AudienceReach.devices($0.members.count) } ?? "chosen"
    case .message:
      let count = variants.count
      if kind == .triggered, stepCount > 1 { return "\(stepCount) messages" }
      return count == 1 ? "written" : "\(count) variants"
    case .schedule:
      switch kind {
      case .once:
        let time = self[.scheduledAt]
        return time.isEmpty ? "when started" : time.replacing("T", with: " ")
      case .recurring: return "recurring"
      case .triggered: return "triggered"
      }
    }
  }

  private static func step(of place: String?) -> StepList.Step {
    guard let place else { return .message }
    if [Field.name.rawValue, ComposeField.to.rawValue, ComposeField.labels.rawValue].contains(place)
    {
      return .audience
    }
    let message: [Field] = [
      .content, .control, .mode, .sample, .metric, .decide, .decideAfter, .noWinner,
    ]
    let isMessage =
      part(ofField: place) != nil || message.contains { $0.rawValue == place }
      || place.hasPrefix("variant-") || place.hasPrefix("goal")
      || place.wholeMatch(of: /s\d+_.+/) != nil
    return isMessage ? .message : .schedule
  }
}
