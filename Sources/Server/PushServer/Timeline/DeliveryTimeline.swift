package import PushModel

/// The way of one notification to one device, from the call to the lock screen, as far as it is known.
///
/// It has no text of a payload, so whoever may see a send may see it.
package struct DeliveryTimeline: Hashable, Sendable {
  /// A part of the way; the raw values are the API's.
  package enum Stage: String, CaseIterable, Sendable {
    case call, audience, held, composed, sent, answered, phone, shown, opened
  }

  /// The meaning of a step for the question why the phone did not show the notification.
  package enum Meaning: Hashable, Sendable {
    /// The notification passed the step.
    case passed
    /// The step is a reason why it is not shown, or not shown whole.
    case cause
    /// Nothing is stored that says whether it passed.
    case unknown
  }

  /// The object that has more about a step.
  package enum Link: Hashable, Sendable {
    case notification(String)
    /// The outcome of a notification for a device.
    case outcome(notification: String, device: String)
    case run(String, campaign: String)
    case campaign(String)

    /// The path of the API.
    package var path: String {
      switch self {
      case .notification(let id): "/v6/notifications/\(id)"
      case .outcome(let id, let device): "/v6/notifications/\(id)/outcomes/\(device)"
      case .run(let id, _): "/v6/runs/\(id)"
      case .campaign(let id): "/v6/campaigns/\(id)"
      }
    }
  }

  /// One step of the way.
  package struct Step: Hashable, Sendable {
    package var stage: Stage
    package var meaning: Meaning
    /// A stable code, which is the reason in APNs' answer for a refusal.
    package var code: String
    /// A sentence or two for people.
    package var text: String
    /// The time of the step; `nil` if it has none, or it is not known.
    package var at: Timestamp?
    package var link: Link?
    /// Advice for a cause.
    package var advice: String?

    package init(
      _ stage: Stage, _ meaning: Meaning, code: String, text: String, at time: Timestamp? = nil,
      link: Link? = nil, advice: String? = nil
    ) {
      (self.stage, self.meaning, self.code, self.text) = (stage, meaning, code, text)
      (at, self.link, self.advice) = (time, link, advice)
    }

    /// Whether the step is a fact.
    package var isKnown: Bool { meaning != .unknown }
    /// The heading of the step.
    package var title: String { stage.title }
  }

  /// The answer to the question, in short.
  package struct Verdict: Hashable, Sendable {
    package var code: String
    package var text: String
    package var advice: String?

    /// The notification was shown.
    package static let shown = "shown"
    /// The phone has reported the notification, and nothing keeps it from being shown.
    package static let received = "received"
    /// No cause is known, and the phone has reported nothing.
    package static let notKnown = "not_known"
  }

  /// The steps in the order of ``Stage``; the way ends with a cause that stops the notification.
  package let steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  /// The first cause; `nil` if none is known.
  package var cause: Step? { steps.first { $0.meaning == .cause } }

  package var verdict: Verdict {
    if let cause { return Verdict(code: cause.code, text: cause.text, advice: cause.advice) }
    let passed = steps.last { $0.meaning == .passed }
    switch passed?.stage {
    case .shown where passed?.code != "displayed":
      return Verdict(code: passed?.code ?? "", text: passed?.text ?? "")
    case .opened, .shown:
      return Verdict(code: Verdict.shown, text: passed?.text ?? "")
    case .phone where passed?.code == Verdict.received:
      return Verdict(
        code: Verdict.received,
        text: "The phone received it and reported no fault. Whether the system showed it is not"
          + " reported.",
        advice: "Ask whether a Focus was on, and look in Notification Center.")
    default:
      return Verdict(
        code: Verdict.notKnown,
        text: "No cause is known. The last known step is: \(passed?.text ?? "none.")",
        advice: steps.first { $0.meaning == .unknown && $0.advice != nil }?.advice)
    }
  }

  /// The part of the way that the notification has certainly passed, for comparing the devices of a person.
  package var reach: Int {
    let stage = cause?.stage ?? steps.last { $0.meaning == .passed }?.stage
    let index = stage.flatMap { Stage.allCases.firstIndex(of: $0) } ?? 0
    return cause == nil ? index + Stage.allCases.count : index
  }
}

extension DeliveryTimeline.Stage {
  /// The heading of the stage.
  package var title: String {
    switch self {
    case .call: "Call"
    case .audience: "Audience"
    case .held: "Time and limits"
    case .composed: "Payload"
    case .sent: "Sent to APNs"
    case .answered: "APNs' answer"
    case .phone: "On the phone"
    case .shown: "Shown"
    case .opened: "Opened"
    }
  }
}
