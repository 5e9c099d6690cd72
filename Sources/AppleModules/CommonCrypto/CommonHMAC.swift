// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_spi(Host) import UserNotifications
import _OpenSSLCrypto

// The names, numbers and parameters are Apple's: "CommonHMAC.h".

/// Apple's `CCHmacAlgorithm`, the number of a hash function.
public typealias CCHmacAlgorithm = UInt32

/// HMAC with SHA1.
public let kCCHmacAlgSHA1 = 0
/// HMAC with MD5.
public let kCCHmacAlgMD5 = 1
/// HMAC with SHA256.
public let kCCHmacAlgSHA256 = 2
/// HMAC with SHA384.
public let kCCHmacAlgSHA384 = 3
/// HMAC with SHA512.
public let kCCHmacAlgSHA512 = 4
/// HMAC with SHA224.
public let kCCHmacAlgSHA224 = 5

/// Apple's `CCHmacContext`, the state of an HMAC.
///
/// Its bytes are not Apple's: ``CCHmacInit(_:_:_:_:)`` makes it.
public struct CCHmacContext {
  fileprivate var state: HMACState?

  /// Creates a state that must be initialized before it is used.
  public init() {}
}

/// An HMAC in the making (RFC 2104).
private struct HMACState {
  var inner: OpenSSLDigest
  private var outer: OpenSSLDigest

  init(_ hash: OpenSSLHash, key: UnsafeRawBufferPointer) {
    (inner, outer) = (OpenSSLDigest(hash), OpenSSLDigest(hash))
    var block = unsafe Array(key)
    if block.count > hash.blockByteCount {
      var digest = OpenSSLDigest(hash)
      unsafe digest.update(key)
      block = digest.finalize()
    }
    block += [UInt8](repeating: 0, count: hash.blockByteCount - block.count)
    unsafe block.map { $0 ^ 0x36 }.withUnsafeBytes { unsafe inner.update($0) }
    unsafe block.map { $0 ^ 0x5C }.withUnsafeBytes { unsafe outer.update($0) }
  }

  func finalize() -> [UInt8] {
    var outer = outer
    unsafe inner.finalize().withUnsafeBytes { unsafe outer.update($0) }
    return outer.finalize()
  }
}

/// The hash function of a number; `nil` for a number that is not Apple's.
private func hash(_ algorithm: CCHmacAlgorithm) -> OpenSSLHash? {
  let hashes: [OpenSSLHash] = [.sha1, .md5, .sha256, .sha384, .sha512, .sha224]
  guard let index = Int(exactly: algorithm), hashes.indices.contains(index) else {
    notModelled("CCHmacInit", "algorithm \(algorithm) is none of Apple's; nothing is written")
    return nil
  }
  return hashes[index]
}

/// Computes an HMAC in one step (RFC 2104).
///
/// - Parameters:
///   - algorithm: The hash function.
///   - key: The key.
///   - keyLength: The length of the key in bytes.
///   - data: The message.
///   - dataLength: The length of the message in bytes.
///   - macOut: The memory for the code, as long as a digest of the hash function.
public func CCHmac(
  _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer?, _ keyLength: Int,
  _ data: UnsafeRawPointer?, _ dataLength: Int, _ macOut: UnsafeMutableRawPointer?
) {
  var context = CCHmacContext()
  unsafe CCHmacInit(&context, algorithm, key, keyLength)
  unsafe CCHmacUpdate(&context, data, dataLength)
  unsafe CCHmacFinal(&context, macOut)
}

/// Begins an HMAC.
///
/// - Parameters:
///   - ctx: The state.
///   - algorithm: The hash function.
///   - key: The key.
///   - keyLength: The length of the key in bytes.
public func CCHmacInit(
  _ ctx: UnsafeMutablePointer<CCHmacContext>?, _ algorithm: CCHmacAlgorithm,
  _ key: UnsafeRawPointer?, _ keyLength: Int
) {
  guard let ctx = unsafe ctx else { return }
  var context = CCHmacContext()
  if let hash = hash(algorithm) {
    context.state = unsafe HMACState(hash, key: bytes(key, keyLength))
  }
  unsafe ctx.initialize(to: context)
}

/// Adds a part of the message to an HMAC.
///
/// - Parameters:
///   - ctx: The state.
///   - data: The bytes.
///   - dataLength: The number of bytes.
public func CCHmacUpdate(
  _ ctx: UnsafeMutablePointer<CCHmacContext>?, _ data: UnsafeRawPointer?, _ dataLength: Int
) {
  unsafe ctx?.pointee.state?.inner.update(bytes(data, dataLength))
}

/// Ends an HMAC.
///
/// - Parameters:
///   - ctx: The state.
///   - macOut: The memory for the code, as long as a digest of the hash function.
public func CCHmacFinal(
  _ ctx: UnsafeMutablePointer<CCHmacContext>?, _ macOut: UnsafeMutableRawPointer?
) {
  guard let ctx = unsafe ctx, let macOut = unsafe macOut,
    let code = unsafe ctx.pointee.state?.finalize()
  else { return }
  unsafe macOut.copyMemory(from: code, byteCount: code.count)
  unsafe ctx.pointee = CCHmacContext()
}

/// The bytes at an address; none without an address.
func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> UnsafeRawBufferPointer {
  unsafe UnsafeRawBufferPointer(start: start, count: unsafe start == nil ? 0 : max(0, count))
}
