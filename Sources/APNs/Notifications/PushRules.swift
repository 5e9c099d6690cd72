import FoundationEssentials
import PushPayload

/// The rules of APNs for the pushes of one type.
///
/// Source: Apple's "Sending notification requests to APNs", the table of `apns-push-type`.
struct PushRules: Sendable {
  /// The suffix of the topic after the bundle id.
  var topicSuffix = ""
  /// The allowed priorities.
  var priorities = [10, 5, 1]
  /// The most bytes of a payload.
  var payloadLimit = 4096
  /// Whether a provider token is needed, because APNs does not accept a certificate.
  var needsToken = false

  private static let all = PushRules()

  /// The suffixes that no bundle id ends in; one may end in `.voip`.
  static let ownSuffixes = [
    ".push-type.liveactivity", ".push-type.widgets", ".push-type.controls",
    ".pushkit.fileprovider",
  ]

  private static let table: [PushType: PushRules] = [
    .alert: all,
    .background: PushRules(priorities: [5]),
    .complication: PushRules(topicSuffix: ".complication"),
    .controls: PushRules(topicSuffix: ".push-type.controls"),
    .fileProvider: PushRules(topicSuffix: ".pushkit.fileprovider"),
    .liveActivity: PushRules(
      topicSuffix: ".push-type.liveactivity", priorities: [10, 5], needsToken: true),
    .location: PushRules(topicSuffix: ".location-query", needsToken: true),
    .mdm: PushRules(),
    .pushToTalk: PushRules(topicSuffix: ".voip-ptt"),
    .voip: PushRules(topicSuffix: ".voip", payloadLimit: 5120),
    .widgets: PushRules(topicSuffix: ".push-type.widgets"),
  ]

  /// The rules of a push type; those that hold for all types where it is unknown.
  static func of(_ type: PushType) -> PushRules {
    // The most frequent type is not looked up.
    type == .alert ? all : table[type] ?? all
  }
}

extension PushType {
  /// The most bytes that a payload of this type may have.
  public var payloadLimit: Int { PushRules.of(self).payloadLimit }

  /// The topic of pushes of this type to an app.
  ///
  /// The topic of ``mdm`` is not made from a bundle id; it is in the push certificate.
  ///
  /// - Parameter bundleID: The app's bundle id.
  /// - Returns: The bundle id with the suffix of the type, if it has one.
  public func topic(forBundleID bundleID: String) -> String {
    bundleID + PushRules.of(self).topicSuffix
  }
}

extension APNsNotification {
  /// The most bytes of a collapse id.
  static let collapseIDLimit = 64

  /// Why APNs would refuse the push whatever the device; `nil` where nothing is known to be wrong.
  ///
  /// APNs slows down, and finally closes, a connection with many 4xx answers. So a push that is known to be wrong is
  /// not sent. The device token is left to APNs, because Apple does not fix its length.
  func problem(withToken usesToken: Bool) -> String? {
    let rules = PushRules.of(pushType)
    if deviceToken.isEmpty { return "the device token is empty" }
    if topic.isEmpty { return "apns-topic is empty; it takes the bundle id\(rules.suffixAdvice)" }
    if !topic.utf8.allSatisfy(Self.isVisible) {
      return "apns-topic has a character other than letters, digits, dots and hyphens"
    }
    if !pushType.rawValue.utf8.allSatisfy(Self.isVisible) || pushType.rawValue.isEmpty {
      return "apns-push-type is empty, or has a space, a control character or one beyond ASCII"
    }
    if rules.topicSuffix.isEmpty, let other = PushRules.ownSuffixes.first(where: topic.hasSuffix) {
      return "apns-topic must not end in \(other) for push type \(pushType.rawValue)"
    }
    if !topic.hasSuffix(rules.topicSuffix) {
      return "apns-topic must end in \(rules.topicSuffix) for push type \(pushType.rawValue)"
    }
    if let priority, !rules.priorities.contains(priority) {
      let allowed = rules.priorityList
      return
        "apns-priority \(priority) is not allowed for push type \(pushType.rawValue): \(allowed)"
    }
    if priority == nil, !rules.priorities.contains(10) {
      let allowed = rules.priorityList
      return
        "apns-priority must be \(allowed) for push type \(pushType.rawValue): the default is 10"
    }
    if let expiration, expiration < 0 {
      return "apns-expiration is before 1970; it takes seconds since 1970"
    }
    if let collapseID, collapseID.utf8.count > Self.collapseIDLimit {
      let count = collapseID.utf8.count
      return "apns-collapse-id has \(count) bytes; at most \(Self.collapseIDLimit) are allowed"
    }
    if let collapseID, !Self.isField(collapseID) {
      return "apns-collapse-id has a control character, or a space at its start or end"
    }
    if !id.isUUID { return "apns-id is not a UUID of 8-4-4-4-12 hexadecimal digits" }
    if payload.isEmpty { return "the payload is empty" }
    if payload.count > rules.payloadLimit {
      return "the payload has \(payload.count) bytes; at most \(rules.payloadLimit) are allowed"
    }
    if rules.needsToken, !usesToken {
      return "push type \(pushType.rawValue) needs a provider token; a certificate is not accepted"
    }
    return nil
  }

  /// Whether a byte is printable ASCII other than space.
  static func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7e ~= byte }

  /// Whether a text can be the value of a header field as it is (RFC 9113 section 8.2.1).
  private static func isField(_ text: String) -> Bool {
    text.utf8.first != 0x20 && text.utf8.last != 0x20
      && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }
}

extension PushRules {
  fileprivate var priorityList: String {
    priorities.map(String.init).joined(separator: ", ")
  }

  fileprivate var suffixAdvice: String { topicSuffix.isEmpty ? "" : " followed by \(topicSuffix)" }
}
