/// The memory that a handler needs for a body, which is more than the body's bytes.
///
/// What a handler makes of a body is in memory until the answer, and most of it by the number of values rather than
/// of bytes: an array of one element takes sixteen times the bytes of its text.
package struct BodyCost: Sendable, Equatable {
  /// The memory for each byte of the body.
  package var byte: Int
  /// The memory for each comma and opening bracket, of which JSON has one for each value at least.
  package var value: Int

  /// The cost of a body that is handled as the bytes that it is.
  package static let bytes = BodyCost(byte: 1)
  /// The cost of a body that becomes text, in parts.
  package static let text = BodyCost(byte: 4)
  /// The cost of a body that becomes a tree of JSON values, of those that take most.
  package static let json = BodyCost(byte: 4, value: 128)

  package init(byte: Int, value: Int = 0) {
    self.byte = byte
    self.value = value
  }

  /// The cost of a part of a body.
  func cost(of bytes: ArraySlice<UInt8>) -> Int {
    guard value > 0 else { return bytes.count * byte }
    let values = bytes.count {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{")
    }
    return bytes.count * byte + values * value
  }
}
