public import Foundation
import _OpenSSLCrypto

/// Apple's `SymmetricKeySize`, the size of a key.
///
/// Source: Apple, `SymmetricKeySize`.
public struct SymmetricKeySize: Sendable {
  /// The number of bits.
  public let bitCount: Int

  /// Creates a size.
  ///
  /// - Parameter bitCount: The number of bits, a positive multiple of 8.
  public init(bitCount: Int) {
    precondition(bitCount > 0 && bitCount % 8 == 0, "a key has whole bytes")
    self.bitCount = bitCount
  }

  /// 128 bits.
  public static var bits128: SymmetricKeySize { SymmetricKeySize(bitCount: 128) }
  /// 192 bits.
  public static var bits192: SymmetricKeySize { SymmetricKeySize(bitCount: 192) }
  /// 256 bits.
  public static var bits256: SymmetricKeySize { SymmetricKeySize(bitCount: 256) }
}

/// Apple's `SymmetricKey`, a secret key.
///
/// Source: Apple, `SymmetricKey`.
public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
  private let secret: [UInt8]

  /// Creates a key.
  ///
  /// - Parameter data: The key's bytes.
  public init<D: ContiguousBytes>(data: D) { secret = data.bytes }

  /// Makes a random key.
  ///
  /// - Parameter size: The size.
  public init(size: SymmetricKeySize) {
    secret = OpenSSLCrypto.randomBytes(size.bitCount / 8)
  }

  /// The number of bits.
  public var bitCount: Int { secret.count * 8 }

  /// Calls a closure with the bytes.
  ///
  /// - Parameter body: The closure.
  /// - Returns: The closure's result.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe secret.withUnsafeBytes(body)
  }

  /// Whether two keys are the same, compared in constant time.
  ///
  /// - Parameters:
  ///   - left: One key.
  ///   - right: The other one.
  /// - Returns: Whether they are.
  public static func == (left: Self, right: Self) -> Bool { isEqual(left.secret, right.secret) }
}
