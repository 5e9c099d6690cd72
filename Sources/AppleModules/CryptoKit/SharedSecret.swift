public import Foundation

/// Apple's `SharedSecret`, the result of a key agreement, which is used to derive keys.
///
/// Source: Apple, `SharedSecret`.
public struct SharedSecret: ContiguousBytes, Hashable, CustomStringConvertible, Sendable {
  private let secret: [UInt8]

  init(_ secret: [UInt8]) { self.secret = secret }

  /// Calls a closure with the bytes.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe secret.withUnsafeBytes(body)
  }

  /// The secret in hexadecimal.
  public var description: String { "SharedSecret: \(hex(secret))" }

  /// Whether two secrets are the same, compared in constant time.
  ///
  /// - Parameters:
  ///   - left: One secret.
  ///   - right: The other one.
  /// - Returns: Whether they are.
  public static func == (left: Self, right: Self) -> Bool { isEqual(left.secret, right.secret) }

  /// Derives a key with HKDF (RFC 5869).
  ///
  /// - Parameters:
  ///   - hashFunction: The hash function.
  ///   - salt: The salt.
  ///   - sharedInfo: The context of the key.
  ///   - outputByteCount: The length of the key in bytes.
  /// - Returns: The key.
  public func hkdfDerivedSymmetricKey<H: HashFunction, Salt: DataProtocol, SI: DataProtocol>(
    using hashFunction: H.Type, salt: Salt, sharedInfo: SI, outputByteCount: Int
  ) -> SymmetricKey {
    HKDF<H>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: sharedInfo,
      outputByteCount: outputByteCount)
  }

  /// Derives a key with the function of ANSI X9.63 (SEC 1 section 3.6.1).
  ///
  /// - Parameters:
  ///   - hashFunction: The hash function.
  ///   - sharedInfo: The context of the key.
  ///   - outputByteCount: The length of the key in bytes.
  /// - Returns: The key.
  public func x963DerivedSymmetricKey<H: HashFunction, SI: DataProtocol>(
    using hashFunction: H.Type, sharedInfo: SI, outputByteCount: Int
  ) -> SymmetricKey {
    precondition(outputByteCount >= 0, "a key has no negative length")
    var key: [UInt8] = []
    var counter: UInt32 = 0
    while key.count < outputByteCount {
      counter += 1
      var hash = H()
      hash.update(data: secret)
      hash.update(data: (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) })
      hash.update(data: sharedInfo)
      key += hash.finalize()
    }
    return SymmetricKey(data: key.prefix(outputByteCount))
  }
}
