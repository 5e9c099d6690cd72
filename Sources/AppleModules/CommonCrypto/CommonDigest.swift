// swift-format-ignore-file: AlwaysUseLowerCamelCase

import _OpenSSLCrypto

// The names and numbers are Apple's: "CommonDigest.h".

/// Apple's `CC_LONG`, a number of bytes.
public typealias CC_LONG = UInt32
/// Apple's `CC_LONG64`, a number of bits.
public typealias CC_LONG64 = UInt64

/// The length of a digest of MD5 in bytes.
public let CC_MD5_DIGEST_LENGTH: Int32 = 16
/// The length of a block of MD5 in bytes.
public let CC_MD5_BLOCK_BYTES: Int32 = 64
/// The length of a digest of SHA-1 in bytes.
public let CC_SHA1_DIGEST_LENGTH: Int32 = 20
/// The length of a block of SHA-1 in bytes.
public let CC_SHA1_BLOCK_BYTES: Int32 = 64
/// The length of a digest of SHA-224 in bytes.
public let CC_SHA224_DIGEST_LENGTH: Int32 = 28
/// The length of a block of SHA-224 in bytes.
public let CC_SHA224_BLOCK_BYTES: Int32 = 64
/// The length of a digest of SHA-256 in bytes.
public let CC_SHA256_DIGEST_LENGTH: Int32 = 32
/// The length of a block of SHA-256 in bytes.
public let CC_SHA256_BLOCK_BYTES: Int32 = 64
/// The length of a digest of SHA-384 in bytes.
public let CC_SHA384_DIGEST_LENGTH: Int32 = 48
/// The length of a block of SHA-384 in bytes.
public let CC_SHA384_BLOCK_BYTES: Int32 = 128
/// The length of a digest of SHA-512 in bytes.
public let CC_SHA512_DIGEST_LENGTH: Int32 = 64
/// The length of a block of SHA-512 in bytes.
public let CC_SHA512_BLOCK_BYTES: Int32 = 128

/// Apple's `CC_MD5_CTX`, the state of MD5.
///
/// Its bytes are not Apple's: it is made by a function whose name ends in `Init`.
public struct CC_MD5_CTX: DigestState {
  var digest: OpenSSLDigest?

  /// Creates a state that must be initialized before it is used.
  public init() {}
}

/// Apple's `CC_SHA1_CTX`, the state of SHA-1.
///
/// Its bytes are not Apple's: it is made by a function whose name ends in `Init`.
public struct CC_SHA1_CTX: DigestState {
  var digest: OpenSSLDigest?

  /// Creates a state that must be initialized before it is used.
  public init() {}
}

/// Apple's `CC_SHA256_CTX`, the state of SHA-256 and SHA-224.
///
/// Its bytes are not Apple's: it is made by a function whose name ends in `Init`.
public struct CC_SHA256_CTX: DigestState {
  var digest: OpenSSLDigest?

  /// Creates a state that must be initialized before it is used.
  public init() {}
}

/// Apple's `CC_SHA512_CTX`, the state of SHA-512 and SHA-384.
///
/// Its bytes are not Apple's: it is made by a function whose name ends in `Init`.
public struct CC_SHA512_CTX: DigestState {
  var digest: OpenSSLDigest?

  /// Creates a state that must be initialized before it is used.
  public init() {}
}

/// The state of a hash function.
protocol DigestState {
  var digest: OpenSSLDigest? { get set }
  init()
}

extension DigestState {
  /// Begins a digest at an address whose memory may not be initialized.
  static func begin(at context: UnsafeMutablePointer<Self>?, _ hash: OpenSSLHash) -> Int32 {
    guard let context = unsafe context else { return 0 }
    var state = Self()
    state.digest = OpenSSLDigest(hash)
    unsafe context.initialize(to: state)
    return 1
  }

  /// Adds bytes to a digest.
  static func update(
    _ context: UnsafeMutablePointer<Self>?, _ data: UnsafeRawPointer?, count: CC_LONG
  ) -> Int32 {
    guard let context = unsafe context else { return 0 }
    unsafe context.pointee.digest?.update(
      UnsafeRawBufferPointer(start: data, count: unsafe data == nil ? 0 : Int(count)))
    return 1
  }

  /// Writes a digest and ends it.
  static func end(
    _ context: UnsafeMutablePointer<Self>?, writingTo digest: UnsafeMutablePointer<UInt8>?
  ) -> Int32 {
    guard let context = unsafe context, let digest = unsafe digest,
      let bytes = unsafe context.pointee.digest?.finalize()
    else { return 0 }
    unsafe digest.update(from: bytes, count: bytes.count)
    unsafe context.pointee = Self()
    return 1
  }
}

/// Computes a digest in one step.
func digest(
  _ hash: OpenSSLHash, of data: UnsafeRawPointer?, count: CC_LONG,
  writingTo digest: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  guard let digest = unsafe digest else { return nil }
  var state = OpenSSLDigest(hash)
  unsafe state.update(
    UnsafeRawBufferPointer(start: data, count: unsafe data == nil ? 0 : Int(count)))
  unsafe digest.update(from: state.finalize(), count: hash.byteCount)
  return unsafe digest
}
