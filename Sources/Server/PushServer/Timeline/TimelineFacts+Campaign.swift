import PushModel

/// The steps of a campaign that has sent the device nothing.
extension TimelineFacts {
  /// The step of a campaign without a run.
  func notStarted(_ campaign: Campaign) -> DeliveryTimeline.Step {
    let approval: (words: String, advice: String) =
      switch campaign.approval?.state {
      case .submitted?: ("waits for an approval", "Somebody else has to approve the campaign.")
      case .rejected?:
        ("was rejected", "Change the campaign as the note says, and submit it again.")
      case .approved?, nil: ("was not started", "Start the campaign.")
      }
    let isDraft = campaign.state == .draft
    return DeliveryTimeline.Step(
      .held, .cause, code: isDraft ? "not_started" : campaign.state.rawValue,
      text: isDraft
        ? "The campaign is a draft, which \(approval.words)."
        : "The campaign is \(campaign.state.rawValue), and no run has begun.",
      at: campaign.approval?.submittedAt, link: .campaign(campaign.id),
      advice: isDraft ? approval.advice : nil)
  }

  /// The steps of a triggered campaign that has sent the device nothing.
  func enrollmentSteps(
    _ code: EnrollmentExplanation.Code, _ message: String
  ) -> [DeliveryTimeline.Step] {
    let link = campaign.map { DeliveryTimeline.Link.campaign($0.id) }
    func step(_ stage: DeliveryTimeline.Stage, _ meaning: DeliveryTimeline.Meaning)
      -> DeliveryTimeline.Step
    {
      DeliveryTimeline.Step(
        stage, meaning, code: code.rawValue, text: message.asSentence, link: link,
        advice: code.advice)
    }
    switch code {
    case .published, .unpublished: return [step(.shown, .passed)]
    case .waiting, .paused, .missed, .pending, .campaignEnded: return [step(.held, .cause)]
    case .accepted: return [step(.answered, .passed)]
    case .refused: return [step(.answered, .cause)]
    case .notEnrolled, .exited, .control, .heldOut, .notInAudience, .unreachable, .erased,
      .otherDevice:
      return [step(.audience, .cause)]
    }
  }
}

extension EnrollmentExplanation.Code {
  var advice: String? {
    switch self {
    case .notEnrolled:
      "Check that the app records the event with the name and the data of the campaign's trigger."
    case .paused: "Resume the campaign."
    case .notInAudience: "Compare the device's values with the campaign's audience."
    case .unreachable: "The person has to allow pushes, and the app has to register a push token."
    case .otherDevice: "Ask for the timelines of all devices of the person, with user=."
    case .missed: "Let a server run without a break, or enroll the person again."
    default: nil
    }
  }
}
