import PushCrypto
import _OpenSSLCrypto

/// Apple's `SHA256Digest`, a digest of SHA-256.
///
/// Source: Apple, `SHA256Digest`.
public struct SHA256Digest: Digest {
  private let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The length in bytes.
  public static var byteCount: Int { OpenSSLHash.sha256.byteCount }

  /// The name of the hash function and the digest in hexadecimal.
  public var description: String { "SHA256 digest: \(hex(bytes))" }

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

/// Apple's `SHA256`, the hash function SHA-256.
///
/// Source: Apple, `SHA256`.
public struct SHA256: HashFunction {
  /// The type of the digest.
  public typealias Digest = SHA256Digest

  private var digest = OpenSSLDigest(.sha256)

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
  public func finalize() -> SHA256Digest { SHA256Digest(digest.finalize()) }
}

/// Apple's `SHA384Digest`, a digest of SHA-384.
///
/// Source: Apple, `SHA384Digest`.
public struct SHA384Digest: Digest {
  private let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The length in bytes.
  public static var byteCount: Int { OpenSSLHash.sha384.byteCount }

  /// The name of the hash function and the digest in hexadecimal.
  public var description: String { "SHA384 digest: \(hex(bytes))" }

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

/// Apple's `SHA384`, the hash function SHA-384.
///
/// Source: Apple, `SHA384`.
public struct SHA384: HashFunction {
  /// The type of the digest.
  public typealias Digest = SHA384Digest

  private var digest = OpenSSLDigest(.sha384)

  /// Creates the hash of no bytes.
  public init() {}

  /// The length of a block in bytes.
  public static var blockByteCount: Int { 128 }

  /// Adds bytes.
  ///
  /// - Parameter bufferPointer: The bytes.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe digest.update(bufferPointer)
  }

  /// Computes the digest of all bytes that were added.
  ///
  /// - Returns: The digest.
  public func finalize() -> SHA384Digest { SHA384Digest(digest.finalize()) }
}

/// Apple's `SHA512Digest`, a digest of SHA-512.
///
/// Source: Apple, `SHA512Digest`.
public struct SHA512Digest: Digest {
  private let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The length in bytes.
  public static var byteCount: Int { OpenSSLHash.sha512.byteCount }

  /// The name of the hash function and the digest in hexadecimal.
  public var description: String { "SHA512 digest: \(hex(bytes))" }

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

/// Apple's `SHA512`, the hash function SHA-512.
///
/// Source: Apple, `SHA512`.
public struct SHA512: HashFunction {
  /// The type of the digest.
  public typealias Digest = SHA512Digest

  private var digest = OpenSSLDigest(.sha512)

  /// Creates the hash of no bytes.
  public init() {}

  /// The length of a block in bytes.
  public static var blockByteCount: Int { 128 }

  /// Adds bytes.
  ///
  /// - Parameter bufferPointer: The bytes.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe digest.update(bufferPointer)
  }

  /// Computes the digest of all bytes that were added.
  ///
  /// - Returns: The digest.
  public func finalize() -> SHA512Digest { SHA512Digest(digest.finalize()) }
}
