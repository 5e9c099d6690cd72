import _HTTP2

/// Makes the header of one push after the other.
///
/// HPACK as Apple asks: what is new each time is sent as a literal that is not remembered; the rest, and
/// with it the provider token, is remembered once. A send's pushes have that rest alike, so it is kept.
struct PushHeaders {
  private struct Alike: Equatable {
    let authorization: String?
    let topic: String
    let pushType: PushType
    let priority: Int?
  }

  let authority: String
  private var last: (alike: Alike, fields: SharedFields)?

  init(authority: String) { self.authority = authority }

  /// Writes the header of a push over another.
  mutating func write(
    _ push: APNsNotification, authorization: String?, to block: inout HeaderBlock
  ) {
    block.removeAll()
    block.append(
      ":path", prefix: "/3/device/", HeaderBlock.pathSegment(push.deviceToken), isIndexed: false)
    let alike = Alike(
      authorization: authorization, topic: push.topic, pushType: push.pushType,
      priority: push.priority)
    if let last, last.alike == alike {
      block.append(last.fields)
    } else {
      let fields = fields(alike)
      last = (alike, fields)
      block.append(fields)
    }
    block.append("apns-id", push.id, isIndexed: false)
    if let expiration = push.expiration {
      block.append("apns-expiration", String(expiration), isIndexed: false)
    }
    if let id = push.collapseID { block.append("apns-collapse-id", id, isIndexed: false) }
  }

  private func fields(_ alike: Alike) -> SharedFields {
    var block = HeaderBlock()
    block.append(":method", "POST")
    block.append(":scheme", "https")
    block.append(":authority", authority)
    if let authorization = alike.authorization { block.append("authorization", authorization) }
    block.append("apns-topic", alike.topic)
    block.append("apns-push-type", alike.pushType.rawValue)
    if let priority = alike.priority { block.append("apns-priority", String(priority)) }
    return SharedFields(block)
  }
}

extension HeaderBlock {
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
