/// Writes integers in as few bytes as they need: seven bits a byte, the lowest first (LEB128).
struct Packer {
  private(set) var bytes: [UInt8] = []

  mutating func append(byte: UInt8) { bytes.append(byte) }

  mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Small numbers of either sign are short (zigzag).
  mutating func append(signed value: Int64) {
    append(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  mutating func append(_ text: String) { append(Array(text.utf8)) }

  mutating func append(_ blob: [UInt8]) {
    append(UInt64(blob.count))
    bytes.append(contentsOf: blob)
  }
}

/// Reads what a ``Packer`` wrote; anything else ends in `nil`.
struct Unpacker {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func integer() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = byte() else { return nil }
      let bits = UInt64(byte & 0x7f)
      guard shift < 63 || bits <= 1 else { return nil }
      value |= bits << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  mutating func signed() -> Int64? {
    integer().map { Int64(bitPattern: ($0 >> 1) ^ (0 &- ($0 & 1))) }
  }

  mutating func blob() -> [UInt8]? {
    guard let length = integer(), length <= UInt64(bytes.count - position) else { return nil }
    defer { position += Int(length) }
    return Array(bytes[position..<position + Int(length)])
  }

  mutating func text() -> String? { blob().map { String(decoding: $0, as: UTF8.self) } }
}
