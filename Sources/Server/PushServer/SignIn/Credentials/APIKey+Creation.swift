package import PushModel
import _OpenSSLCrypto

extension APIKey {
  /// Makes a new API key.
  ///
  /// - Returns: The key, which is not stored, and its record for the store.
  package static func make(
    role: Role, app: String?, name: String? = nil, limits: Limits = Limits(),
    isForDevelopment: Bool = false, at now: Timestamp
  ) -> (key: String, record: APIKey) {
    let key = Identifiers.makeKey()
    let record = APIKey(
      id: Identifiers.makeObjectID(), app: app, role: role, name: name,
      hash: Identifiers.hash(ofKey: key), limits: limits, isForDevelopment: isForDevelopment,
      createdAt: now)
    return (key, record)
  }

  /// The most characters of a key's name.
  package static let nameLimit = 100

  /// Returns whether the key has a hash, in a comparison of constant time.
  func has(hash other: [UInt8]) -> Bool { OpenSSLCrypto.constantTimeEqual(hash, other) }
}

extension AppStore {
  /// Returns the key with a hash; `nil` if there is no such key or it has expired.
  func admittedKey(hash: [UInt8], at now: Timestamp) async throws(StoreError) -> APIKey? {
    guard let key = try await knownKey(hash: hash), !key.limits.haveExpired(at: now) else {
      return nil
    }
    return key
  }

  /// Returns the key with a hash, which may have expired; `nil` if there is no such key.
  ///
  /// The store's index compares hashes in a time that depends on the stored hashes, which reveals
  /// nothing about a key. The found key is compared again, so that the store's own comparison (by a
  /// collation or a prefix) never admits a caller.
  func knownKey(hash: [UInt8]) async throws(StoreError) -> APIKey? {
    guard let key = try await key(hash: hash), key.has(hash: hash) else { return nil }
    return key
  }
}
