import PushPayload
import Synchronization

/// The checks of APNs on a request, in the order in which their refusals take precedence.
///
/// Sources: Apple's "Sending notification requests to APNs" and "Handling notification responses from APNs". Apple
/// does not document the order; it is that of pushy's mock server.
final class SandboxRules: Sendable {
  /// A refusal with Apple's status and reason.
  struct Refusal: Error, Equatable {
    var status: Int
    var reason: String
    /// With 410: when the token became inactive, in milliseconds since 1970.
    var timestamp: Int64?

    init(_ status: Int, _ reason: String, timestamp: Int64? = nil) {
      self.status = status
      self.reason = reason
      self.timestamp = timestamp
    }
  }

  /// The rules for the pushes of one type.
  ///
  /// The sandbox stands for Apple's side, so this table is independent of `PushType.Requirements` on purpose:
  /// `PushTypeAgreementTests` compares the two, so that a mistake in either is found.
  private struct TypeRules {
    /// The suffix of the topic after the bundle id.
    var suffix = ""
    var priorities = ["10", "5", "1"]
    var payloadLimit = 4096
  }

  /// The app of a push that was accepted: its topic without the suffix of its push type.
  static func bundleID(of push: SandboxDelivery) -> String {
    let suffix = types[push.pushType]?.suffix ?? ""
    return push.topic.hasSuffix(suffix) ? String(push.topic.dropLast(suffix.count)) : push.topic
  }

  private static let types: [String: TypeRules] = [
    "alert": TypeRules(), "background": TypeRules(priorities: ["5"]),
    "complication": TypeRules(suffix: ".complication"),
    "controls": TypeRules(suffix: ".push-type.controls"),
    "fileprovider": TypeRules(suffix: ".pushkit.fileprovider"),
    "liveactivity": TypeRules(suffix: ".push-type.liveactivity", priorities: ["10", "5"]),
    "location": TypeRules(suffix: ".location-query"), "mdm": TypeRules(),
    "pushtotalk": TypeRules(suffix: ".voip-ptt"),
    "voip": TypeRules(suffix: ".voip", payloadLimit: 5120),
    "widgets": TypeRules(suffix: ".push-type.widgets"),
  ]

  private let tokens: ProviderTokenRules
  private let certificates: CertificateRules
  private let goneTokens: Mutex<[String: Int64]>
  private let expiredTokens: [String: Int64]
  private let foreignTokens: Set<String>
  private let apps: [String: String]
  /// Whether any token must be looked up; if not, every token is active for every topic.
  private let hasSpecialTokens: Atomic<Bool>

