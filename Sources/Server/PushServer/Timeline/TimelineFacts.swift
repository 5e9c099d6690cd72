import NotificationHost
import PushModel
import PushPayload

/// What is known of one notification and one device, from which a timeline is made.
struct TimelineFacts: Sendable {
  var delivery: DeliveryFacts
  /// The audit entries of the notification, or of its campaign, the newest first.
  var entries: [AuditEntry] = []
  var campaign: Campaign?
  /// The notification that the question is about, which may not be for the device; `nil` if it is about a campaign.
  var asked: Send?
  /// The reason for which a triggered campaign has sent the device nothing; `nil` if it has, or is not triggered.
  var enrollment: (code: EnrollmentExplanation.Code, message: String)?
  /// The push as it is composed now; `nil` if it is not a notification, or cannot be composed now.
  var push: ComposedPush?

  init(_ delivery: DeliveryFacts) { self.delivery = delivery }

  private typealias Step = DeliveryTimeline.Step

  var timeline: DeliveryTimeline { DeliveryTimeline([call] + rest) }

  private var link: DeliveryTimeline.Link? {
    delivery.send.map { .notification($0.id) }
      ?? delivery.run.map { .run($0.id, campaign: $0.campaign) }
      ?? campaign.map { .campaign($0.id) } ?? asked.map { .notification($0.id) }
  }

  /// The id of the object whose audit entries say who asked for it; `nil` if that is not known.
  var audited: String? {
    campaign?.id ?? delivery.send?.id ?? delivery.message?.id ?? asked?.id
  }

  // MARK: The call

  private var call: DeliveryTimeline.Step {
    let origin = campaign.map { " It belongs to the campaign \($0.name)." } ?? ""
    let time = (delivery.send ?? asked)?.createdAt ?? delivery.run?.startedAt
    guard let entry = entries.last(where: { Self.calls[$0.action] != nil }),
      let did = Self.calls[entry.action]
    else {
      return Step(
        .call, .unknown, code: "caller_not_stored",
        text: "The audit log does not have, or has no longer, who asked for it.\(origin)", at: time,
        link: link)
    }
    let actor =
      entry.key.map { _ in entry.name.map { "the key \($0)" } ?? "a key without a name" }
      ?? entry.account.map { entry.name ?? "the account \($0)" } ?? "the server or the command line"
    return Step(
      .call, .passed, code: "called",
      text: "\(actor) \(did).\(origin)".capitalizedFirst,
      at: time ?? entry.at, link: link)
  }

  /// The actions of the audit log by which something comes to be sent, in words.
  private static let calls = [
    "notification.create": "created the notification",
    "message.create": "published the in-app message", "campaign.start": "started the campaign",
  ]

  // MARK: From the audience to APNs' answer

  private var rest: [DeliveryTimeline.Step] {
    if let enrollment { return enrollmentSteps(enrollment.code, enrollment.message) }
    if let campaign, delivery.run == nil, delivery.send == nil { return [notStarted(campaign)] }
    let (code, message) = delivery.reason
    let text = message.asSentence
    switch code {
    case .published, .unpublished:
      return [
        selected,
        Step(.shown, .passed, code: code.rawValue, text: "It is an in-app message: \(text)"),
      ]
    case .delivered, .accepted:
      return [selected, due, composed] + answered(.passed)
    case .refused where delivery.outcome?.status == nil:
      return [selected, due, notComposed]
    case .refused:
      return [selected, due, composed] + answered(.cause)
    case .notStored:
      return [
        Step(
          .audience, .unknown, code: code.rawValue, text: text, link: link,
          advice: "Ask earlier: --keep-outcomes says how long outcomes are kept.")
      ]
    case .erased, .uninstalled, .registeredLater, .notInAudience, .optedOut, .noToken,
      .otherPlatform, .notSelected:
      return [
        Step(
          .audience, .cause, code: delivery.isExcluded ? "excluded" : code.rawValue, text: text,
          at: delivery.selectedAt, link: link, advice: code.advice)
      ]
    case .control, .heldOut, .waitsForWinner, .noWinner:
      return [cause(code, in: .audience, text)]
    case .missed, .planned, .skipped: return [cause(code, in: .held, text)]
    case .quiet, .capped, .waiting, .paused, .canceled, .expired, .failed:
      // A group of a run is in the audience, too.
      return [selected, cause(code, in: .held, text)]
    }
  }

  private func cause(
    _ code: DeliveryFacts.Code, in stage: DeliveryTimeline.Stage, _ text: String
  ) -> DeliveryTimeline.Step {
    let time = delivery.outcome?.time ?? delivery.send?.completedAt
    return Step(
      stage, .cause, code: code.rawValue, text: text, at: time, link: link, advice: code.advice)
  }

  private var selected: DeliveryTimeline.Step {
    guard delivery.isStored || delivery.group != nil else {
      return Step(
        .audience, .unknown, code: DeliveryFacts.Code.notStored.rawValue,
        text: "Which devices were selected is not stored, because no push was sent to any of them.",
        at: delivery.selectedAt, link: link)
    }
    let variant = (delivery.send?.origin ?? delivery.message?.origin).map {
      " It gets the variant \($0.variant)."
    }
    return Step(
      .audience, .passed, code: "selected",
      text: "The device was in the audience when the devices were selected.\(variant ?? "")",
      at: delivery.selectedAt, link: link)
  }

