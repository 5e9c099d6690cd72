import PushPayload

/// What APNs checks of a request, in the order in which it answers.
///
/// Sources: Apple's "Sending notification requests to APNs" and "Handling notification responses from
/// APNs". Apple does not document the order.
struct SandboxRules {
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

  /// The push types, and what their topics have after the bundle id.
  private static let topicSuffixes = [
    "alert": "", "background": "", "complication": ".complication",
    "controls": ".push-type.controls", "fileprovider": ".pushkit.fileprovider",
    "liveactivity": ".push-type.liveactivity", "location": ".location-query", "mdm": "",
    "pushtotalk": ".voip-ptt", "voip": ".voip", "widgets": ".push-type.widgets",
  ]

  private let tokens: ProviderTokenRules
  private let certificates: CertificateRules
  private var goneTokens: [String: Int64]
  private let expiredTokens: [String: Int64]
  private let foreignTokens: Set<String>
  private let apps: [String: String]

  init(_ configuration: APNsSandbox.Configuration) throws(SandboxError) {
    tokens = try ProviderTokenRules(
      keys: configuration.providerKeys, isStrict: configuration.strictJWT)
    certificates = CertificateRules(needsTrust: configuration.clientAuthorityPEM != nil)
    func named<Value>(_ tokens: [String: Value]) -> [String: Value] {
      Dictionary(tokens.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    }
    goneTokens = named(configuration.goneTokens)
    expiredTokens = named(configuration.expiredTokens)
    foreignTokens = Set(configuration.foreignTokens.map { $0.lowercased() })
    apps = named(configuration.apps)
  }

  mutating func markGone(_ token: String, at timestamp: Int64?) {
    goneTokens[token.lowercased()] = timestamp
  }

  /// Checks a request at a time in milliseconds since 1970; `provider` is what the connection has shown
  /// so far.
  func check(
    _ request: SandboxRequest, _ provider: inout SandboxProvider, now: Int64
  ) throws(Refusal) {
    if request.hasDuplicate { throw Refusal(400, "DuplicateHeaders") }
    if let id = request["apns-id"], !id.isUUID { throw Refusal(400, "BadMessageId") }
    guard request.method == "POST" else { throw Refusal(405, "MethodNotAllowed") }
    guard let token = request.token else { throw Refusal(404, "BadPath") }
    guard let topic = request.topic(of: provider), !topic.isEmpty else {
      throw Refusal(400, "MissingTopic")
    }
    let bundleID = try checkHeaders(request, topic)
    try checkDevice(token, bundleID)
    try authenticate(request, topic: topic, bundleID: bundleID, &provider, now: now / 1000)
    if request.bodyCount == 0 { throw Refusal(400, "PayloadEmpty") }
    let limit = request["apns-push-type"] == "voip" ? 5120 : 4096
    if request.bodyCount > limit { throw Refusal(413, "PayloadTooLarge") }
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

  /// Checks the headers, and says which app the topic is of.
  private func checkHeaders(
    _ request: SandboxRequest, _ topic: String
  ) throws(Refusal) -> String {
    guard topic.utf8.count <= 255, topic.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      throw Refusal(400, "BadTopic")
    }
    if let id = request["apns-collapse-id"], id.utf8.count > 64 {
      throw Refusal(400, "BadCollapseId")
    }
    let type = request["apns-push-type"]
    if let priority = request["apns-priority"] {
      let isKnown = priority == "5" || priority == "1" || priority == "10" && type != "background"
      guard isKnown else { throw Refusal(400, "BadPriority") }
    }
    if let expiration = request["apns-expiration"] {
      guard let seconds = Int64(expiration), seconds >= 0 else {
        throw Refusal(400, "BadExpirationDate")
      }
    }
    guard let type else { return topic }
    guard let suffix = Self.topicSuffixes[type] else { throw Refusal(400, "InvalidPushType") }
    if suffix.isEmpty { return topic }
    guard topic.hasSuffix(suffix) else { throw Refusal(400, "BadTopic") }
    return String(topic.dropLast(suffix.count))
  }

  /// Whether any token is more than live for every topic.
  private var knowsTokens: Bool {
    !(foreignTokens.isEmpty && expiredTokens.isEmpty && apps.isEmpty && goneTokens.isEmpty)
  }

  private func checkDevice(_ token: String, _ bundleID: String) throws(Refusal) {
    if token.isEmpty { throw Refusal(400, "MissingDeviceToken") }
    guard Self.isHex(token) else { throw Refusal(400, "BadDeviceToken") }
    if !knowsTokens { return }
    let token = token.lowercased()
    if foreignTokens.contains(token) { throw Refusal(400, "BadDeviceToken") }
    if let timestamp = expiredTokens[token] {
      throw Refusal(410, "ExpiredToken", timestamp: timestamp)
    }
    if let app = apps[token], app != bundleID { throw Refusal(400, "DeviceTokenNotForTopic") }
    if let timestamp = goneTokens[token] {
      throw Refusal(410, "Unregistered", timestamp: timestamp)
    }
  }

  /// Whether a text is digits of bytes and nothing else.
  private static func isHex(_ text: String) -> Bool {
    let bytes = text.utf8.span
    // Without a way out of it: the compiler makes vectors of such a loop.
    var foreign: UInt8 = 0
    for place in bytes.indices {
      let isNoDigit: UInt8 = bytes[place] &- UInt8(ascii: "0") < 10 ? 0 : 1
      let isNoLetter: UInt8 = (bytes[place] | 0x20) &- UInt8(ascii: "a") < 6 ? 0 : 1
      foreign |= isNoDigit & isNoLetter
    }
    return foreign == 0 && bytes.count.isMultiple(of: 2)
  }
}
