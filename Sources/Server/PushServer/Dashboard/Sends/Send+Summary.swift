import Liquid
import PushModel
import PushPayload

extension Send {
  /// The title and body in one line of at most 120 characters.
  var summary: String {
    let texts = [payload["title"], payload["alert"]].compactMap { text in
      (text?.string ?? text?[TextLocale.fallback]?.string).map(SampleText.rendered)
    }
    return texts.isEmpty ? "No text" : String(texts.joined(separator: " – ").prefix(120))
  }

  /// Whether the server has paused the send, and not a person.
  var isPausedByServer: Bool { (state == .paused || state == .pausing) && failure != nil }
}

/// The rendering of a text with Liquid for no particular device.
enum SampleText {
  /// The text in place of a value that differs between devices.
  static let placeholder = "…"

  /// Returns the text with each `default`, and with the placeholder for a value without one.
  ///
  /// A text that cannot be rendered stays as it is.
  static func rendered(_ text: String) -> String {
    guard text.contains("{{") || text.contains("{%"), let template = try? Template(text) else {
      return text
    }
    let written = template.references.filter(\.needsDefault).map(\.path)
    var bytes: [UInt8] = []
    guard (try? template.render(Placeholders(paths: written), now: 0, into: &bytes)) != nil else {
      return text
    }
    let rendered = String(decoding: bytes, as: UTF8.self)
    return rendered.allSatisfy(\.isWhitespace) ? text : rendered
  }

  /// A context in which some paths have the placeholder as their value, and all others have none.
  private struct Placeholders: LiquidObject {
    /// The paths below this object.
    var paths: [[String]]

    func member(_ name: String) -> LiquidValue {
      let below = paths.filter { $0.first == name }.map { Array($0.dropFirst()) }
      guard !below.isEmpty else { return .null }
      return below.contains([]) ? .string(placeholder) : .object(Placeholders(paths: below))
    }
  }
}
