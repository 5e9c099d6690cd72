public import Foundation

/// Apple's `HKDF`, a function that derives keys (RFC 5869).
///
/// Source: Apple, `HKDF`.
public struct HKDF<H: HashFunction>: Sendable {
  /// Derives a key.
  ///
  /// - Parameters:
  ///   - inputKeyMaterial: The secret.
  ///   - salt: The salt.
  ///   - info: The context of the key.
  ///   - outputByteCount: The length of the key in bytes, at most 255 times that of a digest.
  /// - Returns: The key.
  public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
  ) -> SymmetricKey {
    expand(
      pseudoRandomKey: extract(inputKeyMaterial: inputKeyMaterial, salt: salt), info: info,
      outputByteCount: outputByteCount)
  }

  /// Derives a key without a salt.
  ///
  /// - Parameters:
  ///   - inputKeyMaterial: The secret.
  ///   - info: The context of the key.
  ///   - outputByteCount: The length of the key in bytes.
  /// - Returns: The key.
  public static func deriveKey<Info: DataProtocol>(
    inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
  ) -> SymmetricKey {
    deriveKey(
      inputKeyMaterial: inputKeyMaterial, salt: [UInt8](), info: info,
      outputByteCount: outputByteCount)
  }

  /// Derives a key without a context.
  ///
  /// - Parameters:
  ///   - inputKeyMaterial: The secret.
  ///   - salt: The salt.
  ///   - outputByteCount: The length of the key in bytes.
  /// - Returns: The key.
  public static func deriveKey<Salt: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
  ) -> SymmetricKey {
    deriveKey(
      inputKeyMaterial: inputKeyMaterial, salt: salt, info: [UInt8](),
      outputByteCount: outputByteCount)
  }

  /// Derives a key without a salt and a context.
  ///
  /// - Parameters:
  ///   - inputKeyMaterial: The secret.
  ///   - outputByteCount: The length of the key in bytes.
  /// - Returns: The key.
  public static func deriveKey(
    inputKeyMaterial: SymmetricKey, outputByteCount: Int
  ) -> SymmetricKey {
    deriveKey(
      inputKeyMaterial: inputKeyMaterial, salt: [UInt8](), info: [UInt8](),
      outputByteCount: outputByteCount)
  }

  /// Extracts a pseudorandom key, the first step of the derivation.
  ///
  /// - Parameters:
  ///   - inputKeyMaterial: The secret.
  ///   - salt: The salt; `nil` uses no salt.
  /// - Returns: The pseudorandom key.
  public static func extract<Salt: DataProtocol>(
    inputKeyMaterial: SymmetricKey, salt: Salt?
  ) -> HashedAuthenticationCode<H> {
    HMAC<H>.authenticationCode(
      for: inputKeyMaterial.bytes, using: SymmetricKey(data: salt.map { Array($0) } ?? []))
  }

  /// Expands a pseudorandom key, the second step of the derivation.
  ///
  /// - Parameters:
  ///   - pseudoRandomKey: The pseudorandom key.
  ///   - info: The context of the key; `nil` uses no context.
  ///   - outputByteCount: The length of the key in bytes, at most 255 times that of a digest.
  /// - Returns: The key.
  public static func expand<PRK: ContiguousBytes, Info: DataProtocol>(
    pseudoRandomKey: PRK, info: Info?, outputByteCount: Int
  ) -> SymmetricKey {
    precondition(
      (0...255 * H.byteCount).contains(outputByteCount), "HKDF makes at most 255 digests of a key")
    let key = SymmetricKey(data: pseudoRandomKey)
    var (output, block): ([UInt8], [UInt8]) = ([], [])
    var counter: UInt8 = 0
    while output.count < outputByteCount {
      counter += 1
      var code = HMAC<H>(key: key)
      code.update(data: block)
      if let info { code.update(data: info) }
      code.update(data: [counter])
      block = Array(code.finalize())
      output += block
    }
    return SymmetricKey(data: output.prefix(outputByteCount))
  }
}
