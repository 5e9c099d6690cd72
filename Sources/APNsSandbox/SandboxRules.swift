import PushPayload
import Synchronization

/// What APNs checks of a request, in the order in which it answers.
///
/// Sources: Apple's "Sending notification requests to APNs" and "Handling notification responses from
/// APNs". Apple does not document the order: here it is that of pushy's mock server.
final class SandboxRules: Sendable {
  /// A refusal: Apple's status and reason.
  struct Refusal: Error, Equatable {
    var status: Int
    var reason: String
    /// With 410: when the token went, in milliseconds since 1970.
    var timestamp: Int64?

    init(_ status: Int, _ reason: String, timestamp: Int64? = nil) {
      self.status = status
      self.reason = reason
      self.timestamp = timestamp
    }
  }

  /// What is asked of the pushes of one kind.
  ///
  /// The sandbox stands for Apple's side, so it keeps this table of its own, independent of `PushType.Requirements`
  /// on purpose: `PushTypeAgreementTests` compares the two, so that a mistake in either is found.
  private struct Kind {
    /// What the topic has after the bundle id.
    var suffix = ""
    var priorities = ["10", "5", "1"]
    var payloadLimit = 4096
  }

  private static let kinds: [String: Kind] = [
    "alert": Kind(), "background": Kind(priorities: ["5"]),
    "complication": Kind(suffix: ".complication"),
    "controls": Kind(suffix: ".push-type.controls"),
    "fileprovider": Kind(suffix: ".pushkit.fileprovider"),
    "liveactivity": Kind(suffix: ".push-type.liveactivity", priorities: ["10", "5"]),
    "location": Kind(suffix: ".location-query"), "mdm": Kind(),
    "pushtotalk": Kind(suffix: ".voip-ptt"),
    "voip": Kind(suffix: ".voip", payloadLimit: 5120),
    "widgets": Kind(suffix: ".push-type.widgets"),
  ]

  private let tokens: ProviderTokenRules
  private let certificates: CertificateRules
  private let goneTokens: Mutex<[String: Int64]>
  private let expiredTokens: [String: Int64]
  private let foreignTokens: Set<String>
  private let apps: [String: String]
  /// Whether any token may be more than live for every topic.
  private let knowsTokens: Atomic<Bool>

  init(_ configuration: APNsSandbox.Configuration) throws(SandboxError) {
    tokens = try ProviderTokenRules(
      keys: configuration.providerKeys, isStrict: configuration.strictJWT)
    certificates = CertificateRules(needsTrust: configuration.clientAuthorityPEM != nil)
    func named<Value>(_ tokens: [String: Value]) -> [String: Value] {
      Dictionary(tokens.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    }
    goneTokens = Mutex(named(configuration.goneTokens))
    expiredTokens = named(configuration.expiredTokens)
    foreignTokens = Set(configuration.foreignTokens.map { $0.lowercased() })
    apps = named(configuration.apps)
    knowsTokens = Atomic(
      !(configuration.goneTokens.isEmpty && foreignTokens.isEmpty && expiredTokens.isEmpty
        && apps.isEmpty))
  }

  func markGone(_ token: String, at timestamp: Int64?) {
    goneTokens.withLock { $0[token.lowercased()] = timestamp }
    knowsTokens.store(true, ordering: .relaxed)
  }

  /// Checks a request at a time in milliseconds since 1970; `provider` is what the connection has shown
  /// so far.
  func check(
    _ request: SandboxRequest, _ provider: inout SandboxProvider, now: Int64
  ) throws(Refusal) {
    if request.hasDuplicate { throw Refusal(400, "DuplicateHeaders") }
    if let id = request[.apnsID], !id.isUUID { throw Refusal(400, "BadMessageId") }
    guard request.method == "POST" else { throw Refusal(405, "MethodNotAllowed") }
    // Where channels are, nothing has a topic.
    if !request.isPush, request.path.hasPrefix("/1/") || request.path.hasPrefix("/4/") {
      throw Refusal(404, "BadPath")
    }
    guard let topic = request.topic(of: provider), !topic.isEmpty else {
      throw Refusal(400, "MissingTopic")
    }
    let kind = try checkHeaders(request)
    let bundleID = try bundleID(of: topic, kind)
    guard request.isPush else { throw Refusal(404, "BadPath") }
    try checkDevice(request, bundleID)
    try authenticate(request, topic: topic, bundleID: bundleID, &provider, now: now / 1000)
    if request.bodyCount == 0 { throw Refusal(400, "PayloadEmpty") }
    if request.bodyCount > kind.payloadLimit { throw Refusal(413, "PayloadTooLarge") }
  }

  /// Checks who sends: by the certificate where the connection has one, else by the provider token.
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

  /// Checks the headers, and says of which kind the push is; without a word it is an alert.
  private func checkHeaders(_ request: SandboxRequest) throws(Refusal) -> Kind {
    if let id = request[.collapseID], id.utf8.count > 64 {
      throw Refusal(400, "BadCollapseId")
    }
    let kind = request[.pushType].map { Self.kinds[$0] } ?? Kind()
    // Without a word it is 10, which not every kind takes.
    let priority = request[.priority] ?? "10"
    guard (kind ?? Kind()).priorities.contains(priority) else { throw Refusal(400, "BadPriority") }
    if let expiration = request[.expiration] {
      guard let seconds = Int64(expiration), seconds >= 0 else {
        throw Refusal(400, "BadExpirationDate")
      }
    }
    guard let kind else { throw Refusal(400, "InvalidPushType") }
    return kind
  }

  /// Which app a topic is of.
  private func bundleID(of topic: String, _ kind: Kind) throws(Refusal) -> String {
    guard topic.utf8.count <= 255, Self.isVisible(topic),
      kind.suffix.isEmpty || topic.hasSuffix(kind.suffix)
    else { throw Refusal(400, "BadTopic") }
    return kind.suffix.isEmpty ? topic : String(topic.dropLast(kind.suffix.count))
  }

  /// Whether a text is of ASCII that can be seen.
  private static func isVisible(_ text: String) -> Bool {
    let bytes = text.utf8.span
    // Without a way out of it, as the compiler makes vectors of such a loop.
    var foreign: UInt8 = 0
    for place in bytes.indices { foreign |= bytes[place] &- 0x21 < 0x5e ? 0 : 1 }
    return foreign == 0
  }

  private func checkDevice(_ request: SandboxRequest, _ bundleID: String) throws(Refusal) {
    if request.hasEmptyToken { throw Refusal(400, "MissingDeviceToken") }
    guard request.hasHexToken else { throw Refusal(400, "BadDeviceToken") }
    if knowsTokens.load(ordering: .relaxed), let token = request.token?.lowercased() {
      if foreignTokens.contains(token) { throw Refusal(400, "BadDeviceToken") }
      if let timestamp = expiredTokens[token] {
        throw Refusal(410, "ExpiredToken", timestamp: timestamp)
      }
      if let timestamp = goneTokens.withLock({ $0[token] }) {
        throw Refusal(410, "Unregistered", timestamp: timestamp)
      }
      if let app = apps[token], app != bundleID { throw Refusal(400, "DeviceTokenNotForTopic") }
    }
  }
}
