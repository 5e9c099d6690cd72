import PushModel
import PushPayload

extension ComposeForm {
  /// The field with the ID of the scheduled send that the form replaces.
  static let replacedField = "replaces"

  /// The scheduled send that the form replaces; `nil` if the form replaces none, or if the send has started.
  func replacedSend(_ request: PageRequest) async throws -> Send? {
    guard let id = form[Self.replacedField],
      let send = try await request.router.store.send(id, app: request.app.id),
      send.startedAt == nil, send.scheduledAt != nil
    else { return nil }
    return send
  }

  /// The form that duplicates a send; payload keys without a field go into the additional JSON.
  ///
  /// Times in the past are left out, because the API refuses them. `everyone` is the ID of the app's audience of
  /// all devices.
  init(_ send: Send, message: Message? = nil, everyone: String, at now: Timestamp) {
    var remaining = send.payload.object ?? [:]
    self.init()
    self[.kind] = (message == nil ? Kind.push : .both).rawValue
    self[.to] = send.audience == everyone ? "*" : send.audience
    if let message { fill(from: message, removingFrom: &remaining) }
    fill(fromPayload: remaining, linksToMessage: message != nil)
    self[.sendName] = send.name ?? ""
    self[.labels] = send.labels.joined(separator: ", ")
    if let throttle = send.throttlePerSecond { self[.throttle] = String(throttle) }
    if let time = send.scheduledAt, time > now {
      self[.scheduledAt] = time.inputValue
      if send.isLocalTime { self[.localTime] = "on" }
    }
    if let time = send.expiresAt, time > now { self[.expiresAt] = time.inputValue }
  }

  /// Fills the fields of a payload; keys without a field go into the additional JSON.
  ///
  /// `linksToMessage` says whether the deep link leads to an in-app message.
  mutating func fill(fromPayload payload: [String: JSONValue], linksToMessage: Bool = false) {
    var remaining = payload
    for (key, field) in Self.localizedKeys {
      if let value = remaining[key], value.object != nil, fillTexts(value, of: field) {
        remaining[key] = nil
      }
    }
    for (key, field) in Self.localizedKeys + Self.textKeys + [("badge", .badge)] {
      guard let value = remaining[key]?.scalarText else { continue }
      self[field] = value
      remaining[key] = nil
    }
    if !linksToMessage, let link = remaining["url"]?.string {
      self[.link] = link
      remaining["url"] = nil
    }
    if let score = remaining["relevance_score"]?.number {
      self[.relevance] = score.description
      remaining["relevance_score"] = nil
    }
    if remaining["_overflow"] == "shorten" {
      self[.shorten] = "on"
      remaining["_overflow"] = nil
    }
    fillRichContent(removingFrom: &remaining)
    for key in remaining.keys.sorted() {
      guard let value = remaining[key]?.string else { continue }
      append("pair_key", key)
      append("pair_value", value)
      remaining[key] = nil
    }
    if !remaining.isEmpty {
      self[.more] = String(decoding: JSONValue.object(remaining).serialized(), as: UTF8.self)
    }
  }

  /// Fills the fields of the in-app message, and removes the members that the server added to the payload for it.
  private mutating func fill(
    from message: Message, removingFrom remaining: inout [String: JSONValue]
  ) {
    let content = message.content
    if let text = content["text"]?.string, text != remaining["alert"]?.string {
      self[.messageText] = text
    }
    self[.link] = content["url"]?.string ?? ""
    let media = (content["card_media_url"] ?? content["card_image_url"])?.string
    if let media { self[.media] = media }
    var platform = remaining["_st"]?.object ?? [:]
    platform["mid"] = nil
    for key in ["image_url", "video_url"] where platform[key]?.string == media {
      platform[key] = nil
    }
    remaining["_st"] = platform.isEmpty ? nil : .object(platform)
    if remaining["title"] == nil { self[.title] = message.title }
  }

  private mutating func fillRichContent(removingFrom remaining: inout [String: JSONValue]) {
    // The form reads only content that it can write. Richer content stays complete in the additional JSON.
    guard let rich = remaining["_martlet"]?.object, remaining["mutable_content"] == true,
      rich.keys.allSatisfy({ ["media", "alternative_text", "buttons", "template"].contains($0) }),
      // The rows for buttons hold those of the template.
      rich["template"] == nil || rich["buttons"] == nil
    else { return }
    var url: String?
    if let media = rich["media"]?.array {
      guard media.count == 1, media[0].object?.count == 1, let only = media[0]["url"]?.string
      else { return }
      url = only
    }
    if let buttons = rich["buttons"] {
      guard fillButtons(from: buttons) else { return }
    }
    var rest: [String: JSONValue] = [:]
    if let template = rich["template"] {
      guard let unread = fillTemplate(from: template) else { return }
      rest = unread
      if self[.category] == Self.templateCategory { self[.category] = "" }
    }
    if let url { self[.media] = url }
    self[.alternativeText] = rich["alternative_text"]?.string ?? ""
    remaining["_martlet"] = rest.isEmpty ? nil : ["template": .object(rest)]
    remaining["mutable_content"] = nil
  }
}

extension JSONValue {
  fileprivate var scalarText: String? { string ?? integer.map { String($0) } }
}

extension Timestamp {
  /// The value of a `datetime-local` input, in UTC.
  var inputValue: String { String(iso8601.prefix(16)) }

  /// The time of a template: a number of seconds since 1970, or ISO 8601.
  init?(template value: JSONValue) {
    if let seconds = value.integer, ActivityPayload.seconds.contains(seconds) {
      self.init(milliseconds: seconds * 1000)
    } else if let text = value.string, let time = Timestamp(iso8601: text) {
      self = time
    } else {
      return nil
    }
  }
}
