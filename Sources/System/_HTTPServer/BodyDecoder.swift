/// A decoder of one request's body, by its length or in chunks (RFC 9112, section 7.1).
struct BodyDecoder {
  enum Progress {
    /// More bytes are needed after the used ones.
    case more(used: Int)
    /// The indices of the body's next bytes.
    case bytes(Range<Int>)
    /// The body has ended after the used bytes.
    case end(used: Int)
  }

  private enum State {
    case length(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailers(size: Int)
  }

  /// The most bytes of a line with a chunk's size and extensions, and the most bytes of all trailer fields.
  static let lineLimit = 512
  static let trailerLimit = 4096
  /// The most chunks of a body, in addition to one for each ``meanChunk`` bytes of it.
  ///
  /// Handling a chunk takes more time than its bytes do, so a body must not consist of tiny chunks.
  static let smallChunkLimit = 4096
  static let meanChunk = 16

  private var state: State
  private var chunkCount = 0
  /// The number of chunk bytes received.
  private var byteCount = 0

  var isChunked: Bool { if case .length = state { false } else { true } }

  init(_ framing: MessageFraming) {
    switch framing {
    case .length(let bytes): state = .length(left: bytes)
    case .chunked: state = .chunkSize
    }
  }

  /// Decodes the received bytes.
  ///
  /// - Throws: The refusal if chunks are malformed.
  mutating func next(
    in bytes: ArraySlice<UInt8>
  ) throws(MessageFraming.Refusal) -> Progress {
    var rest = bytes
    func used() -> Int { bytes.count - rest.count }
    while true {
      switch state {
      case .length(let left):
        guard left > 0 else { return .end(used: 0) }
        guard !rest.isEmpty else { return .more(used: 0) }
        let part = rest.prefix(left)
        state = .length(left: left - part.count)
        return .bytes(part.indices)
      case .chunkSize:
        guard let line = try Self.line(in: rest, upTo: Self.lineLimit) else {
          return .more(used: used())
        }
        rest = rest[(line.endIndex + 2)...]
        let size = try Self.size(line)
        chunkCount += 1
        guard chunkCount <= Self.smallChunkLimit + byteCount / Self.meanChunk else {
          throw Self.tooManyChunks
        }
        state = size == 0 ? .trailers(size: 0) : .chunk(left: size)
      case .chunk(let left):
        guard left > 0 else {
          state = .chunkEnd
          continue
        }
        guard !rest.isEmpty else { return .more(used: used()) }
        let part = rest.prefix(left)
        state = .chunk(left: left - part.count)
        byteCount += part.count
        // The caller also discards the bytes before the part.
        return .bytes(part.indices)
      case .chunkEnd:
        guard rest.count >= 2 else { return .more(used: used()) }
        guard rest.starts(with: [0x0d, 0x0a]) else { throw Self.malformed }
        rest = rest.dropFirst(2)
        state = .chunkSize
      case .trailers(let size):
        guard let line = try Self.line(in: rest, upTo: Self.trailerLimit - size) else {
          return .more(used: used())
        }
        rest = rest[(line.endIndex + 2)...]
        guard !line.isEmpty else { return .end(used: used()) }
        state = .trailers(size: size + line.count + 2)
      }
    }
  }

  /// The next line without its CR LF; `nil` if its end has not arrived.
  private static func line(
    in bytes: ArraySlice<UInt8>, upTo limit: Int
  ) throws(MessageFraming.Refusal) -> ArraySlice<UInt8>? {
    let window = bytes.prefix(max(limit, 0) + 2)
    guard let newline = window.firstIndex(of: UInt8(ascii: "\n")) else {
      guard window.count < limit + 2 else { throw malformed }
      return nil
    }
    guard newline > bytes.startIndex, bytes[newline - 1] == UInt8(ascii: "\r") else {
      throw malformed
    }
    let line = bytes[bytes.startIndex..<(newline - 1)]
    guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { throw malformed }
    return line
  }

  /// The size before a chunk: hexadecimal digits, and extensions after a semicolon, which are ignored.
  private static func size(_ line: ArraySlice<UInt8>) throws(MessageFraming.Refusal) -> Int {
    var (size, end) = (0, line.startIndex)
    while end < line.endIndex, let digit = digit(line[end]) {
      guard end - line.startIndex < 15 else { throw malformed }
      size = size << 4 | digit
      end += 1
    }
    let after = line[end...].first { $0 != 0x20 && $0 != 0x09 }
    guard end > line.startIndex, after == nil || after == UInt8(ascii: ";") else {
      throw malformed
    }
    return size
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 0x30
    case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
      Int(byte | 0x20) - 0x57
    default: nil
    }
  }

  private static let malformed = MessageFraming.Refusal(
    status: 400, reason: "the chunked body is not well formed")
  private static let tooManyChunks = MessageFraming.Refusal(
    status: 400,
    reason: "the body has more than \(smallChunkLimit) chunks and one for each \(meanChunk) bytes;"
      + " send larger chunks")
}
