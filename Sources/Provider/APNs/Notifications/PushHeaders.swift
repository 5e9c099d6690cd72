import PushPayload
import _HTTP2

/// A writer of the header fields of pushes.
///
/// The fields that differ for each push are sent as literals without indexing; HPACK indexes the others. Those are
/// mostly equal from one push to the next, so the last ones are kept. `apns-expiration` and `apns-collapse-id` are
/// indexed if the previous push had the same ones, as in a send to many devices.
struct PushHeaders {
  /// The fields that consecutive pushes have in common, and the values that they were made from.
  private struct CommonFields {
    let authorization: String?
    let topic: String
    let pushType: PushType
    let priority: Int?
    /// Whether the expiration and the collapse id are among ``fields``.
    let isWhole: Bool
    let fields: SharedFields

    func match(
      _ index: Int, of pushes: [APNsNotification], authorization: String?
    ) -> Bool {
      pushes[index].priority == priority && pushes[index].topic == topic
        && pushes[index].pushType == pushType && authorization == self.authorization
    }
  }

  let authority: String
  private var last: CommonFields?
  /// The expiration and the collapse id of the last push.
  private var lastExpiration: APNsExpiration?
  private var lastCollapseID: String?

  init(authority: String) { self.authority = authority }

  /// Replaces the fields of a block with those of the push at an index.
  ///
  /// The push is read field by field, because reading it as a whole would copy it.
  mutating func write(
    _ index: Int, of pushes: [APNsNotification], authorization: String?, to block: inout HeaderBlock
  ) {
    block.removeAll()
    block.append(
      ":path", prefix: "/3/device/", HeaderBlock.pathSegment(pushes[index].deviceToken),
      isIndexed: false)
    let hasLast = last?.match(index, of: pushes, authorization: authorization) == true
    let isRepeated =
      hasLast && pushes[index].expiration == lastExpiration
      && pushes[index].collapseID == lastCollapseID
    if !hasLast || last?.isWhole != isRepeated {
      let fields = fields(of: pushes[index], authorization, isWhole: isRepeated)
      last = CommonFields(
        authorization: authorization, topic: pushes[index].topic, pushType: pushes[index].pushType,
        priority: pushes[index].priority, isWhole: isRepeated, fields: fields)
    }
    if let fields = last?.fields { block.append(fields) }
    block.append("apns-id", pushes[index].id, isIndexed: false)
    guard !isRepeated else { return }
    (lastExpiration, lastCollapseID) = (pushes[index].expiration, pushes[index].collapseID)
    block.append(lastExpiration, lastCollapseID, isIndexed: false)
  }

  private func fields(
    of push: APNsNotification, _ authorization: String?, isWhole: Bool
  ) -> SharedFields {
    var block = HeaderBlock()
    block.append(":method", "POST")
    block.append(":scheme", "https")
    block.append(":authority", authority)
    if let authorization { block.append("authorization", authorization) }
    block.append("apns-topic", push.topic)
    block.append("apns-push-type", push.pushType.rawValue)
    if let priority = push.priority { block.append("apns-priority", String(priority)) }
    if isWhole { block.append(push.expiration, push.collapseID, isIndexed: true) }
    return SharedFields(block)
  }
}

extension HeaderBlock {
  fileprivate mutating func append(
    _ expiration: APNsExpiration?, _ collapseID: String?, isIndexed: Bool
  ) {
    if let expiration {
      append("apns-expiration", String(expiration.seconds), isIndexed: isIndexed)
    }
    if let collapseID { append("apns-collapse-id", collapseID, isIndexed: isIndexed) }
  }
}

extension HeaderBlock {
  /// A device token as a segment of a path: all but letters and digits is percent-encoded (RFC 3986 section 2.1).
  static func pathSegment(_ token: String) -> String {
    let isPlain = token.utf8.withContiguousStorageIfAvailable { bytes in
      // No early exit: the compiler vectorizes such a loop.
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
