import FoundationEssentials
import PushPayload

/// What APNs asks of the pushes of one kind, as data.
///
/// Source: Apple's "Sending notification requests to APNs", the table of `apns-push-type`.
struct PushRules: Sendable {
  /// What follows the bundle id in the topic.
  var topicSuffix = ""
  /// The priorities it takes.
  var priorities = [10, 5, 1]
  /// The most bytes a payload may have.
  var payloadLimit = 4096
  /// Whether a certificate does not do.
  var needsToken = false

  private static let all = PushRules()

  /// The suffixes that no bundle id ends in; one may well end in `.voip`.
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

  /// The rules of a kind; of one that is not known, what holds for all.
  static func of(_ type: PushType) -> PushRules {
    // The most frequent need not be looked up.
    type == .alert ? all : table[type] ?? all
  }
}

extension PushType {
  /// The most bytes a payload of this kind may have.
  public var payloadLimit: Int { PushRules.of(self).payloadLimit }

  /// The topic of pushes of this kind to an app.
  ///
  /// The topic of ``mdm`` is not made from a bundle id: it stands in the push certificate.
  ///
  /// - Parameter bundleID: The app's bundle id.
  /// - Returns: The bundle id with the suffix Apple asks for, if any.
  public func topic(forBundleID bundleID: String) -> String {
    bundleID + PushRules.of(self).topicSuffix
  }
}

extension APNsNotification {
  /// The most bytes of a collapse id.
  static let collapseIDLimit = 64

  /// Why APNs would refuse it, whatever the device; `nil` where only APNs can say.
  ///
  /// Every 4xx counts against the connection: Apple slows it down and closes it in the end. So what is
  /// known to be wrong does not leave. The token is Apple's to judge, for its length is not fixed.
  func problem(withToken usesToken: Bool) -> String? {
    let rules = PushRules.of(pushType)
    if deviceToken.isEmpty { return "the device token is empty" }
    if topic.isEmpty { return "the topic is empty; it is the bundle id\(rules.suffixAdvice)" }
    if !topic.utf8.allSatisfy(Self.isVisible) {
      return "the topic has a character that no topic has: letters, digits, dots and hyphens"
    }
    if !pushType.rawValue.utf8.allSatisfy(Self.isVisible) || pushType.rawValue.isEmpty {
      return "the push type is empty, or has a character that no push type has"
    }
    if rules.topicSuffix.isEmpty, let other = PushRules.ownSuffixes.first(where: topic.hasSuffix) {
      return "a topic that ends in \(other) is not for a push of type \(pushType.rawValue)"
    }
    if !topic.hasSuffix(rules.topicSuffix) {
      return "the topic of a push of type \(pushType.rawValue) ends in \(rules.topicSuffix)"
    }
    if let priority, !rules.priorities.contains(priority) {
      let taken = rules.priorities.map(String.init).joined(separator: ", ")
      return "priority \(priority): a push of type \(pushType.rawValue) takes \(taken)"
    }
    if priority == nil, !rules.priorities.contains(10) {
      return "a push of type \(pushType.rawValue) needs its priority: APNs takes 10 for none"
    }
    if let expiration, expiration < 0 { return "the expiration is before 1970" }
    if let collapseID, collapseID.utf8.count > Self.collapseIDLimit {
      return
        "the collapse id has \(collapseID.utf8.count) bytes; \(Self.collapseIDLimit) is the most"
    }
    if let collapseID, !Self.isField(collapseID) {
      return "the collapse id has a control character, or a space at an end: HTTP/2 forbids those"
    }
    if !id.isUUID { return "the apns-id is no UUID of 8-4-4-4-12 digits" }
    if payload.isEmpty { return "the payload is empty" }
    if payload.count > rules.payloadLimit {
      return "the payload has \(payload.count) bytes; \(rules.payloadLimit) is the most"
    }
    if rules.needsToken, !usesToken {
      return "pushes of type \(pushType.rawValue) need a provider token; a certificate does not do"
    }
    return nil
  }

  /// Whether a byte is printed in ASCII and is no space.
  static func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7e ~= byte }

  /// Whether a text may be a header field's value as it is (RFC 9113 section 8.2.1).
  private static func isField(_ text: String) -> Bool {
    text.utf8.first != 0x20 && text.utf8.last != 0x20
      && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }
}

extension PushRules {
  fileprivate var suffixAdvice: String { topicSuffix.isEmpty ? "" : " and \(topicSuffix)" }
}
