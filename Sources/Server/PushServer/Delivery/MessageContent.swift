import PushPayload

/// The content of a message in inboxes, as a request gives it.
struct MessageContent: Sendable {
  /// The largest size of the JSON in bytes, which limits the size of a page of an inbox.
  static let limit = 256 * 1024
  static let types = ["text_message", "image_message", "link_message", "video_message"]

  var title: String
  /// The members `text`, `type`, `url`, `custom` and the media that the request has.
  private(set) var members: [String: JSONValue] = [:]

  init(_ field: BodyValue) throws(RequestError) {
    title = try Self.text(try field.required("title"), 1...255)
    if let text = field["text"] { members["text"] = .string(try Self.text(text, 0...10_000)) }
    for key in ["url", "card_image_url", "card_media_url"] {
      if let url = field[key] { members[key] = .string(try Self.text(url, 1...2048)) }
    }
    if let custom = field["custom"] {
      for (name, value) in try custom.object() {
        _ = try Self.text(custom.member(name, value), 0...10_000)
      }
      members["custom"] = custom.value
    }
    members["type"] = .string(try type(field["type"]))
    guard JSONValue.object(members).bytes.count <= Self.limit else {
      throw .refused(field.path, "must have at most \(Self.limit) bytes to show")
    }
  }

  /// Returns the type that the request names, or the one that follows from its members.
  private func type(_ field: BodyValue?) throws(RequestError) -> String {
    guard let field else {
      if members["card_media_url"] != nil { return "video_message" }
      if members["url"] != nil { return "link_message" }
      return members["card_image_url"] != nil ? "image_message" : "text_message"
    }
    let type = try field.string()
    guard Self.types.contains(type) else {
      throw .refused(field.path, "must be one of \(Self.types.joined(separator: ", "))")
    }
    return type
  }

  private static func text(
    _ field: BodyValue, _ length: ClosedRange<Int>
  ) throws(RequestError) -> String {
    let text = try field.string()
    guard length.contains(text.unicodeScalars.count) else {
      throw .refused(
        field.path, "must be \(length.lowerBound) to \(length.upperBound) characters")
    }
    return text
  }
}
