import Foundation
import NetworkAddresses
import PushStore
import Synchronization
import _HTTPServer

extension API {
  /// Returns the key of a request, which may have expired; `nil` if the route needs no key.
  ///
  /// - Throws: ``APIError`` 401 if the request has no known key.
  func identify(_ call: Call, for access: Route.Access) async throws -> APIKey? {
    // A page identifies its visitor by a cookie.
    if case .open = access { return nil }
    if case .page = access { return nil }
    guard let key = try await key(of: call.request) else {
      guard call.request.header("Authorization") != nil else { throw APIError.unauthorized }
      _ = try await refused(.key, call)
      throw APIError.unauthorized
    }
    return key
  }

  /// Returns the key of a request if an earlier request found it; `nil` if it has to be looked up.
  func rememberedKey(of request: HTTPRequest) -> APIKey? {
    // A long body, or one that comes later, needs a lookup: the HTTP server may answer before a change
    // confirms the key.
    let length = request.header("Content-Length").map { Int($0) ?? .max } ?? 0
    guard length <= Self.rememberedKeyBodyLimit, request.header("Transfer-Encoding") == nil,
      request.header("Expect") == nil
    else { return nil }
    // The second hash counts only if the first one belongs to no key.
    guard let hash = keyHashes(in: request).first, let key = store.rememberedKey(hash: hash),
      key.has(hash: hash), key.limits.admits(request.remoteAddress),
      !key.limits.haveExpired(at: clock.now())
    else { return nil }
    return key
  }

  /// The longest body in bytes for which a remembered key is used; most updates of a device are far shorter.
  private static let rememberedKeyBodyLimit = 16 << 10

  /// Returns the error of a failed request; `nil` if its remembered key has changed, so that the request
  /// must be repeated.
  func confirmed(_ error: any Error, with rememberedKey: APIKey?) async -> (any Error)? {
    let code = (error as? StoreError)?.code
    // A lookup would wait for the unavailable store once more.
    guard let rememberedKey, code != .unavailable else { return error }
    if code == .keyChanged { return nil }
    do throws(StoreError) {
      return try await store.knownKey(hash: rememberedKey.hash) == rememberedKey ? error : nil
    } catch let failure {
      return failure
    }
  }

  /// Checks that a key may make a request.
  ///
  /// - Throws: ``APIError`` 401 if the key has expired, 403 if it does not admit the address, the role or
  ///   the app.
  func authorize(_ key: APIKey, _ call: Call, for access: Route.Access) async throws {
    let isAdmitted = key.limits.admits(call.request.remoteAddress)
    let hasExpired = key.limits.haveExpired(at: clock.now())
    guard isAdmitted, !hasExpired else {
      var call = call
      call.key = key
      _ = try await refused(.key, call)
      throw hasExpired ? APIError.expiredKey : APIError.forbiddenAddress
    }
    guard access.admits(key.role) else { throw APIError.forbidden }
    if case .serverOrAdmin = access, key.role == .admin, key.app != call.namedApp ?? key.app {
      throw APIError.forbidden
    }
  }

  /// Looks up the key of a request.
  ///
  /// If all keys of the request have expired, the first one is returned.
  private func key(of request: HTTPRequest) async throws -> APIKey? {
    var expired: APIKey?
    for hash in keyHashes(in: request) {
      guard let key = try await store.knownKey(hash: hash) else { continue }
      if !key.limits.haveExpired(at: clock.now()) { return key }
      expired = expired ?? key
    }
    return expired
  }

  /// The hashes of the password and the user name of HTTP Basic, because some callers leave out the colon.
  private func keyHashes(in request: HTTPRequest) -> [[UInt8]] {
    guard let header = request.header("Authorization"), header.utf8.count <= 1024,
      let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
      header[..<space].lowercased() == "basic",
      let data = Data(base64Encoded: String(header[space...].trimmed))
    else { return [] }
    let parts = Array(data).split(separator: UInt8(ascii: ":"), maxSplits: 1)
    return parts.reversed().map { Identifiers.hash(ofKey: String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns a check of whether a key is still admitted, for an answer that takes long.
  func isAdmitted(_ key: APIKey?) -> @Sendable () async throws -> Bool {
    { [store, clock] in
      guard let key else { return false }
      return try await store.admittedKey(hash: key.hash, at: clock.now()) != nil
    }
  }

  /// Counts a request against the limits of its address and its key.
  ///
  /// - Throws: ``APIError`` 429 with `Retry-After` if a limit is reached.
  func limit(_ key: APIKey, _ address: String) throws(APIError) {
    let now = clock.now()
    // A device key is public, because it ships inside an app.
    let network = NumericAddress.network(of: address)
    if key.role == .device,
      let wait = publicCallers.withLock({ $0.wait(for: network, .publicCaller, at: now) })
    {
      throw .tooMany("from this address", wait: wait)
    }
    if let perSecond = key.limits.perSecond,
      let wait = limitedKeys.withLock({ $0.wait(for: key.id, .key(perSecond: perSecond), at: now) })
    {
      throw .tooMany("with this key, which allows \(perSecond) a second", wait: wait)
    }
  }

  /// Counts refused credentials, and writes an audit entry unless the address has had too many.
  ///
  /// Valid credentials are never counted, so that nobody can lock out anybody else.
  ///
  /// - Returns: The seconds until the address may try again; `nil` if it may try at once.
  func refused(_ kind: ServerMetrics.Refusal, _ call: Call) async throws -> Int? {
    metrics.refused(kind)
    let now = clock.now()
    let network = NumericAddress.network(of: call.request.remoteAddress)
    if let wait = refusals.withLock({ $0.wait(for: kind.rawValue + network, .refusal, at: now) }) {
      return wait
    }
    // The entries of all addresses together have a limit too, to save disk space.
    guard refusals.withLock({ $0.wait(for: kind.rawValue, .refusalAudit, at: now) }) == nil else {
      return nil
    }
    let action = kind == .key ? "key.refused" : "session.refused"
    let entry = auditEntry(for: call, action: action, object: nil, app: call.key?.app)
    try await store.append(entry)
    return nil
  }
}
