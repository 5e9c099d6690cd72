import Foundation
import PushPayload

/// One request on the sandbox's page.
struct SandboxRow {
  /// The longest text of a row but for the payload, in Unicode's scalars.
  static let textLimit = 300

  /// Its number on the page.
  let number: Int
  /// Where it came: the connection and the stream.
  let place: Place
  private let journal: JSONValue
  /// What the phone shows, where there is one.
  var shown: ForwardedPush?

  struct Place: Hashable {
    let connection: Int64
    let stream: Int64
  }

  /// Reads a line of the journal; `nil` where it is none.
  init?(_ number: Int, line: String) {
    guard let journal = try? JSONValue(parsing: Data(line.utf8)),
      let connection = journal["connection"]?.integer, let stream = journal["stream"]?.integer
    else { return nil }
    self.number = number
    self.journal = journal
    place = Place(connection: connection, stream: stream)
  }

  /// A list item in which nothing that came is markup.
  var html: String {
    let time = text(journal["time"])
    let clock = time.dropFirst(11).prefix(12)
    return """
      <li id="row-\(number)" class="\(isAccepted ? "accepted" : "refused")">
      <p class="head"><strong>\(outcome)</strong> <time datetime="\(time)">\(clock)</time> \
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

  /// The token; where the request is no push, what it is.
  private var device: String {
    guard let token = journal["token"]?.string else {
      return "\(text(journal["method"])) \(text(journal["path"]))"
    }
    return Self.escaped(token, limit: 64)
  }

  private var kind: String {
    ["apns-push-type", "apns-topic", "apns-priority", "apns-collapse-id"].compactMap { name in
      let value = text(journal["headers"]?[name])
      let label = name.dropFirst(5).replacing("-", with: " ")
      return value.isEmpty ? nil : "<span title=\"\(name)\">\(label) <bdi>\(value)</bdi></span>"
    }.joined(separator: " ")
  }

  /// What the alert says, where no card is there.
  private var alert: String {
    let alert = journal["payload"]?["aps"]?["alert"]
    let texts = [alert?["title"], alert?["subtitle"], alert?["body"], alert].map { text($0) }
    let shown = texts.filter { !$0.isEmpty }.map { "<bdi>\($0)</bdi>" }.joined(separator: " · ")
    let note = self.shown == nil ? "" : "<p>The person sees nothing.</p>\n"
    return (shown.isEmpty ? "" : "<p class=\"alert\">\(shown)</p>\n") + note
  }

  private var card: String {
    let text = Self.escaped(shown?.text ?? "", limit: Self.textLimit)
    return "<img src=\"/cards/\(number).png\" alt=\"\(text)\">\n"
  }

  private var payload: String {
    guard let payload = journal["payload"], payload != .null else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = (try? encoder.encode(payload)).map { String(decoding: $0, as: UTF8.self) }
    return """
      <details><summary>Payload</summary>
      <pre tabindex="0">\(Self.escaped(text ?? "", limit: .max))</pre></details>
      """
  }

  private func text(_ value: JSONValue?) -> String {
    Self.escaped(value?.string ?? "", limit: Self.textLimit)
  }

  /// Text for an element or a quoted attribute, with an ellipsis where it is longer than it may be.
  static func escaped(_ text: String, limit: Int) -> String {
    var result = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      guard index < limit else { return result + "…" }
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // A line's end in a stream of events, where it is part of the text.
      case "\r": result += "&#13;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
