import PushCrypto
import _OpenSSLCrypto

/// Apple's `Insecure`, hash functions that are broken, for old protocols.
///
/// Source: Apple, `Insecure`.
public enum Insecure {
  /// Apple's `Insecure.MD5Digest`, a digest of MD5.
  ///
  /// Source: Apple, `Insecure.MD5Digest`.
  public struct MD5Digest: Digest {
    private let bytes: [UInt8]

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The length in bytes.
    public static var byteCount: Int { OpenSSLHash.md5.byteCount }

    /// The name of the hash function and the digest in hexadecimal.
    public var description: String { "MD5 digest: \(hex(bytes))" }

    /// Calls a closure with the bytes.
    ///
    /// - Parameter body: The closure.
    /// - Returns: The closure's result.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try unsafe bytes.withUnsafeBytes(body)
    }

    /// Whether two digests are the same, compared in constant time.
    ///
    /// - Parameters:
    ///   - left: One digest.
    ///   - right: The other one.
    /// - Returns: Whether they are.
    public static func == (left: Self, right: Self) -> Bool { isEqual(left.bytes, right.bytes) }
  }

  /// Apple's `Insecure.MD5`, the hash function MD5.
  ///
  /// Source: Apple, `Insecure.MD5`.
  public struct MD5: HashFunction {
    /// The type of the digest.
    public typealias Digest = MD5Digest

    private var digest = OpenSSLDigest(.md5)

    /// Creates the hash of no bytes.
    public init() {}

    /// The length of a block in bytes.
    public static var blockByteCount: Int { 64 }

    /// Adds bytes.
    ///
    /// - Parameter bufferPointer: The bytes.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
      unsafe digest.update(bufferPointer)
    }

    /// Computes the digest of all bytes that were added.
    ///
    /// - Returns: The digest.
    public func finalize() -> MD5Digest { MD5Digest(digest.finalize()) }
  }

  /// Apple's `Insecure.SHA1Digest`, a digest of SHA-1.
  ///
  /// Source: Apple, `Insecure.SHA1Digest`.
  public struct SHA1Digest: Digest {
    private let bytes: [UInt8]

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The length in bytes.
    public static var byteCount: Int { OpenSSLHash.sha1.byteCount }

    /// The name of the hash function and the digest in hexadecimal.
    public var description: String { "SHA1 digest: \(hex(bytes))" }

    /// Calls a closure with the bytes.
    ///
    /// - Parameter body: The closure.
    /// - Returns: The closure's result.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      try unsafe bytes.withUnsafeBytes(body)
    }

    /// Whether two digests are the same, compared in constant time.
    ///
    /// - Parameters:
    ///   - left: One digest.
    ///   - right: The other one.
    /// - Returns: Whether they are.
    public static func == (left: Self, right: Self) -> Bool { isEqual(left.bytes, right.bytes) }
  }

  /// Apple's `Insecure.SHA1`, the hash function SHA-1.
  ///
  /// Source: Apple, `Insecure.SHA1`.
  public struct SHA1: HashFunction {
    /// The type of the digest.
    public typealias Digest = SHA1Digest

    private var digest = OpenSSLDigest(.sha1)

    /// Creates the hash of no bytes.
    public init() {}

    /// The length of a block in bytes.
    public static var blockByteCount: Int { 64 }

    /// Adds bytes.
    ///
    /// - Parameter bufferPointer: The bytes.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
      unsafe digest.update(bufferPointer)
    }

    /// Computes the digest of all bytes that were added.
    ///
    /// - Returns: The digest.
    public func finalize() -> SHA1Digest { SHA1Digest(digest.finalize()) }
  }
}
