package import MediaLoading

/// A parser of the lines of a response's head, which skips interim responses (1xx) and trailers.
package struct ResponseHeadParser: Sendable {
  /// The result of parsing a line.
  package enum Action: Sendable {
    /// The head is not complete.
    case none
    /// The head is complete; returned once.
    case announce(MediaResponseHead)
    /// The head exceeds a limit, or has an invalid length.
    case fail
  }

  /// The maximum number of header fields, those of interim responses and trailers included.
  package static let maximumFields = 100
  /// The maximum number of bytes of all lines, line ends included.
  package static let maximumBytes = 16_384

  private var status = 0
  private var fields: [(name: String, value: String)] = []
  private var isDone = false
  private var bytes = 0
  private var count = 0

  package init() {}

  /// Parses one line, with its line end.
  package mutating func on(_ line: some Collection<UInt8>) -> Action {
    bytes += line.count
    guard bytes <= Self.maximumBytes, count <= Self.maximumFields else { return .fail }
    let text = String(decoding: line, as: UTF8.self).trimmingLineEnd
    if text.hasPrefix("HTTP/"), !isDone {
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      fields = []
    } else if text.isEmpty {
      return endHead()
    } else {
      count += 1
      guard count <= Self.maximumFields else { return .fail }
      add(text)
    }
    return .none
  }

  private mutating func endHead() -> Action {
    // RFC 9110 section 15.2: any number of interim responses may come before the final one.
    guard !isDone, status >= 200 else { return .none }
    guard hasConsistentLength else { return .fail }
    isDone = true
    // RFC 9110 section 5.3: fields of the same name are combined into a list.
    let headers = Dictionary(
      fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    return .announce(MediaResponseHead(status: status, headers: headers))
  }

  /// Whether all `Content-Length` fields are valid and equal.
  ///
  /// If not, it is an unrecoverable error (RFC 9112 section 6.3).
  private var hasConsistentLength: Bool {
    let lengths = fields.filter { $0.name.lowercased() == "content-length" }
      .flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
      .map { String($0.trimmingSpaces) }
    return Set(lengths).count <= 1
      && lengths.allSatisfy { $0.utf8.allSatisfy(Self.isDigit) && UInt64($0) != nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private mutating func add(_ text: String) {
    if text.first == " " || text.first == "\t" {
      // RFC 9112 section 5.2: a folded line continues the previous one.
      guard !fields.isEmpty else { return }
      fields[fields.count - 1].value += " " + text.drop { $0 == " " || $0 == "\t" }
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...]
      fields.append((String(text[..<colon]), value.trimmingSpaces))
    }
  }
}

extension StringProtocol {
  fileprivate var trimmingLineEnd: String {
    let end = unicodeScalars.reversed().prefix { $0 == "\r" || $0 == "\n" }.count
    return String(String.UnicodeScalarView(unicodeScalars.dropLast(end)))
  }

  fileprivate var trimmingSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