  init(_ configuration: VirtualAPNs.Configuration) throws(SandboxError) {
    tokens = try ProviderTokenRules(
      keys: configuration.providerKeys, isStrict: configuration.strictJWT)
    certificates = CertificateRules(needsTrust: configuration.clientAuthorityPEM != nil)
    func lowercased<Value>(_ tokens: [String: Value]) -> [String: Value] {
      Dictionary(tokens.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    }
    goneTokens = Mutex(lowercased(configuration.goneTokens))
    expiredTokens = lowercased(configuration.expiredTokens)
    foreignTokens = Set(configuration.foreignTokens.map { $0.lowercased() })
    apps = lowercased(configuration.apps)
    hasSpecialTokens = Atomic(
      !(configuration.goneTokens.isEmpty && foreignTokens.isEmpty && expiredTokens.isEmpty
        && apps.isEmpty))
  }

  func markGone(_ token: String, at timestamp: Int64?) {
    goneTokens.withLock { $0[token.lowercased()] = timestamp }
    hasSpecialTokens.store(true, ordering: .relaxed)
  }

  /// Checks a request; `now` is in milliseconds since 1970, `provider` holds the credentials of the connection.
  func check(
    _ request: SandboxRequest, _ provider: inout SandboxProvider, now: Int64
  ) throws(Refusal) {
    if request.hasDuplicate { throw Refusal(400, "DuplicateHeaders") }
    if let id = request[.apnsID], !id.isUUID { throw Refusal(400, "BadMessageId") }
    guard request.method == "POST" else { throw Refusal(405, "MethodNotAllowed") }
    // On the paths of channels a topic is not checked.
    if !request.isPush, request.path.hasPrefix("/1/") || request.path.hasPrefix("/4/") {
      throw Refusal(404, "BadPath")
    }
    guard let topic = request.topic(of: provider), !topic.isEmpty else {
      throw Refusal(400, "MissingTopic")
    }
    let rules = try checkHeaders(request)
    let bundleID = try bundleID(of: topic, rules)
    guard request.isPush else { throw Refusal(404, "BadPath") }
    try checkDevice(request, topic: topic, bundleID: bundleID)
    try authenticate(request, topic: topic, bundleID: bundleID, &provider, now: now / 1000)
    if request.bodyCount == 0 { throw Refusal(400, "PayloadEmpty") }
    if request.bodyCount > rules.payloadLimit { throw Refusal(413, "PayloadTooLarge") }
  }

  /// Checks the credentials: the certificate if the connection has one, or else the provider token.
  ///
  /// `now` is in seconds since 1970.
  func authenticate(
    _ request: SandboxRequest, topic: String, bundleID: String, _ provider: inout SandboxProvider,
    now: Int64
  ) throws(Refusal) {
    guard let certificate = provider.certificate else {
      return try tokens.check(
        request.authorization, bundleID: bundleID, &provider.tokens, now: now)
    }
    try certificates.check(certificate, topic: topic, now: now)
  }

  /// Checks the headers, and returns the rules of the push type, which is `alert` by default.
  private func checkHeaders(_ request: SandboxRequest) throws(Refusal) -> TypeRules {
    if let id = request[.collapseID], id.utf8.count > 64 {
      throw Refusal(400, "BadCollapseId")
    }
    let rules = request[.pushType].map { Self.types[$0] } ?? TypeRules()
    // The default is 10, which not every type allows.
    let priority = request[.priority] ?? "10"
    guard (rules ?? TypeRules()).priorities.contains(priority) else {
      throw Refusal(400, "BadPriority")
    }
    if let expiration = request[.expiration] {
      guard let seconds = Int64(expiration), seconds >= 0 else {
        throw Refusal(400, "BadExpirationDate")
      }
    }
    guard let rules else { throw Refusal(400, "InvalidPushType") }
    return rules
  }

  /// The bundle id in a topic.
  private func bundleID(of topic: String, _ rules: TypeRules) throws(Refusal) -> String {
    guard topic.utf8.count <= 255, Self.isVisible(topic),
      rules.suffix.isEmpty || topic.hasSuffix(rules.suffix)
    else { throw Refusal(400, "BadTopic") }
    return rules.suffix.isEmpty ? topic : String(topic.dropLast(rules.suffix.count))
  }

  /// Whether a text is printable ASCII without spaces.
  private static func isVisible(_ text: String) -> Bool {
    let bytes = text.utf8.span
    // No early exit: the compiler vectorizes such a loop.
    var invalid: UInt8 = 0
    for index in bytes.indices { invalid |= bytes[index] &- 0x21 < 0x5e ? 0 : 1 }
    return invalid == 0
  }

  private func checkDevice(
    _ request: SandboxRequest, topic: String, bundleID: String
  ) throws(Refusal) {
    if request.hasEmptyToken { throw Refusal(400, "MissingDeviceToken") }
    guard request.hasHexToken else { throw Refusal(400, "BadDeviceToken") }
    if hasSpecialTokens.load(ordering: .relaxed), let token = request.token?.lowercased() {
      if foreignTokens.contains(token) { throw Refusal(400, "BadDeviceToken") }
      if let timestamp = expiredTokens[token] {
        throw Refusal(410, "ExpiredToken", timestamp: timestamp)
      }
      if let timestamp = goneTokens.withLock({ $0[token] }) {
        throw Refusal(410, "Unregistered", timestamp: timestamp)
      }
      if let app = apps[token], app != bundleID, app != topic {
        throw Refusal(400, "DeviceTokenNotForTopic")
      }
    }
  }
}
