import Markup
import PushModel
import PushPayload
import _OpenSSLCrypto

/// The form that changes an in-app message.
struct MessageForm: Sendable {
  enum Field: String, CaseIterable, Sendable {
    case title, text, url
    case image = "card_image_url"
    case video = "card_media_url"
    case unpublishAt = "unpublish_at"

    var title: String {
      switch self {
      case .title: "Title"
      case .text: "Text"
      case .url: "Link"
      case .image: "Picture (URL)"
      case .video: "Video (URL)"
      case .unpublishAt: "Visible until (UTC)"
      }
    }
  }

  private(set) var form: Form
  /// A hash of the message that the user has seen.
  var version: String { form["version"] ?? "" }

  init(_ form: Form) { self.form = form }

  init(_ message: Message) {
    form = Form()
    form.set("version", Self.version(of: message))
    self[.title] = message.title
    for field in [Field.text, .url, .image, .video] {
      self[field] = message.content[field.rawValue]?.string ?? ""
    }
    self[.unpublishAt] = message.unpublishAt.inputValue
  }

  subscript(field: Field) -> String {
    get { form[field.rawValue] ?? "" }
    set { form.set(field.rawValue, newValue) }
  }

  /// A hash of the parts that the form changes.
  static func version(of message: Message) -> String {
    let text = [
      message.title, String(decoding: message.content.serialized(), as: UTF8.self),
      message.unpublishAt.iso8601,
    ].joined(separator: "\n")
    return Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(text.utf8)).prefix(8)))
  }

  /// The field for a JSON path of the request.
  static func field(at path: String) -> Field? {
    path.split(separator: ".").last.flatMap { Field(rawValue: String($0)) }
  }

  /// The `message` of a request, with the members for which the form has no field.
  func body(replacing message: Message) -> BodyValue {
    var members: [String: JSONValue] = ["title": .string(self[.title])]
    members["custom"] = message.content["custom"]
    for field in [Field.text, .url, .image, .video] where !self[field].isEmpty {
      members[field.rawValue] = .string(self[field])
    }
    // A type that followed from the old content follows from the new content instead.
    let old = message.content.object ?? [:]
    if let type = old["type"], type.string != Self.type(of: old) { members["type"] = type }
    if self[.unpublishAt] != message.unpublishAt.inputValue {
      let text = self[.unpublishAt]
      members["unpublish_at"] = .string(text.count == 16 ? text + ":00Z" : text)
    }
    return BodyValue(.object(members), at: "$.message")
  }

  /// The message as the form changes it; `nil` if the form is refused.
  func changed(_ message: Message) -> Message? {
    guard let content = try? MessageContent(body(replacing: message)) else { return nil }
    var changed = message
    (changed.title, changed.content) = (content.title, .object(content.members))
    return changed
  }

  private static func type(of content: [String: JSONValue]) -> String? {
    var members = content
    members["type"] = nil
    members["title"] = "-"
    return (try? MessageContent(BodyValue(.object(members))))?.members["type"]?.string
  }
}
