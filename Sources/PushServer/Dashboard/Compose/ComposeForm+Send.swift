import PushPayload
import PushStore

extension ComposeForm {
  /// The form that makes the same send again; keys that have no field go into the JSON beside them.
  ///
  /// Times that are over stay behind: nothing could be sent with them. `everyone` is the id of the
  /// audience of every device.
  init(_ send: Send, message: Message? = nil, everyone: String, at now: Timestamp) {
    var rest = send.payload.object ?? [:]
    self.init()
    self[.kind] = (message == nil ? Kind.push : .both).rawValue
    self[.to] = send.audience == everyone ? "*" : send.audience
    if let message { take(message, &rest) }
    let texts: [(ComposeField, String)] = [
      (.title, "title"), (.subtitle, "subtitle"), (.text, "alert"), (.category, "category"),
      (.sound, "sound"), (.collapseKey, "collapse_key"),
      (.interruptionLevel, "interruption_level"), (.badge, "badge"),
    ]
    for (field, key) in texts {
      guard let value = rest[key]?.scalarText else { continue }
      self[field] = value
      rest[key] = nil
    }
    if message == nil, let link = rest["url"]?.string {
      self[.link] = link
      rest["url"] = nil
    }
    if let score = rest["relevance_score"]?.number {
      self[.relevance] = score.description
      rest["relevance_score"] = nil
    }
    if rest["_overflow"] == "shorten" {
      self[.shorten] = "on"
      rest["_overflow"] = nil
    }
    takeRich(&rest)
    for key in rest.keys.sorted() {
      guard let value = rest[key]?.string else { continue }
      append("pair_key", key)
      append("pair_value", value)
      rest[key] = nil
    }
    if !rest.isEmpty {
      self[.more] = String(decoding: JSONValue.object(rest).serialized(), as: UTF8.self)
    }
    if let throttle = send.throttlePerSecond { self[.throttle] = String(throttle) }
    if let time = send.scheduledAt, time > now {
      self[.scheduledAt] = time.minute
      if send.isLocalTime { self[.localTime] = "on" }
    }
    if let time = send.expiresAt, time > now { self[.expiresAt] = time.minute }
  }

  /// What the message says, and out of the payload what the server put there for it.
  private mutating func take(_ message: Message, _ rest: inout [String: JSONValue]) {
    let content = message.content
    if let text = content["text"]?.string, text != rest["alert"]?.string {
      self[.messageText] = text
    }
    self[.link] = content["url"]?.string ?? ""
    let media = (content["card_media_url"] ?? content["card_image_url"])?.string
    if let media { self[.media] = media }
    var platform = rest["_st"]?.object ?? [:]
    platform["mid"] = nil
    for key in ["image_url", "video_url"] where platform[key]?.string == media {
      platform[key] = nil
    }
    rest["_st"] = platform.isEmpty ? nil : .object(platform)
    if rest["title"] == nil { self[.title] = message.title }
  }

  private mutating func takeRich(_ rest: inout [String: JSONValue]) {
    // Only what this form writes; anything richer stays whole in the JSON.
    guard let rich = rest["_martlet"]?.object, rest["mutable_content"] == true,
      rich.keys.allSatisfy({ ["media", "alternative_text", "buttons"].contains($0) })
    else { return }
    var url: String?
    if let media = rich["media"]?.array {
      guard media.count == 1, media[0].object?.count == 1, let only = media[0]["url"]?.string
      else { return }
      url = only
    }
    if let buttons = rich["buttons"] {
      guard take(buttons: buttons) else { return }
    }
    if let url { self[.media] = url }
    self[.alternativeText] = rich["alternative_text"]?.string ?? ""
    rest["_martlet"] = nil
    rest["mutable_content"] = nil
  }
}

extension JSONValue {
  fileprivate var scalarText: String? { string ?? integer.map { String($0) } }
}

extension Timestamp {
  /// As a browser's field of date and time has it, in UTC.
  fileprivate var minute: String { String(iso8601.prefix(16)) }
}
