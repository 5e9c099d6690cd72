import Markup
import PushModel
import PushPayload

/// Variants that are in-app messages: their title, text, link and media are those of the composer's fields.
extension CampaignForm {
  /// The parts of a variant with the time for which inboxes show it.
  static let lifePart = "life"
  static let lifeUnitPart = "life_unit"

  /// Whether the campaign publishes in-app messages in place of pushes.
  var isInApp: Bool { self[.content] == ComposeForm.Kind.message.rawValue }

  /// The time for which inboxes show a variant; `nil` if the field is empty.
  func life(of variant: VariantForm) -> CampaignPeriod? {
    guard let amount = form[Self.name(variant.index, Self.lifePart)], !amount.isEmpty else {
      return nil
    }
    return CampaignPeriod(amount: amount, unit: lifeUnit(of: variant))
  }

  func lifeUnit(of variant: VariantForm) -> CampaignPeriod.Unit {
    form[Self.name(variant.index, Self.lifeUnitPart)].flatMap(CampaignPeriod.Unit.init) ?? .days
  }

  /// The member `message` of a variant, with the stored members for which the form has no field.
  func message(of variant: VariantForm) -> JSONValue {
    var members = variant.kept["message"]?.object ?? [:]
    members.merge(variant.compose.messageContent) { $1 }
    members["unpublish_after"] = life(of: variant).map { .string($0.iso8601) }
    return .object(members)
  }

  /// The members of a stored message that have no field.
  static func keptMembers(ofMessage message: JSONValue?) -> JSONValue? {
    let own = ["title", "text", "url", "unpublish_after"]
    return message?.without(own + [mediaMember(of: message)].compactMap(\.self))
  }

  /// The member that the field for media shows; `nil` if the form would write its address as the other member.
  ///
  /// The form has one field for both, and tells them apart by the file's name.
  private static func mediaMember(of message: JSONValue?) -> String? {
    let members = ["card_media_url", "card_image_url"]
    guard let name = members.first(where: { message?[$0]?.string != nil }) else { return nil }
    var compose = ComposeForm()
    compose[.media] = message?[name]?.string ?? ""
    return compose.messageContent[name] == nil ? nil : name
  }

  mutating func fill(variant index: Int, from message: JSONValue) {
    let media = Self.mediaMember(of: message).flatMap { message[$0] }
    for (field, value) in [
      (ComposeField.title, message["title"]), (.text, message["text"]), (.link, message["url"]),
      (.media, media),
    ] {
      if let text = value?.string { append(Self.name(index, field.rawValue), text) }
    }
    let text = message["unpublish_after"]?.string
    guard let duration = text.flatMap(BodyValue.duration(of:)) else { return }
    let life = CampaignPeriod(duration)
    append(Self.name(index, Self.lifePart), life.amount)
    append(Self.name(index, Self.lifeUnitPart), life.unit.rawValue)
  }

  /// The choices of the form that in-app messages do not support.
  var messageProblems: [Remark] {
    guard isInApp else { return [] }
    var all: [Remark] = []
    switch kind {
    case .recurring where self[.clock] == "device":
      all.append(
        .refusal(
          "All inboxes show an in-app message from the same moment. Choose one time zone.",
          at: Field.clock.rawValue))
    case .once where !self[.localTime].isEmpty:
      all.append(
        .refusal(
          "All inboxes show an in-app message from the same moment, so it has no local time.",
          at: Field.localTime.rawValue))
    case .once where !self[.bestTime].isEmpty:
      all.append(
        .refusal(
          "All inboxes show an in-app message from the same moment, so it has no best time.",
          at: Field.bestTime.rawValue))
    case .once, .recurring, .triggered: break
    }
    for variant in variants {
      guard let life = life(of: variant) else { continue }
      let isAllowed =
        BodyValue.duration(of: life.iso8601).map(CampaignMessage.lifeRange.contains) ?? false
      if !isAllowed {
        all.append(
          .refusal(
            "\(variant.title), visible for: enter a time from 1 minute to 90 days.",
            at: Self.name(variant.index, Self.lifePart)))
      }
    }
    return all
  }
}

extension CampaignMessage {
  /// The message as inboxes of the app show it; `nil` if the variant is a push.
  static func preview(
    _ message: CampaignMessage?, _ request: PageRequest
  ) async throws -> HTML? {
    guard let message else { return nil }
    let nobody = Audience(id: "", app: request.app.id, filters: [], createdAt: request.now)
    return try await MessagePreview(
      message.message(in: request.app.id, for: nobody, id: "", at: request.now), request
    ).html
  }
}
