/// Why a template cannot be compiled, or why rendering it was given up.
///
/// The message names what the template's author wrote, and never a value of a device.
package struct LiquidError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case syntax, unknownTag, unknownFilter, arguments, limit }
    private let raw: Raw

    package static let syntax = Code(raw: .syntax)
    package static let unknownTag = Code(raw: .unknownTag)
    package static let unknownFilter = Code(raw: .unknownFilter)
    /// A filter with too many or too few arguments.
    package static let arguments = Code(raw: .arguments)
    /// One of ``Template/Limits``.
    package static let limit = Code(raw: .limit)
  }

  package var code: Code
  package var message: String
  /// Counted from 1.
  package var line: Int
  /// Counted from 1, in characters.
  package var column: Int

  package var description: String { "line \(line), column \(column): \(message)" }

  init(_ flaw: Flaw, in source: String) {
    code = flaw.code
    message = flaw.message
    let before = String(decoding: source.utf8.prefix(flaw.offset), as: UTF8.self)
    let lines = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    line = lines.count
    column = (lines.last?.count ?? 0) + 1
  }
}

/// What is wrong and how many bytes of the source stand before it.
struct Flaw: Error {
  var code: LiquidError.Code
  var message: String
  var offset: Int

  init(_ code: LiquidError.Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// A word of the template, short enough for a message.
  static func quote(_ word: some StringProtocol) -> String {
    word.count > 40 ? "'\(word.prefix(40))…'" : "'\(word)'"
  }
}
