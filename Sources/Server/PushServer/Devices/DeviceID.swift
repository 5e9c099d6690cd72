/// The rule for the device ids that callers choose.
enum DeviceID {
  /// The form of a device id, for an error message.
  static let form = "1 to 64 letters, digits, hyphens and underscores"

  /// Returns whether a text has 1 to 64 of the characters `[A-Za-z0-9_-]`.
  static func isValid(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
