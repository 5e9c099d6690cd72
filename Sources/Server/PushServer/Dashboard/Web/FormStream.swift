import _HTTPServer

/// An incremental reader of a `multipart/form-data` body (RFC 7578), whose files are not held in memory.
struct FormStream {
  enum Event: Equatable {
    case field(name: String, value: String)
    /// The beginning of a file, whose bytes follow.
    case file(name: String, fileName: String)
    case bytes([UInt8])
    /// The end of a field or of a file.
    case end
  }

  /// The largest size of a field's value, and of the headers of a part, in bytes.
  static let fieldLimit = 64 << 10
  private static let headLimit = 8192

  private enum State {
    /// A delimiter is next, without or with what follows it.
    case delimiter, afterDelimiter, head
    case field(String)
    case file
    case over
  }

  private let delimiter: [UInt8]
  private var state = State.delimiter
  /// The bytes that are not read yet.
  ///
  /// The first delimiter has no line break before it, so one is added.
  private var bytes: [UInt8] = [0x0d, 0x0a]
  /// Whether the last delimiter was read.
  var isComplete: Bool { if case .over = state { true } else { false } }

  init(boundary: String) { delimiter = Array("\r\n--\(boundary)".utf8) }

  /// Reads the next piece of the body.
  ///
  /// - Throws: ``RequestError`` `.malformed` if the body is no form, or `.tooLarge` if a field is too long.
  mutating func read(_ piece: [UInt8]) throws(RequestError) -> [Event] {
    bytes += piece
    var events: [Event] = []
    while try readNext(&events) {}
    return events
  }

  /// Reads one part of the form; `false` if more bytes are needed.
  private mutating func readNext(_ events: inout [Event]) throws(RequestError) -> Bool {
    switch state {
    case .delimiter:
      guard bytes.count >= delimiter.count else { return false }
      guard bytes.starts(with: delimiter) else { throw Form.incomplete }
      bytes.removeFirst(delimiter.count)
      state = .afterDelimiter
    case .afterDelimiter:
      guard bytes.count >= 2 else { return false }
      switch bytes.prefix(2) {
      case [0x0d, 0x0a]: state = .head
      case Array("--".utf8)[...]: state = .over
      default: throw Form.incomplete
      }
      bytes.removeFirst(2)
    case .head:
      guard let end = bytes.prefix(Self.headLimit).firstRange(of: Array("\r\n\r\n".utf8)) else {
        guard bytes.count < Self.headLimit else { throw Form.incomplete }
        return false
      }
      let names = try Form.names(inHead: bytes[..<end.lowerBound])
      bytes.removeFirst(end.upperBound)
      if let fileName = names.file {
        events.append(.file(name: names.field, fileName: fileName))
        state = .file
      } else {
        state = .field(names.field)
      }
    case .field(let name):
      let end = Form.firstRange(of: delimiter, in: bytes[...])
      guard end?.lowerBound ?? bytes.count <= Self.fieldLimit else {
        throw RequestError(
          .tooLarge, "a field of the form is longer than \(Self.fieldLimit) bytes")
      }
      guard let end else { return false }
      guard let value = String(validating: bytes[..<end.lowerBound], as: UTF8.self) else {
        throw Form.notUTF8("the field \(name.prefix(64))")
      }
      events += [.field(name: name, value: value), .end]
      bytes.removeFirst(end.lowerBound)
      state = .delimiter
    case .file:
      guard let end = Form.firstRange(of: delimiter, in: bytes[...]) else {
        // The last bytes may be the beginning of the delimiter.
        let count = bytes.count - delimiter.count
        guard count > 0 else { return false }
        events.append(.bytes(Array(bytes.prefix(count))))
        bytes.removeFirst(count)
        return false
      }
      if end.lowerBound > 0 { events.append(.bytes(Array(bytes[..<end.lowerBound]))) }
      events.append(.end)
      bytes.removeFirst(end.lowerBound)
      state = .delimiter
    case .over:
      bytes = []
      return false
    }
    return true
  }
}
