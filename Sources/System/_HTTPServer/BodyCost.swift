/// The memory that a handler needs for a body, which is more than the body's bytes.
///
/// The values that a handler makes of a body are in memory until the answer. Their size depends mostly on the
/// number of values: an array of one element takes sixteen times the bytes of its text.
package struct BodyCost: Sendable, Equatable {
  /// The memory for each byte of the body.
  package var byte: Int
  /// The memory for each comma and opening bracket, because JSON has at least one of them for each value.
  package var value: Int

  /// The cost of a body that is handled as bytes.
  package static let bytes = BodyCost(byte: 1)
  /// The cost of a body whose parts become text.
  package static let text = BodyCost(byte: 4)
  /// The cost of a body that becomes a tree of the JSON values that take the most memory.
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
