/// A check of bytes that should be UTF-8, which also guesses the encoding that they seem to have.
package enum TextEncoding {
  /// Returns the problem of bytes, in words that follow "the file" or "line 2"; `nil` if they are UTF-8.
  ///
  /// `what` names the thing that the caller should save or send again, such as "the file".
  package static func problem(in bytes: [UInt8], of what: String = "the file") -> String? {
    if let wide = wideEncoding(of: bytes) { return "is \(wide), not UTF-8: \(remedy(what))" }
    guard let fault = firstFault(in: bytes) else { return nil }
    return "is not UTF-8; \(advice(on: bytes, at: fault, of: what))"
  }

  /// UTF-16 or UTF-32, by a byte order mark or by the zero bytes of a text that begins in ASCII; else `nil`.
  package static func wideEncoding(of bytes: some Sequence<UInt8>) -> String? {
    let start = Array(bytes.prefix(4))
    if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] { return "UTF-32" }
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    guard start.count >= 2, (start[0] == 0) != (start[1] == 0) else { return nil }
    return "UTF-16"
  }

  /// The number of bytes before the first one that is not UTF-8; `nil` if all are UTF-8.
  package static func firstFault(in bytes: [UInt8]) -> Int? {
    var offset = 0
    while let start = bytes[offset...].firstIndex(where: { $0 >= 0x80 }) {
      var parser = Unicode.UTF8.ForwardParser()
      var iterator = bytes[start...].makeIterator()
      guard case .valid(let scalar) = parser.parseScalar(from: &iterator) else { return start }
      offset = start + scalar.count
    }
    return nil
  }

  /// The likely cause of the first fault of bytes, which is at an offset, and its remedy.
  package static func advice(
    on bytes: [UInt8], at fault: Int, of what: String = "the file"
  ) -> String {
    if isCut(bytes, at: fault) { return "a character is cut off: make \(what) again" }
    guard let name = singleByteEncoding(of: bytes) else { return remedy(what) }
    return "it looks like \(name): \(remedy(what))"
  }

  private static func remedy(_ what: String) -> String { "save \(what) as UTF-8" }

  /// Whether a fault is the beginning of a UTF-8 character whose rest is missing.
  ///
  /// In a Western encoding a letter follows in place of the rest, as in "SÃO".
  private static func isCut(_ bytes: [UInt8], at fault: Int) -> Bool {
    let lead = bytes[fault]
    let rest = bytes[(fault + 1)...].prefix { $0 & 0xC0 == 0x80 }.count
    switch lead {
    case 0xC2...0xDF: break
    case 0xE0...0xEF: if rest >= 2 { return false }
    case 0xF0...0xF4: if rest >= 3 { return false }
    default: return false
    }
    if rest > 0 { return true }
    // é and ü end words; in UTF-8 most two-byte characters of Europe begin with C2, C3, C4 or C5.
    let next = fault + 1 < bytes.count ? bytes[fault + 1] : nil
    let isInWord = next.map { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x80 } ?? false
    return !isInWord && lead <= 0xC5
  }

  /// Windows-1252 or Latin-1 if the bytes above ASCII are single letters among ASCII ones, as in Western languages.
  private static func singleByteEncoding(of bytes: [UInt8]) -> String? {
    // The five bytes that Windows-1252 leaves open.
    let undefined: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
    var run = 0
    var hasWindows = false
    for byte in bytes {
      run = byte >= 0x80 ? run + 1 : 0
      if run > 2 || undefined.contains(byte) { return nil }
      if (0x80...0x9F).contains(byte) { hasWindows = true }
    }
    return hasWindows ? "Windows-1252" : "Windows-1252 or Latin-1"
  }
}