  private var due: DeliveryTimeline.Step {
    let send = delivery.send
    var words = "Nothing held it back"
    if let time = send?.scheduledAt {
      words += "; it was scheduled for \(time.iso8601)"
      if send?.isLocalTime == true { words += " in each device's local time" }
    }
    if let rate = send?.throttlePerSecond { words += "; the rate is \(rate) a second" }
    return Step(.held, .passed, code: "due", text: words + ".", at: send?.startedAt, link: link)
  }

  private var composed: DeliveryTimeline.Step {
    guard let push else {
      return Step(
        .composed, .unknown, code: "payload_not_composed",
        text:
          "The payload cannot be composed again from what is stored now, so its size and language are"
          + " not known.", link: link)
    }
    var words =
      "The payload has \(push.size) bytes and the push type \(push.message.pushType ?? "alert")"
    if let language = push.language { words += "; its text is that of \(language)" }
    if push.isEncrypted { words += "; it is encrypted with the device's keys" }
    return Step(
      .composed, .passed, code: "composed", text: words + ", as it is composed now.", link: link)
  }

  /// The step of a push that was not sent because of the device or the payload.
  private var notComposed: DeliveryTimeline.Step {
    let (outcome, reason) = (delivery.outcome, delivery.outcome?.reason ?? "")
    let code = reason.isEmpty ? DeliveryFacts.Code.refused.rawValue : reason
    return Step(
      reason == "NoToken" ? .sent : .composed, .cause, code: code,
      text: reason == "NoToken"
        ? "The device had lost its push token when the push was due."
        : "No push was made for the device: \(code).",
      at: outcome?.time, link: link, advice: FailureAdvice.text(code))
  }

  private func answered(_ meaning: DeliveryTimeline.Meaning) -> [DeliveryTimeline.Step] {
    guard let send = delivery.send, let outcome = delivery.outcome else { return [] }
    let device = delivery.device
    let environment = device.isDevelopment ? "development" : "production"
    let id = Identifiers.apnsID(send: send.id, device: device.id)
    let link = DeliveryTimeline.Link.outcome(notification: send.id, device: device.id)
    let sent = Step(
      .sent, .passed, code: "sent",
      text: "It was sent to Apple's \(environment) environment with the apns-id \(id)."
        + (device.tokenAt.map { " The app has registered the token at \($0.iso8601)." } ?? "")
        + " The connection and the number of attempts are not stored.",
      at: outcome.time, link: link)
    guard meaning == .cause else {
      let accepted = Step(
        .answered, .passed, code: "accepted", text: "APNs accepted the push.", at: outcome.time,
        link: link)
      return [sent, accepted] + phone(acceptedAt: outcome.time).steps
    }
    let reason = outcome.reason ?? outcome.result.rawValue
    let status = outcome.status.map { "\($0) " } ?? ""
    return [
      sent,
      Step(
        .answered, .cause, code: reason,
        text: "APNs refused the push with \(status)\(reason).\(token(outcome))",
        at: outcome.time, link: link, advice: FailureAdvice.text(reason)),
    ]
  }

  /// What became of the device's token after a refusal.
  private func token(_ outcome: Outcome) -> String {
    guard outcome.result == .uninstalled else { return " The device keeps its token." }
    if let time = delivery.device.uninstalledAt {
      return " The server does not use the token any more since \(time.iso8601)."
    }
    if let time = delivery.device.tokenAt, time > outcome.time {
      return " The app has registered again at \(time.iso8601)."
    }
    return " The device keeps its token, because too many were called invalid at once, or it was"
      + " registered after the time that APNs names."
  }

  private func phone(acceptedAt time: Timestamp) -> PhoneSteps {
    let device = delivery.device
    var phone = PhoneSteps(push: push, acceptedAt: time)
    phone.settings = device.settings
    phone.isQuiet = device.isPushQuiet
    phone.receipts = delivery.receipts
    phone.expiresAt = delivery.send?.expiresAt
    phone.uninstalledAt = device.uninstalledAt
    phone.app = device.appWords
    phone.now = delivery.now
    return phone
  }
}

extension DeliveryFacts {
  /// Whether the device is in a part of the audience whose devices are left out.
  fileprivate var isExcluded: Bool {
    if reason.code == .notInAudience, case .excluded? = miss { true } else { false }
  }
}

extension Device {
  /// The versions and the last opening of the app, as far as it has reported them; `nil` if it has reported none.
  fileprivate var appWords: String? {
    let words = [
      appVersion.map { "version \($0)" }, osVersion.map { "on \(platform) \($0)" },
      sdkVersion.map { "with \($0)" }, lastOpenedAt.map { "last opened at \($0.iso8601)" },
    ].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// The text as a sentence, with a capital letter and a full stop.
  var asSentence: String { capitalizedFirst + (hasSuffix(".") ? "" : ".") }
}
