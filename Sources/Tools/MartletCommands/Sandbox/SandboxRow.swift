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
  /// The word of the journal for what became of a push to a phone that was offline; `nil` for any other request.
  var delivery: String?

  /// The HTTP/2 stream of a request.
  struct StreamID: Hashable {
    let connection: Int64
    let stream: Int64

    init(connection: Int64, stream: Int64) {
      (self.connection, self.stream) = (connection, stream)
    }

    /// Reads the stream of a journal line; `nil` if it names none.
    init?(_ journal: JSONValue) {
      guard let connection = journal["connection"]?.integer,
        let stream = journal["stream"]?.integer
      else { return nil }
      self.init(connection: connection, stream: stream)
    }
  }

  /// Makes a row of the journal line of a request.
  init(_ number: Int, of streamID: StreamID, _ journal: JSONValue) {
    (self.number, self.streamID, self.journal) = (number, streamID, journal)
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
    let answer = "\(status) \(isAccepted ? "accepted" : text(journal["reason"]))"
    return delivery.map { "\(answer), \(Self.words[$0] ?? $0)" } ?? answer
  }

  private static let words = [
    "stored": "stored until the phone is back", "delivered": "delivered when the phone came back",
    "replaced": "replaced by a later push", "expired": "expired while the phone was offline",
    "not-stored": "not stored for the phone, which is offline",
    "no-room": "not stored for the phone, since the sandbox is full",
  ]

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
      \(reason.map { "<p>The phone shows no notification: \($0).</p>\n" as HTML })
      """
  }

  /// The reason why the phone shows no notification, for a row without a card; `nil` without a phone.
  private var reason: String? { shown.map { Self.cut($0.text, to: Self.textLimit) } }

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
