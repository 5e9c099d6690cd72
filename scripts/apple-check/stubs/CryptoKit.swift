// The declarations of Apple's CryptoKit that Martlet uses, so that the files that import it can be
// type-checked on Linux. Signatures as in Apple's documentation, https://developer.apple.com/documentation/cryptokit
public import Foundation

public protocol HashFunction {
  associatedtype Digest: CryptoKit.Digest
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}

public protocol Digest: ContiguousBytes, CustomStringConvertible, Hashable, Sendable,
  Sequence<UInt8>
{
  static var byteCount: Int { get }
}

public struct SHA256Digest: Digest {
  public static var byteCount: Int { fatalError() }
  public var description: String { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}

public struct SHA256: HashFunction, Sendable {
  public init() { fatalError() }
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) { fatalError() }
  public func finalize() -> SHA256Digest { fatalError() }
}

public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
  public init<D: ContiguousBytes>(data: D) { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
}

public struct HashedAuthenticationCode<H: HashFunction>: ContiguousBytes, Sequence {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}

public struct HMAC<H: HashFunction> {
  public typealias MAC = HashedAuthenticationCode<H>
  public static func authenticationCode<D: DataProtocol>(
    for data: D, using key: SymmetricKey
  ) -> MAC { fatalError() }
}

public enum AES {
  public enum GCM {
    public struct Nonce: ContiguousBytes, Sendable, Sequence {
      public init<D: DataProtocol>(data: D) throws { fatalError() }
      public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        fatalError()
      }
      public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    }

    public struct SealedBox: Sendable {
      public var tag: Data { fatalError() }
      public var ciphertext: Data { fatalError() }
      public init<C: DataProtocol, T: DataProtocol>(
        nonce: AES.GCM.Nonce, ciphertext: C, tag: T
      ) throws { fatalError() }
    }

    public static func seal<Plaintext: DataProtocol>(
      _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil
    ) throws -> SealedBox { fatalError() }

    public static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data {
      fatalError()
    }
  }
}

public struct SharedSecret: ContiguousBytes, Hashable, CustomStringConvertible, Sendable {
  public var description: String { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
}

public enum P256 {
  public enum KeyAgreement {
    public struct PublicKey: Sendable {
      public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws { fatalError() }
      public var x963Representation: Data { fatalError() }
    }

    public struct PrivateKey: Sendable {
      public init(compactRepresentable: Bool = true) { fatalError() }
      public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws { fatalError() }
      public var rawRepresentation: Data { fatalError() }
      public var publicKey: P256.KeyAgreement.PublicKey { fatalError() }
      public func sharedSecretFromKeyAgreement(
        with publicKeyShare: P256.KeyAgreement.PublicKey
      ) throws -> SharedSecret { fatalError() }
    }
  }

  public enum Signing {
    public struct ECDSASignature: ContiguousBytes, Sendable {
      public var rawRepresentation: Data { fatalError() }
      public init<D: DataProtocol>(rawRepresentation: D) throws { fatalError() }
      public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        fatalError()
      }
    }

    public struct PublicKey: Sendable {
      public init(pemRepresentation: String) throws { fatalError() }
      public func isValidSignature<D: DataProtocol>(
        _ signature: P256.Signing.ECDSASignature, for data: D
      ) -> Bool { fatalError() }
    }

    public struct PrivateKey: Sendable {
      public init(pemRepresentation: String) throws { fatalError() }
      public var publicKey: P256.Signing.PublicKey { fatalError() }
      public func signature<D: DataProtocol>(for data: D) throws -> P256.Signing.ECDSASignature {
        fatalError()
      }
    }
  }
}
