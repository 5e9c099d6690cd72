/// An error of compiling or rendering a template.
///
/// Its message quotes the template, and never a value of a device.
package struct LiquidError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  package struct Code: Hashable, Sendable {
    private enum Raw { case syntax, unknownTag, unknownFilter, arguments, value, limit }
    private let raw: Raw

    package static let syntax = Code(raw: .syntax)
    package static let unknownTag = Code(raw: .unknownTag)
    package static let unknownFilter = Code(raw: .unknownFilter)
    /// A filter has too many or too few arguments.
    package static let arguments = Code(raw: .arguments)
    /// A value cannot be used as the template needs it, such as 0 as a divisor.
    package static let value = Code(raw: .value)
    /// The template exceeds one of ``Template/Limits``.
    package static let limit = Code(raw: .limit)
  }

  package var code: Code
  package var message: String
  /// Counted from 1.
  package var line: Int
  /// Counted from 1, in characters.
  package var column: Int

  package var description: String { "line \(line), column \(column): \(message)" }

  init(_ error: SourceError, in source: String) {
    code = error.code
    message = error.message
    let before = String(decoding: source.utf8.prefix(error.offset), as: UTF8.self)
    let lines = before.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    line = lines.count
    column = (lines.last?.count ?? 0) + 1
  }
}

/// An error with its offset in the source, from which ``LiquidError`` makes line and column.
struct SourceError: Error {
  var code: LiquidError.Code
  var message: String
  /// The number of bytes of the source before the error.
  var offset: Int

  init(_ code: LiquidError.Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// A word of the template in quotes, cut to 40 characters.
  static func quote(_ word: some StringProtocol) -> String {
    word.count > 40 ? "'\(word.prefix(40))…'" : "'\(word)'"
  }
}
