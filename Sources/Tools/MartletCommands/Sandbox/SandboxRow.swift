import Foundation
import Markup
import PushPayload

/// A request on the sandbox's page.
struct SandboxRow {
  /// The maximum length of a row's texts, except the payload, in Unicode scalars.
  static let textLimit = 300

  /// The number on the page.
  let number: Int
  let streamID: StreamID
  private let journal: JSONValue
  /// The card on a simulated phone; `nil` without phones, or if it is not drawn yet.
  var shown: ForwardedPush?

  /// The HTTP/2 stream of a request.
  struct StreamID: Hashable {
    let connection: Int64
    let stream: Int64
  }

  /// Reads a journal line; `nil` if it is not valid.
  init?(_ number: Int, line: String) {
    guard let journal = try? JSONValue(parsing: Data(line.utf8)),
      let connection = journal["connection"]?.integer, let stream = journal["stream"]?.integer
    else { return nil }
    self.number = number
    self.journal = journal
    streamID = StreamID(connection: connection, stream: stream)
  }

  /// The row as a list item, with all texts of the request escaped.
  var html: HTML {
    let time = text(journal["time"])
    return """
      <li id="row-\(number)" class="\(isAccepted ? "accepted" : "refused")">
      <p class="head"><strong>\(outcome)</strong> <time datetime="\(time)">\
      \(time.dropFirst(11).prefix(12))</time> \
      <code>\(device)</code> \(kind)</p>
      \(shown?.card == nil ? alert : card)\(payload)
      </li>
      """
  }

  private var isAccepted: Bool { journal["status"]?.integer.map { 200...299 ~= $0 } ?? false }

  private var outcome: String {
    guard let status = journal["status"]?.integer else { return "no answer" }
    return "\(status) \(isAccepted ? "accepted" : text(journal["reason"]))"
  }

  /// The device token; if the request is not a push, the method and path.
  private var device: String {
    guard let token = journal["token"]?.string else {
      return "\(text(journal["method"])) \(text(journal["path"]))"
    }
    return Self.cut(token, to: 64)
  }

  private var kind: HTML {
    let fields = ["apns-push-type", "apns-topic", "apns-priority", "apns-collapse-id"]
    return fields.reduce(into: HTML.empty) { html, name in
      let value = text(journal["headers"]?[name])
      guard !value.isEmpty else { return }
      let label = name.dropFirst(5).replacing("-", with: " ")
      html += "<span title=\"\(name)\">\(label) <bdi>\(value)</bdi></span> "
    }
  }

  /// The texts of the alert, for a row without a card.
  private var alert: HTML {
    let alert = journal["payload"]?["aps"]?["alert"]
    let texts = [alert?["title"], alert?["subtitle"], alert?["body"], alert].map { text($0) }
    let parts = texts.filter { !$0.isEmpty }.map { "<bdi>\($0)</bdi>" as HTML }
    let shown = parts.dropFirst().reduce(parts.first) { "\($0) · \($1)" }
    return """
      \(shown.map { "<p class=\"alert\">\($0)</p>\n" as HTML })\
      \("<p>The phone shows nothing.</p>\n", if: self.shown != nil)
      """
  }

  private var card: HTML {
    let text = Self.cut(shown?.text ?? "", to: Self.textLimit)
    return "<img src=\"/cards/\(number).png\" alt=\"\(text)\">\n"
  }

  private var payload: HTML? {
    guard let payload = journal["payload"], payload != .null else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = (try? encoder.encode(payload)).map { String(decoding: $0, as: UTF8.self) }
    return """
      <details><summary>Payload</summary>
      <pre tabindex="0">\(text ?? "")</pre></details>
      """
  }

  private func text(_ value: JSONValue?) -> String {
    Self.cut(value?.string ?? "", to: Self.textLimit)
  }

  /// A text of at most `limit` Unicode scalars, with an ellipsis if it was longer.
  static func cut(_ text: String, to limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(text[..<end]) + "…"
  }
}
