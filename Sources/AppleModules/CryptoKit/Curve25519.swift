public import Foundation
import _OpenSSLCrypto

/// Apple's `Curve25519`, keys on that curve.
///
/// Source: Apple, `Curve25519`.
public enum Curve25519 {
  /// Keys that agree on a secret (X25519, RFC 7748).
  public enum KeyAgreement {
    /// The public key of a key that agrees on a secret.
    public struct PublicKey: Sendable {
      fileprivate let key: CurveKey

      /// Reads a key.
      ///
      /// - Parameter rawRepresentation: 32 bytes.
      /// - Throws: ``CryptoKitError/incorrectKeySize`` for another length.
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {
        key = try publicKey(.x25519, rawRepresentation)
      }

      fileprivate init(_ key: CurveKey) { self.key = key }

      /// The key's 32 bytes.
      public var rawRepresentation: Data { Data(key.publicBytes) }
    }

    /// A key that agrees on a secret.
    public struct PrivateKey: Sendable {
      private let key: CurveKey

      /// Makes a key.
      public init() { key = .generate(.x25519) }

      /// Reads a key.
      ///
      /// - Parameter rawRepresentation: 32 bytes.
      /// - Throws: ``CryptoKitError/incorrectKeySize`` for another length.
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {
        key = try privateKey(.x25519, rawRepresentation)
      }

      /// The public key.
      public var publicKey: PublicKey { PublicKey(key) }
      /// The key's 32 bytes, which are secret.
      public var rawRepresentation: Data { Data(key.scalar) }

      /// Computes the secret that is shared with the owner of a public key.
      ///
      /// - Parameter publicKeyShare: The public key.
      /// - Returns: The secret.
      /// - Throws: ``CryptoKitError`` for a public key that leads to the same secret with every key.
      public func sharedSecretFromKeyAgreement(
        with publicKeyShare: PublicKey
      ) throws -> SharedSecret {
        guard let secret = key.sharedSecret(with: publicKeyShare.key) else {
          throw CryptoKitError.invalidParameter
        }
        return SharedSecret(secret)
      }
    }
  }

  /// Keys that sign (Ed25519, RFC 8032).
  ///
  /// Unlike Apple's, two signatures of one message are the same.
  public enum Signing {
    /// A key that verifies signatures.
    public struct PublicKey: Sendable {
      private let key: CurveKey

      /// Reads a key.
      ///
      /// - Parameter rawRepresentation: 32 bytes.
      /// - Throws: ``CryptoKitError/incorrectKeySize`` for another length.
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {
        key = try publicKey(.ed25519, rawRepresentation)
      }

      fileprivate init(_ key: CurveKey) { self.key = key }

      /// The key's 32 bytes.
      public var rawRepresentation: Data { Data(key.publicBytes) }

      /// Verifies the signature of a message.
      ///
      /// - Parameters:
      ///   - signature: The signature.
      ///   - data: The message.
      /// - Returns: Whether the signature is that of the message.
      public func isValidSignature<S: DataProtocol, D: DataProtocol>(
        _ signature: S, for data: D
      ) -> Bool { key.isValid(signature: Array(signature), message: Array(data)) }
    }

    /// A key that signs.
    public struct PrivateKey: Sendable {
      private let key: CurveKey

      /// Makes a key.
      public init() { key = .generate(.ed25519) }

      /// Reads a key.
      ///
      /// - Parameter rawRepresentation: 32 bytes.
      /// - Throws: ``CryptoKitError/incorrectKeySize`` for another length.
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {
        key = try privateKey(.ed25519, rawRepresentation)
      }

      /// The public key.
      public var publicKey: PublicKey { PublicKey(key) }
      /// The key's 32 bytes, which are secret.
      public var rawRepresentation: Data { Data(key.scalar) }

      /// Signs a message.
      ///
      /// - Parameter data: The message.
      /// - Returns: The signature, 64 bytes.
      /// - Throws: ``CryptoKitError`` if the library fails.
      public func signature<D: DataProtocol>(for data: D) throws -> Data {
        guard let signature = key.signature(message: Array(data)) else {
          throw CryptoKitError.invalidParameter
        }
        return Data(signature)
      }
    }
  }
}

private func publicKey(_ curve: Curve, _ bytes: some ContiguousBytes) throws -> CurveKey {
  guard let key = CurveKey(curve, publicKey: bytes.bytes) else {
    throw CryptoKitError.incorrectKeySize
  }
  return key
}

private func privateKey(_ curve: Curve, _ bytes: some ContiguousBytes) throws -> CurveKey {
  guard let key = CurveKey(curve, scalar: bytes.bytes) else {
    throw CryptoKitError.incorrectKeySize
  }
  return key
}
