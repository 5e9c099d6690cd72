/// The received head of a request: the request line and the header fields.
struct RequestHead: Sendable {
  var method: String
  /// The request target, not decoded.
  var target: String
  var version: String
  var headers: [(name: String, value: String)]
  var framing: MessageFraming

  func header(_ name: String) -> String? {
    headers.first { HTTPFieldName.equal($0.name, name) }?.value
  }

  /// Whether the connection stays open after the answer (RFC 9112, section 9.3); HTTP/1.0 always closes.
  var keepsAlive: Bool {
    version == "HTTP/1.1"
      && !headers.contains { field in
        HTTPFieldName.equal(field.name, "connection")
          && field.value.split(separator: ",").contains {
            HTTPFieldName.equal(String($0.trimmed), "close")
          }
      }
  }

  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1).
  var expectsContinue: Bool {
    version == "HTTP/1.1" && framing != .length(0)
      && header("Expect").map { HTTPFieldName.equal($0, "100-continue") } ?? false
  }
}

/// A parser of the requests of one connection (RFC 9112), which takes bytes and returns heads and bodies.
///
/// It is strict if readings could differ, because a proxy that reads a request differently could be made to see
/// another one. A line ends in CR LF, no field has a NUL or another control character, no line is folded, and no
/// length is given twice. After a refusal it reads nothing more.
struct RequestReader {
  enum Event {
    case head(RequestHead)
    /// The next bytes of the body.
    case body(ArraySlice<UInt8>)
    /// The body has ended.
    case end
    case refused(MessageFraming.Refusal)
  }

  private enum State {
    case head
    case body(BodyDecoder)
    case refused
  }

  /// The most bytes of a head; a larger one is answered with 431.
  let headLimit: Int
  /// The most header fields of a request.
  static let fieldLimit = 100

  private var state = State.head
  private var buffer: [UInt8] = []
  /// The index at which the bytes begin that were not returned yet.
  private var start = 0
  /// The index at which the search for the end of a line continues.
  private var scanned = 0
  private var lineStart = 0
  private var lines: [Range<Int>] = []
  private var emptyLines = 0

  init(headLimit: Int = 24 << 10) { self.headLimit = headLimit }

  /// The number of bytes that were received but not returned yet.
  var waitingCount: Int { buffer.count - start }

  mutating func append(_ bytes: some Collection<UInt8>) { buffer.append(contentsOf: bytes) }

  /// Returns the next event; `nil` if more bytes are needed.
  mutating func next() -> Event? {
    switch state {
    case .refused: return nil
    case .head:
      do throws(MessageFraming.Refusal) {
        guard let head = try nextHead() else { return nil }
        state = .body(BodyDecoder(head.framing))
        return .head(head)
      } catch { return refuse(error) }
    case .body(let decoder):
      do throws(MessageFraming.Refusal) {
        return try nextPart(decoder)
      } catch { return refuse(error) }
    }
  }

  /// Returns the received bytes of the body, with all chunks as one part, or its end.
  private mutating func nextPart(
    _ decoder: BodyDecoder
  ) throws(MessageFraming.Refusal) -> Event? {
    var decoder = decoder
    var part: ArraySlice<UInt8> = []
    while true {
      switch try decoder.next(in: buffer[start...]) {
      case .more(let used):
        discard(used)
        state = .body(decoder)
        return part.isEmpty ? nil : .body(part)
      case .bytes(let bytes):
        if part.isEmpty { part = buffer[bytes] } else { part += buffer[bytes] }
        state = .body(decoder)
        discard(bytes.upperBound - start)
        guard decoder.isChunked else { return .body(part) }
      case .end(let used):
        // The next call finds the end again.
        guard part.isEmpty else { return .body(part) }
        discard(used)
        state = .head
        return .end
      }
    }
  }

  private mutating func refuse(_ refusal: MessageFraming.Refusal) -> Event {
    state = .refused
    buffer = []
    start = 0
    return .refused(refusal)
  }

  private mutating func discard(_ count: Int) {
    start += count
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
      start = 0
    } else if start > 256 << 10 {
      buffer.removeFirst(start)
      start = 0
    }
    (scanned, lineStart) = (start, start)
  }

  private mutating func nextHead() throws(MessageFraming.Refusal) -> RequestHead? {
    while let newline = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
      guard newline > lineStart, buffer[newline - 1] == UInt8(ascii: "\r") else {
        throw .init(status: 400, reason: "a line must end in CR LF")
      }
      let line = lineStart..<(newline - 1)
      (scanned, lineStart) = (newline + 1, newline + 1)
      try Self.check(buffer[line])
      if !line.isEmpty {
        lines.append(line)
        guard lines.count <= Self.fieldLimit + 1 else {
          throw .init(status: 431, reason: "a request may have \(Self.fieldLimit) header fields")
        }
      } else if lines.isEmpty {
        // RFC 9112, section 2.2: a client may send an empty line after a body.
        emptyLines += 1
        guard emptyLines <= 2 else { throw .init(status: 400, reason: "a request line is missing") }
      } else {
        return try completeHead()
      }
    }
    scanned = buffer.count
    guard buffer.count - start <= headLimit else {
      throw .init(status: 431, reason: "the header fields are longer than \(headLimit) bytes")
    }
    return nil
  }

  private mutating func completeHead() throws(MessageFraming.Refusal) -> RequestHead {
    let end = lineStart
    defer {
      lines.removeAll(keepingCapacity: true)
      emptyLines = 0
      discard(end - start)
    }
    guard end - start <= headLimit else {
      throw .init(status: 431, reason: "the header fields are longer than \(headLimit) bytes")
    }
    let words = buffer[lines[0]].split(
      separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, (1...32).contains(words[0].count), !words[1].isEmpty,
      words[0].allSatisfy(MessageFraming.isTokenByte), words[2].starts(with: "HTTP/".utf8)
    else { throw .init(status: 400, reason: "the request line must be METHOD TARGET HTTP/1.1") }
    let version = Self.text(words[2])
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw .init(status: 505, reason: "the server speaks HTTP/1.1")
    }
    var headers: [(name: String, value: String)] = []
    headers.reserveCapacity(lines.count - 1)
    for line in lines.dropFirst() {
      guard let colon = buffer[line].firstIndex(of: UInt8(ascii: ":")) else {
        throw .init(status: 400, reason: "a header field must have a colon")
      }
      headers.append(
        (
          name: Self.text(buffer[line.lowerBound..<colon]),
          value: String(Substring(Self.text(buffer[(colon + 1)..<line.upperBound])).trimmed)
        ))
    }
    return RequestHead(
      method: Self.text(words[0]), target: Self.text(words[1]), version: version, headers: headers,
      framing: try MessageFraming(version: version, headers: headers))
  }

  /// Refuses control characters except the tab; CR and NUL are the dangerous ones.
  private static func check(_ line: ArraySlice<UInt8>) throws(MessageFraming.Refusal) {
    guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
      throw .init(status: 400, reason: "a header field has characters that are not allowed")
    }
  }

  /// The text of bytes as UTF-8, or else as Latin-1, which was the encoding of header fields.
  ///
  /// With replacement characters, two different values would become the same.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

extension Substring {
  /// The text without the spaces and tabs around it, which a header field's value may have.
  package var trimmed: Substring {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let bytes = utf8.drop(while: isSpace)
    guard let last = bytes.lastIndex(where: { !isSpace($0) }) else { return "" }
    return Substring(bytes[...last])
  }
}
