import Foundation
import NetworkAddresses
import PushStore
import Synchronization
import _HTTPServer

extension API {
  /// Returns the key of a request, which may have expired, or `nil` on a route that asks for none.
  ///
  /// - Throws: ``APIError`` 401 without a key that is known.
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

  /// Returns the key of a request as an earlier request found it; `nil` where it has to be looked up.
  func rememberedKey(of request: HTTPRequest) -> APIKey? {
    // A body that is long, or is waited for, is taken only after a lookup: what the server itself answers to it confirms no key.
    let length = request.header("Content-Length").map { Int($0) ?? .max } ?? 0
    guard length <= Self.rememberedKeyBodyLimit, request.header("Transfer-Encoding") == nil,
      request.header("Expect") == nil
    else { return nil }
    // The second one counts only where the first is no key.
    guard let hash = keyHashes(in: request).first, let key = store.rememberedKey(hash: hash),
      key.has(hash: hash), key.limits.admits(request.remoteAddress),
      !key.limits.haveExpired(at: clock.now())
    else { return nil }
    return key
  }

  /// The most bytes of a body for which a remembered key is taken; most updates of a device are far shorter.
  private static let rememberedKeyBodyLimit = 16 << 10

  /// Returns the error with which a request failed; `nil` where its key was a remembered one that has changed since, so that the
  /// request is to be made again.
  func confirmed(_ error: any Error, with rememberedKey: APIKey?) async -> (any Error)? {
    let code = (error as? StoreError)?.code
    // A store that is not available would be waited for once more.
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
  /// - Throws: ``APIError`` 401 where the key has expired, 403 where it does not admit the address, the
  ///   role or the app.
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
  /// A key that has expired is returned where neither is valid.
  private func key(of request: HTTPRequest) async throws -> APIKey? {
    var expired: APIKey?
    for hash in keyHashes(in: request) {
      guard let key = try await store.knownKey(hash: hash) else { continue }
      if !key.limits.haveExpired(at: clock.now()) { return key }
      expired = expired ?? key
    }
    return expired
  }

  /// The hashes of what HTTP Basic has as password and as user name, since some callers leave out the colon.
  private func keyHashes(in request: HTTPRequest) -> [[UInt8]] {
    guard let header = request.header("Authorization"), header.utf8.count <= 1024,
      let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
      header[..<space].lowercased() == "basic",
      let data = Data(base64Encoded: String(header[space...].trimmed))
    else { return [] }
    let parts = Array(data).split(separator: UInt8(ascii: ":"), maxSplits: 1)
    return parts.reversed().map { Identifiers.hash(ofKey: String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns a check of whether a key is still admitted, for an answer that goes on for long.
  func isAdmitted(_ key: APIKey?) -> @Sendable () async throws -> Bool {
    { [store, clock] in
      guard let key else { return false }
      return try await store.admittedKey(hash: key.hash, at: clock.now()) != nil
    }
  }

  /// Counts a request against the limits of its address and its key.
  ///
  /// - Throws: ``APIError`` 429 with `Retry-After` where a limit is reached.
  func limit(_ key: APIKey, _ address: String) throws(APIError) {
    let now = clock.now()
    // A device key is public, since it ships inside an app.
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

  /// Counts credentials that were refused, and writes an audit entry where the address has not had too many.
  ///
  /// Credentials that are valid are never counted, so that nobody can lock another one out.
  ///
  /// - Returns: How many seconds the address has to wait for another attempt; `nil` where it need not wait.
  func refused(_ kind: ServerMetrics.Refusal, _ call: Call) async throws -> Int? {
    metrics.refused(kind)
    let now = clock.now()
    let network = NumericAddress.network(of: call.request.remoteAddress)
    if let wait = refusals.withLock({ $0.wait(for: kind.rawValue + network, .refusal, at: now) }) {
      return wait
    }
    // Entries of many addresses together have a limit too, for the sake of the disk.
    guard refusals.withLock({ $0.wait(for: kind.rawValue, .refusalAudit, at: now) }) == nil else {
      return nil
    }
    let action = kind == .key ? "key.refused" : "session.refused"
    let entry = auditEntry(for: call, action: action, object: nil, app: call.key?.app)
    try await store.append(entry)
    return nil
  }
}
