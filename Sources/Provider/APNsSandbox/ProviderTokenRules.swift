import FoundationEssentials
import PushCrypto
import PushPayload
import _OpenSSLCrypto

/// The provider tokens that one connection has used.
struct ProviderTokenHistory {
  /// The last token that was accepted; a push with the same one needs no other check than its age.
  fileprivate(set) var accepted: (header: String, team: String, key: String, issuedAt: Int64)?
  /// The time at which the connection last changed its token, in seconds since 1970.
  fileprivate var changedAt: Int64?
  /// Until when all pushes are refused, because the connection changed its token too often; in seconds since 1970.
  fileprivate var refusedUntil: Int64?

  init() {}
}

/// The checks of APNs on a provider token (RFC 7515 with ES256).
struct ProviderTokenRules {
  /// The seconds that a token is valid for.
  static let lifetime: Int64 = 3600
  /// The seconds that a connection has to keep a token for.
  static let minimumChange: Int64 = 20 * 60
  /// The seconds that a sender's clock may be ahead.
  static let skew: Int64 = 10 * 60

  private struct KeyName: Hashable {
    let team: String
    let key: String
  }

  private struct Key {
    let verifier: any ES256PublicKey
    let bundleIDs: Set<String>?
    let relatedKeyID: String?
    let isForeign: Bool
  }

  private let keys: [KeyName: Key]
  private let isStrict: Bool

  init(keys: [VirtualAPNs.ProviderKey], isStrict: Bool) throws(SandboxError) {
    var read: [KeyName: Key] = [:]
    let crypto = OpenSSLCrypto()
    for key in keys {
      let name = KeyName(team: key.teamID, key: key.keyID)
      let verifier: (any ES256PublicKey)? =
        (try? crypto.publicKey(pem: key.pem)) ?? (try? crypto.privateKey(pem: key.pem))?.publicKey
      guard let verifier else {
        throw SandboxError(
          .badProviderKey,
          "provider key \(key.keyID): it must be a .p8 file or a P-256 public key in PEM")
      }
      read[name] = Key(
        verifier: verifier, bundleIDs: key.bundleIDs, relatedKeyID: key.relatedKeyID,
        isForeign: key.isForeign)
    }
    self.keys = read
    self.isStrict = isStrict
  }

  /// Checks the `authorization` header of a push for a bundle id; `now` is in seconds since 1970.
  func check(
    _ authorization: String?, bundleID: String, _ history: inout ProviderTokenHistory, now: Int64
  ) throws(SandboxRules.Refusal) {
    let tooMany = SandboxRules.Refusal(429, "TooManyProviderTokenUpdates")
    let isRefused = history.refusedUntil.map { now < $0 } ?? false
    // Nearly every push of a connection has the token that was accepted before.
    if let known = history.accepted, known.header == authorization, !isRefused {
      try checkAge(known.issuedAt, now: now)
      if keys.isEmpty { return }
      return try checkTopic(keys[KeyName(team: known.team, key: known.key)], bundleID)
    }
    guard let authorization, let space = authorization.firstIndex(of: " ") else {
      throw SandboxRules.Refusal(403, "MissingProviderToken")
    }
    let scheme = authorization[..<space]
    guard isStrict ? scheme == "bearer" : scheme.lowercased() == "bearer" else {
      throw SandboxRules.Refusal(403, "MissingProviderToken")
    }
    if isRefused { throw tooMany }
    let compact = authorization[space...].dropFirst()
    let invalid = SandboxRules.Refusal(403, "InvalidProviderToken")
    guard let token = parse(compact) else { throw invalid }
    let key = keys[KeyName(team: token.team, key: token.key)]
    if !keys.isEmpty {
      guard let key, key.verifier.isValid(signature: token.signature, for: token.signed) else {
        throw invalid
      }
      if key.isForeign { throw SandboxRules.Refusal(403, "BadEnvironmentKeyIdInToken") }
    }
    try checkAge(token.issuedAt, now: now)
    if let known = history.accepted {
      // The first push binds the connection to its team, and to its key if the key is limited to some bundle ids.
      guard known.team == token.team else { throw invalid }
      if known.key != token.key, !areRelated(known.key, token.key, team: token.team) {
        throw SandboxRules.Refusal(403, "UnrelatedKeyIdInToken")
      }
      if let changedAt = history.changedAt, now - changedAt < Self.minimumChange {
        history.refusedUntil = changedAt + Self.minimumChange
        throw tooMany
      }
    }
    history.changedAt = now
    history.accepted = (authorization, token.team, token.key, token.issuedAt)
    try checkTopic(key, bundleID)
  }

  private func checkTopic(_ key: Key?, _ bundleID: String) throws(SandboxRules.Refusal) {
    guard let allowed = key?.bundleIDs, !allowed.contains(bundleID) else { return }
    throw SandboxRules.Refusal(400, "TopicDisallowed")
  }

  /// Whether two keys of a team may share a connection.
  private func areRelated(_ first: String, _ second: String, team: String) -> Bool {
    let one = keys[KeyName(team: team, key: first)]
    let other = keys[KeyName(team: team, key: second)]
    return one?.bundleIDs == nil && other?.bundleIDs == nil
      || one?.relatedKeyID == second || other?.relatedKeyID == first
  }

  private func checkAge(_ issuedAt: Int64, now: Int64) throws(SandboxRules.Refusal) {
    // The peer chooses the time of issue, so it must not be part of arithmetic that could overflow.
    if issuedAt < now - Self.lifetime { throw SandboxRules.Refusal(403, "ExpiredProviderToken") }
    if issuedAt > now + Self.skew { throw SandboxRules.Refusal(403, "InvalidProviderToken") }
  }

  private struct Token {
    let team: String
    let key: String
    let issuedAt: Int64
    let signed: [UInt8]
    let signature: [UInt8]
  }

  private func parse(_ compact: Substring) -> Token? {
    let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, compact.utf8.count <= 4096,
      let header = object(parts[0]), let claims = object(parts[1]),
      var signature = Base64URL.decode(parts[2], isLenient: !isStrict),
      let key = header["kid"]?.string, let team = claims["iss"]?.string, !team.isEmpty,
      let issuedAt = time(claims["iat"])
    else { return nil }
    switch header["alg"] {
    case .string("ES256"): break
    case nil where !isStrict: break
    default: return nil
    }
    if signature.count != 64 {
      guard !isStrict, let raw = OpenSSLCrypto.rawSignature(der: signature) else { return nil }
      signature = raw
    }
    return Token(
      team: team, key: key, issuedAt: issuedAt, signed: Array("\(parts[0]).\(parts[1])".utf8),
      signature: signature)
  }

  private func object(_ part: Substring) -> JSONValue? {
    guard let bytes = Base64URL.decode(part, isLenient: !isStrict),
      let value = try? JSONValue(parsing: Data(bytes)), value.object != nil
    else { return nil }
    return value
  }

  /// The time of issue in seconds since 1970, which may have a fraction (RFC 7519); unless strict, it may also be a string
  /// or in milliseconds.
  private func time(_ value: JSONValue?) -> Int64? {
    let seconds =
      value?.integer ?? value?.number.flatMap { Int64(exactly: $0.rounded(.down)) }
    guard !isStrict else { return seconds }
    guard let number = seconds ?? value?.string.flatMap({ Int64($0) }) else { return nil }
    return number > 100_000_000_000 ? number / 1000 : number
  }
}
