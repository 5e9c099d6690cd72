import Foundation
import NetworkAddresses
import PushModel
import Synchronization
import _HTTPServer

extension Router {
  /// Returns the known key of a request, which may have expired.
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if the request has no known key.
  func identify(_ call: RequestContext) async throws -> APIKey {
    if let key = try await key(of: call.request) { return key }
    if call.request.header("Authorization") != nil {
      _ = try await actions.refused(.key, from: call.request.remoteAddress)
    }
    throw RequestError.unauthorized
  }

  /// Checks that the key of a request may make it.
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if the key has expired, `.forbidden` if it does not admit the address, the role or
  ///   the app.
  func authorize(_ call: KeyedRequest, for access: Route.Access) async throws {
    let key = call.key
    let isAdmitted = key.limits.admits(call.request.remoteAddress)
    let hasExpired = key.limits.haveExpired(at: clock.now())
    guard isAdmitted, !hasExpired else {
      _ = try await actions.refused(.key, of: key, from: call.request.remoteAddress)
      throw hasExpired ? RequestError.expiredKey : RequestError.forbiddenAddress
    }
    guard access.admits(key.role) else { throw RequestError.forbidden }
    if case .serverOrAdmin = access, key.role == .admin, key.app != call.namedApp ?? key.app {
      throw RequestError.forbidden
    }
  }

  /// Checks that the key of a request is still admitted when the body has arrived.
  ///
  /// A client decides how long after the head the body comes, and the key may be over by then. A device key is public,
  /// so that its end takes little from its holder.
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if the key was revoked or has expired meanwhile.
  func authorizeBody(of call: KeyedRequest) async throws {
    let (key, request) = (call.key, call.request)
    // The end of an empty body in chunks may come late too.
    let hasBody =
      !request.body.isEmpty || request.incoming != nil
      || request.header("Transfer-Encoding") != nil
    guard key.role != .device, hasBody, try await !isAdmitted(key)() else { return }
    _ = try await actions.refused(.key, of: key, from: request.remoteAddress)
    throw key.limits.haveExpired(at: clock.now())
      ? RequestError.expiredKey : RequestError.unauthorized
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

  /// Records that a key was used, at most once an hour.
  ///
  /// The request is answered even if the store takes no writes.
  func recordUse(of key: APIKey, from address: String) async {
    let now = clock.now()
    func isRecent(_ time: Timestamp) -> Bool { now.since(time) < APIKey.Use.interval }
    if let last = key.lastUse, isRecent(last.at) { return }
    // Of the requests that arrive before the store has the use, one writes it.
    let isFirst = keyUses.withLock { uses in
      if let last = uses[key.id], isRecent(last) { return false }
      uses = uses.filter { isRecent($0.value) }
      uses[key.id] = now
      return true
    }
    guard isFirst else { return }
    try? await store.record(APIKey.Use(at: now, address: address), ofKey: key.id)
  }

  /// Returns a check of whether a key is still admitted, for an answer that takes long.
  func isAdmitted(_ key: APIKey) -> @Sendable () async throws -> Bool {
    { [store, clock] in try await store.admittedKey(hash: key.hash, at: clock.now()) != nil }
  }

  /// Counts a request against the limits of its address and its key.
  ///
  /// - Throws: ``RequestError`` `.tooMany` with `Retry-After` if a limit is reached.
  func limit(_ key: APIKey, _ address: String) throws(RequestError) {
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
}
