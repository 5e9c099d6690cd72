import Foundation

/// The strings of an app's `Localizable.strings` (rule `localized-text`).
struct LocalizedStrings: Sendable {
  private var table: [String: String] = [:]

  /// Creates an empty table.
  init() {}

  /// Reads the strings of a bundle: the unlocalized file, `Base`, then the language, each overriding the one
  /// before.
  ///
  /// A file that is missing or invalid is ignored.
  init(bundle: URL, language: String) {
    for folder in ["", "Base.lproj", "\(language).lproj"] {
      let file = bundle.appending(path: folder).appending(path: "Localizable.strings")
      guard let data = try? Data(contentsOf: file), data.count <= 1_000_000 else { continue }
      let encoding: String.Encoding =
        data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) ? .utf16 : .utf8
      guard let text = String(data: data, encoding: encoding) else { continue }
      table.merge(Self.parse(text)) { _, new in new }
    }
  }

  subscript(key: String) -> String? { table[key] }

  /// Parses entries of the form `"key" = "value";`, skipping comments.
  static func parse(_ text: String) -> [String: String] {
    let quoted = #""((?:[^"\\]|\\.)*)""#
    let comment = #"/\*[\s\S]*?\*/|//[^\n]*"#
    guard
      let pattern = try? NSRegularExpression(
        pattern: "\(comment)|\(quoted)\\s*=\\s*\(quoted)\\s*;")
    else { return [:] }
    var pairs: [String: String] = [:]
    let range = NSRange(text.startIndex..., in: text)
    for match in pattern.matches(in: text, range: range) {
      guard let key = Range(match.range(at: 1), in: text),
        let value = Range(match.range(at: 2), in: text)
      else { continue }
      pairs[unescape(text[key])] = unescape(text[value])
    }
    return pairs
  }

  private static func unescape(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}
