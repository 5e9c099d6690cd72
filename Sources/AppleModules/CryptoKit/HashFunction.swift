public import Foundation

/// Apple's `HashFunction`, a hash function that takes bytes in pieces.
///
/// Source: Apple, `HashFunction`.
public protocol HashFunction: Sendable {
  /// The type of the digest.
  associatedtype Digest: CryptoKit.Digest
  /// The length of a block in bytes.
  static var blockByteCount: Int { get }
  /// The length of the digest in bytes.
  static var byteCount: Int { get }

  /// Creates the hash of no bytes.
  init()
  /// Adds bytes.
  ///
  /// - Parameter bufferPointer: The bytes.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  /// Computes the digest of all bytes that were added.
  ///
  /// - Returns: The digest.
  func finalize() -> Digest
}

extension HashFunction {
  /// The length of the digest in bytes.
  public static var byteCount: Int { Digest.byteCount }

  /// Adds bytes.
  ///
  /// - Parameter data: The bytes.
  public mutating func update<D: DataProtocol>(data: D) {
    for region in data.regions { region.withUnsafeBytes { unsafe update(bufferPointer: $0) } }
  }

  /// Computes the digest of bytes.
  ///
  /// - Parameter data: The bytes.
  /// - Returns: The digest.
  public static func hash<D: DataProtocol>(data: D) -> Digest {
    var hash = Self()
    hash.update(data: data)
    return hash.finalize()
  }

  /// Computes the digest of bytes.
  ///
  /// - Parameter bufferPointer: The bytes.
  /// - Returns: The digest.
  public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest {
    var hash = Self()
    unsafe hash.update(bufferPointer: bufferPointer)
    return hash.finalize()
  }
}

/// Apple's `Digest`, the result of a hash function.
///
/// Source: Apple, `Digest`.
public protocol Digest: ContiguousBytes, CustomStringConvertible, Hashable, Sendable,
  Sequence<UInt8>
{
  /// The length in bytes.
  static var byteCount: Int { get }
}

extension Digest {
  /// Returns an iterator over the bytes.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Array<UInt8>.Iterator {
    withUnsafeBytes { Array($0) }.makeIterator()
  }

  /// Whether a digest has the same bytes, compared in constant time.
  ///
  /// - Parameters:
  ///   - left: The digest.
  ///   - right: The bytes.
  /// - Returns: Whether they are the same.
  public static func == <D: DataProtocol>(left: Self, right: D) -> Bool {
    isEqual(Array(left), Array(right))
  }

  /// Whether a digest has other bytes.
  ///
  /// - Parameters:
  ///   - left: The digest.
  ///   - right: The bytes.
  /// - Returns: Whether they differ.
  public static func != <D: DataProtocol>(left: Self, right: D) -> Bool { !(left == right) }
}
