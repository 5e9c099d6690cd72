package import MediaLoading

/// Collects the lines of an answer's head; an interim answer (1xx) and trailers are passed over.
package struct ResponseHeadParser: Sendable {
  /// What a line led to.
  package enum Action: Sendable {
    /// Go on.
    case none
    /// The head is whole: told once.
    case announce(MediaResponseHead)
    /// The server sends more than one would keep, or a length that is none.
    case fail
  }

  /// Header fields of all blocks together, those of interim answers and trailers too.
  package static let maximumFields = 100
  /// Bytes of all lines together, with their ends.
  package static let maximumBytes = 16_384

  private var status = 0
  private var fields: [(name: String, value: String)] = []
  private var isDone = false
  private var bytes = 0
  private var count = 0

  package init() {}

  /// Takes one line, with its end.
  package mutating func on(_ line: some Collection<UInt8>) -> Action {
    bytes += line.count
    guard bytes <= Self.maximumBytes, count <= Self.maximumFields else { return .fail }
    let text = String(decoding: line, as: UTF8.self).trimmingLineEnd
    if text.hasPrefix("HTTP/"), !isDone {
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      fields = []
    } else if text.isEmpty {
      return end()
    } else {
      count += 1
      guard count <= Self.maximumFields else { return .fail }
      add(text)
    }
    return .none
  }

  private mutating func end() -> Action {
    // RFC 9110 section 15.2: any number of interim answers may come before the final one.
    guard !isDone, status >= 200 else { return .none }
    guard hasOneLength else { return .fail }
    isDone = true
    // RFC 9110 section 5.3: fields of one name are one list.
    let headers = Dictionary(
      fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    return .announce(MediaResponseHead(status: status, headers: headers))
  }

  /// RFC 9112 section 6.3: lengths that differ, or are none, are an error that nothing mends; one that
  /// is repeated is one.
  private var hasOneLength: Bool {
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
      // A folded line belongs to the one before: RFC 9112 section 5.2.
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
