import _HTTP2

extension HeaderBlock {
  /// Becomes the header fields of a push.
  ///
  /// HPACK as Apple asks: what is new each time, and the token, is sent as a literal that is not
  /// remembered; the rest is remembered once.
  mutating func write(_ push: APNsNotification, authority: String, authorization: String?) {
    removeAll()
    append(":method", "POST")
    append(":scheme", "https")
    append(":authority", authority)
    append(
      ":path", prefix: "/3/device/", Self.pathSegment(push.deviceToken), isIndexed: false)
    if let authorization { append("authorization", authorization, isIndexed: false) }
    append("apns-id", push.id, isIndexed: false)
    append("apns-topic", push.topic)
    append("apns-push-type", push.pushType.rawValue)
    if let priority = push.priority { append("apns-priority", String(priority)) }
    if let expiration = push.expiration {
      append("apns-expiration", String(expiration), isIndexed: false)
    }
    if let id = push.collapseID { append("apns-collapse-id", id, isIndexed: false) }
  }

  /// A token as it may stand in a path: what is no letter or digit is escaped (RFC 3986 section 2.1).
  static func pathSegment(_ token: String) -> String {
    let isPlain = token.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isLetterOrDigit) }
    if isPlain == true { return token }
    return token.utf8.map { byte in
      isLetterOrDigit(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
