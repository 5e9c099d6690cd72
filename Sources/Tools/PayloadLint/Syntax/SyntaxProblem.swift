import PushPayload

/// The problem with a file that is not JSON, its position, and what to do about it.
///
/// A parser reports only the token that it does not expect. The bytes around that token show the fault as a
/// person would describe it: an extra comma, a printed dictionary, a shell command around the JSON.
struct SyntaxProblem {
  /// The problem and what to do.
  ///
  /// It never contains a part of the document.
  var message: String
  var offset: Int

  init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }

  init(_ fault: JSONFault, in bytes: [UInt8]) {
    let source = SyntaxSource(bytes, upTo: fault.offset)
    self =
      source.otherFormat ?? source.textProblem(fault) ?? source.problemAfterEnd
      ?? source.problemAtEnd ?? source.numberProblem(fault) ?? source.punctuationProblem
      ?? source.characterProblem ?? source.wordProblem ?? source.missingMark
      ?? SyntaxProblem(fault.message, at: fault.offset)
  }
}

/// The bytes of a file, and the structure of those before the first fault.
struct SyntaxSource {
  /// A bracket that is still open at the fault.
  struct Bracket {
    var offset: Int
    var isObject: Bool
    /// Whether a value is next, which is always so in an array, and after a colon in an object.
    var takesValue: Bool
  }

  let bytes: [UInt8]
  /// The offset of the first token that a parser refuses, after white space.
  let fault: Int
  private(set) var open: [Bracket] = []
  /// The offset of the last byte before the fault that is not white space; `nil` if there is only white space.
  private(set) var last: Int?
  /// The offset of the quotation mark of the text that contains the fault.
  private(set) var text: Int?
  /// The offset of the quotation mark that opens the last text closed before the fault.
  private(set) var closedText: Int?

  init(_ bytes: [UInt8], upTo offset: Int) {
    self.bytes = bytes
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var isEscaped = false
    while start < min(offset, bytes.count) {
      let byte = bytes[start]
      defer { start += 1 }
      if text != nil {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          (closedText, text, last) = (text, nil, start)
        }
        continue
      }
      if Self.isSpace(byte) { continue }
      last = start
      switch byte {
      case UInt8(ascii: "\""): text = start
      case UInt8(ascii: "{"):
        open.append(Bracket(offset: start, isObject: true, takesValue: false))
      case UInt8(ascii: "["):
        open.append(Bracket(offset: start, isObject: false, takesValue: true))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ":"): if !open.isEmpty { open[open.count - 1].takesValue = true }
      case UInt8(ascii: ","):
        if let bracket = open.last, bracket.isObject { open[open.count - 1].takesValue = false }
      default: break
      }
    }
    var end = offset
    if text == nil {
      while end < bytes.count, Self.isSpace(bytes[end]) { end += 1 }
    }
    fault = end
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The byte at the fault; `nil` if the fault is at the end of the file.
  var byte: UInt8? { fault < bytes.count ? bytes[fault] : nil }
  /// The last byte before the fault that is not white space.
  var previous: UInt8? { last.map { bytes[$0] } }
  var isAtEnd: Bool { fault >= bytes.count }
  /// Whether the document is complete before the fault.
  var isComplete: Bool { open.isEmpty && text == nil && last != nil }

  /// Whether an ASCII text is at an offset.
  func has(_ text: String, at offset: Int) -> Bool {
    offset >= 0 && offset <= bytes.count && bytes[offset...].starts(with: text.utf8)
  }

  /// The first offset, from the given one on, whose byte is not white space.
  func skippingSpace(from offset: Int) -> Int {
    bytes[min(offset, bytes.count)...].firstIndex { !Self.isSpace($0) } ?? bytes.count
  }

  /// The letters, digits and underscores at an offset.
  func word(at offset: Int) -> String {
    let letters = bytes[min(offset, bytes.count)...].prefix(40).prefix { byte in
      let letter = byte | 0x20
      return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// The Unicode scalar at the fault; `nil` if the fault is at the end of the file.
  var scalar: Unicode.Scalar? {
    String(decoding: bytes[min(fault, bytes.count)...].prefix(4), as: UTF8.self)
      .unicodeScalars.first
  }
}
