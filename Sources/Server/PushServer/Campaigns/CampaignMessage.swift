import PushModel
import PushPayload

/// The in-app message of a campaign's variant.
struct CampaignMessage: Sendable {
  /// The range of ``life``, whose upper bound is the default.
  static let lifeRange = Duration.seconds(60)...NewMessage.life

  var content: MessageContent
  /// The time for which inboxes show the message, from its publication on.
  var life: Duration
  /// The message as it was written, without the campaign's parameters on its link.
  var written: JSONValue

  /// Reads the member `message` of a variant; `utm` is added to its link.
  init(_ field: BodyValue, adding utm: LinkParameters?) throws(RequestError) {
    content = try MessageContent(try utm?.added(to: field) ?? field)
    life =
      try field["unpublish_after"].map { value throws(RequestError) in
        try value.duration(in: Self.lifeRange, "one minute to 90 days")
      } ?? NewMessage.life
    written = field.value
  }

  /// A message that inboxes show from now on.
  func message(in app: String, for audience: Audience, id: String, at now: Timestamp) -> Message {
    var message = Message(
      id: id, app: app, audience: audience.id, title: content.title,
      content: .object(content.members), createdAt: now, unpublishAt: now + life)
    message.publishAt = now
    return message
  }
}

extension CampaignPlan {
  /// Whether the campaign publishes in-app messages, which need no push token, in place of pushes.
  var isInApp: Bool { variants.contains { $0.message != nil } }

  /// Refuses members that only a push has, and a mix of pushes and in-app messages.
  func checkMessages(_ field: BodyValue) throws(RequestError) {
    let all = steps.flatMap(\.variants)
    guard let first = all.first(where: { $0.message != nil }) else { return }
    let path = field.path(to: "variants")
    guard all.allSatisfy({ $0.message != nil }) else {
      throw .refused(path, "must all have a message, as \(first.key) has, or all a payload")
    }
    guard !isLocalTime, !isBestTime, schedule?.zone != .device else {
      throw .refused(
        field.path(to: "when"),
        "cannot be the time of each device: all inboxes show a message from the same moment")
    }
    for name in ["per_second", "quiet", "caps", "counts"] {
      if let limit = field["limits"]?[name] {
        throw .refused(limit.path, "is a limit of pushes, and the campaign has none")
      }
    }
  }
}

extension CampaignMessage {
  /// The message of a variant in a run.
  func message(
    as origin: Send.RunOrigin, in app: String, for audience: Audience, at now: Timestamp
  ) -> Message {
    var new = message(in: app, for: audience, id: Identifiers.makeObjectID(), at: now)
    new.origin = origin
    return new
  }
}
