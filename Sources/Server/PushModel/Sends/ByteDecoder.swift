/// A reader of the bytes that a ``ByteEncoder`` has written.
///
/// Each call returns `nil` if the bytes end before the value does.
struct ByteDecoder {
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
