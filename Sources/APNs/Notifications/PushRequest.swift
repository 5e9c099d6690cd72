import PushPayload
import _HTTP2

/// Makes the header of one push after the other.
///
/// What is new each time is sent as a literal that HPACK does not remember, the rest is remembered once. A
/// send's pushes have that rest alike, so it is kept.
struct PushHeaders {
  /// What a send's pushes have alike.
  private struct Alike {
    let authorization: String?
    let topic: String
    let pushType: PushType
    let priority: Int?
    let fields: SharedFields

    func isThat(of push: Int, in pushes: [APNsNotification], _ authorization: String?) -> Bool {
      pushes[push].priority == priority && pushes[push].topic == topic
        && pushes[push].pushType == pushType && authorization == self.authorization
    }
  }

  let authority: String
  private var last: Alike?

  init(authority: String) { self.authority = authority }

  /// Writes the header of a push over another; it is read field by field, for the whole would be copied.
  mutating func write(
    _ push: Int, of pushes: [APNsNotification], authorization: String?, to block: inout HeaderBlock
  ) {
    block.removeAll()
    block.append(
      ":path", prefix: "/3/device/", HeaderBlock.pathSegment(pushes[push].deviceToken),
      isIndexed: false)
    if last?.isThat(of: push, in: pushes, authorization) != true {
      last = Alike(
        authorization: authorization, topic: pushes[push].topic, pushType: pushes[push].pushType,
        priority: pushes[push].priority, fields: fields(of: pushes[push], authorization))
    }
    if let fields = last?.fields { block.append(fields) }
    block.append("apns-id", pushes[push].id, isIndexed: false)
    if let expiration = pushes[push].expiration {
      block.append("apns-expiration", String(expiration), isIndexed: false)
    }
    if let id = pushes[push].collapseID { block.append("apns-collapse-id", id, isIndexed: false) }
  }

  private func fields(of push: APNsNotification, _ authorization: String?) -> SharedFields {
    var block = HeaderBlock()
    block.append(":method", "POST")
    block.append(":scheme", "https")
    block.append(":authority", authority)
    if let authorization { block.append("authorization", authorization) }
    block.append("apns-topic", push.topic)
    block.append("apns-push-type", push.pushType.rawValue)
    if let priority = push.priority { block.append("apns-priority", String(priority)) }
    return SharedFields(block)
  }
}

extension HeaderBlock {
  /// A token as it may stand in a path: what is no letter or digit is escaped (RFC 3986 section 2.1).
  static func pathSegment(_ token: String) -> String {
    let isPlain = token.utf8.withContiguousStorageIfAvailable { bytes in
      // Without a way out of it: the compiler makes vectors of such a loop.
      var foreign: UInt8 = 0
      for byte in bytes {
        let isNoDigit: UInt8 = byte &- UInt8(ascii: "0") < 10 ? 0 : 1
        let isNoLetter: UInt8 = (byte | 0x20) &- UInt8(ascii: "a") < 26 ? 0 : 1
        foreign |= isNoDigit & isNoLetter
      }
      return foreign == 0
    }
    if isPlain == true { return token }
    return token.utf8.map { byte in
      isLetterOrDigit(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }
}
