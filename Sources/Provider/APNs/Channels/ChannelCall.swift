import FoundationEssentials
import PushPayload
import _HTTP2

/// A request about broadcast channels, as it goes to APNs.
///
/// Source: Apple's "Sending channel management requests to APNs" and "Sending broadcast push
/// notification requests to APNs".
struct ChannelCall {
  enum Kind {
    case create(APNsChannel.Storage)
    case read(channel: String)
    case delete(channel: String)
    case list
    case broadcast(APNsBroadcast)
  }

  /// The most bytes of a list: 10,000 channels, whose ids have no fixed length.
  static let listLimit = 4 << 20

  let kind: Kind
  let bundleID: String
  /// The `apns-request-id`.
  let id: String

  init(_ kind: Kind, bundleID: String) {
    self.kind = kind
    self.bundleID = bundleID
    id = if case .broadcast(let broadcast) = kind { broadcast.id } else { APNsNotification.newID() }
  }

  var method: String {
    switch kind {
    case .create, .broadcast: "POST"
    case .read, .list: "GET"
    case .delete: "DELETE"
    }
  }

  var path: String {
    switch kind {
    case .create, .read, .delete: "/1/apps/\(bundleID)/channels"
    case .list: "/1/apps/\(bundleID)/all-channels"
    case .broadcast: "/4/broadcasts/apps/\(bundleID)"
    }
  }

  var channelID: String? {
    switch kind {
    case .create, .list: nil
    case .read(let channel), .delete(let channel): channel
    case .broadcast(let broadcast): broadcast.channel.id
    }
  }

  var body: [UInt8] {
    switch kind {
    case .create(let storage):
      let json: JSONValue = [
        "message-storage-policy": .integer(Int64(storage.rawValue)), "push-type": "LiveActivity",
      ]
      return Array(json.serialized())
    case .broadcast(let broadcast): return broadcast.payload
    case .read, .delete, .list: return []
    }
  }

  /// The most bytes of the answer that are kept.
  var answerLimit: Int { if case .list = kind { Self.listLimit } else { PushAnswer.maxBody } }

  /// The reason why APNs would refuse the request; `nil` if no problem is known.
  var problem: String? {
    if !Self.isBundleID(bundleID) {
      return "the bundle id must have only letters, digits, hyphens and dots, and no topic suffix"
    }
    if let channelID, channelID.isEmpty || !channelID.utf8.allSatisfy(APNsNotification.isVisible) {
      return
        "the channel id is empty or has a space or control character; use the id that APNs assigned"
    }
    guard case .broadcast(let broadcast) = kind else { return nil }
    if ![10, 5, 1].contains(broadcast.priority) {
      return "apns-priority \(broadcast.priority) is not 10, 5 or 1"
    }
    if broadcast.expiration.seconds < 0 {
      return "apns-expiration is before 1970; it takes seconds since 1970"
    }
    if broadcast.expiration != .oneAttempt, broadcast.channel.storage == APNsChannel.Storage.none {
      return "apns-expiration must be 0 for a channel that stores no messages"
    }
    if !broadcast.id.isUUID {
      return "apns-request-id is not a UUID of 8-4-4-4-12 hexadecimal digits"
    }
    if broadcast.payload.isEmpty { return "the payload is empty" }
    if broadcast.payload.count > APNsBroadcast.payloadLimit {
      let count = broadcast.payload.count
      return "the payload has \(count) bytes; at most \(APNsBroadcast.payloadLimit) are allowed"
    }
    return nil
  }

  /// Whether a text can be a bundle id; it goes into the path without escaping.
  private static func isBundleID(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      HeaderBlock.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    return isPlain && text.utf8.contains(where: HeaderBlock.isLetterOrDigit)
      && !text.hasSuffix(PushType.liveActivity.topic(forBundleID: ""))
  }
}

extension HeaderBlock {
  /// Replaces the fields with those of a request about channels.
  mutating func write(_ call: ChannelCall, authority: String, authorization: String?) {
    removeAll()
    append(":method", call.method)
    append(":scheme", "https")
    append(":authority", authority)
    append(":path", call.path)
    if let authorization { append("authorization", authorization, isIndexed: false) }
    append("apns-request-id", call.id, isIndexed: false)
    if let channel = call.channelID { append("apns-channel-id", channel, isIndexed: false) }
    guard case .broadcast(let broadcast) = call.kind else { return }
    append("apns-push-type", PushType.liveActivity.rawValue)
    append("apns-priority", String(broadcast.priority))
    append("apns-expiration", String(broadcast.expiration.seconds), isIndexed: false)
  }
}
