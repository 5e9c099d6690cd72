// swift-format-ignore-file: AlwaysUseLowerCamelCase

import _OpenSSLCrypto

// The names and parameters are Apple's: "CommonDigest.h".

/// Computes a digest of MD5 (RFC 1321).
///
/// - Parameters:
///   - data: The bytes.
///   - len: The number of bytes.
///   - md: The memory for the digest, 16 bytes.
/// - Returns: The memory; `nil` if there is none.
@discardableResult public func CC_MD5(
  _ data: UnsafeRawPointer?, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  unsafe digest(.md5, of: data, count: len, writingTo: md)
}

/// Begins a digest of MD5.
///
/// - Parameter c: The state.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_MD5_Init(_ c: UnsafeMutablePointer<CC_MD5_CTX>?) -> Int32 {
  unsafe CC_MD5_CTX.begin(at: c, .md5)
}

/// Adds bytes to a digest of MD5.
///
/// - Parameters:
///   - c: The state.
///   - data: The bytes.
///   - len: The number of bytes.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_MD5_Update(
  _ c: UnsafeMutablePointer<CC_MD5_CTX>?, _ data: UnsafeRawPointer?, _ len: CC_LONG
) -> Int32 {
  unsafe CC_MD5_CTX.update(c, data, count: len)
}

/// Ends a digest of MD5.
///
/// - Parameters:
///   - md: The memory for the digest, 16 bytes.
///   - c: The state.
/// - Returns: 1; 0 if there is no memory, or no state that was begun.
@discardableResult public func CC_MD5_Final(
  _ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_MD5_CTX>?
) -> Int32 {
  unsafe CC_MD5_CTX.end(c, writingTo: md)
}

/// Computes a digest of SHA-1 (FIPS 180-4).
///
/// - Parameters:
///   - data: The bytes.
///   - len: The number of bytes.
///   - md: The memory for the digest, 20 bytes.
/// - Returns: The memory; `nil` if there is none.
@discardableResult public func CC_SHA1(
  _ data: UnsafeRawPointer?, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  unsafe digest(.sha1, of: data, count: len, writingTo: md)
}

/// Begins a digest of SHA-1.
///
/// - Parameter c: The state.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA1_Init(_ c: UnsafeMutablePointer<CC_SHA1_CTX>?) -> Int32 {
  unsafe CC_SHA1_CTX.begin(at: c, .sha1)
}

/// Adds bytes to a digest of SHA-1.
///
/// - Parameters:
///   - c: The state.
///   - data: The bytes.
///   - len: The number of bytes.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA1_Update(
  _ c: UnsafeMutablePointer<CC_SHA1_CTX>?, _ data: UnsafeRawPointer?, _ len: CC_LONG
) -> Int32 {
  unsafe CC_SHA1_CTX.update(c, data, count: len)
}

/// Ends a digest of SHA-1.
///
/// - Parameters:
///   - md: The memory for the digest, 20 bytes.
///   - c: The state.
/// - Returns: 1; 0 if there is no memory, or no state that was begun.
@discardableResult public func CC_SHA1_Final(
  _ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA1_CTX>?
) -> Int32 {
  unsafe CC_SHA1_CTX.end(c, writingTo: md)
}

/// Computes a digest of SHA-224 (FIPS 180-4).
///
/// - Parameters:
///   - data: The bytes.
///   - len: The number of bytes.
///   - md: The memory for the digest, 28 bytes.
/// - Returns: The memory; `nil` if there is none.
@discardableResult public func CC_SHA224(
  _ data: UnsafeRawPointer?, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  unsafe digest(.sha224, of: data, count: len, writingTo: md)
}

/// Begins a digest of SHA-224.
///
/// - Parameter c: The state.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA224_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>?) -> Int32 {
  unsafe CC_SHA256_CTX.begin(at: c, .sha224)
}

/// Adds bytes to a digest of SHA-224.
///
/// - Parameters:
///   - c: The state.
///   - data: The bytes.
///   - len: The number of bytes.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA224_Update(
  _ c: UnsafeMutablePointer<CC_SHA256_CTX>?, _ data: UnsafeRawPointer?, _ len: CC_LONG
) -> Int32 {
  unsafe CC_SHA256_CTX.update(c, data, count: len)
}

/// Ends a digest of SHA-224.
///
/// - Parameters:
///   - md: The memory for the digest, 28 bytes.
///   - c: The state.
/// - Returns: 1; 0 if there is no memory, or no state that was begun.
@discardableResult public func CC_SHA224_Final(
  _ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA256_CTX>?
) -> Int32 {
  unsafe CC_SHA256_CTX.end(c, writingTo: md)
}

/// Computes a digest of SHA-256 (FIPS 180-4).
///
/// - Parameters:
///   - data: The bytes.
///   - len: The number of bytes.
///   - md: The memory for the digest, 32 bytes.
/// - Returns: The memory; `nil` if there is none.
@discardableResult public func CC_SHA256(
  _ data: UnsafeRawPointer?, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  unsafe digest(.sha256, of: data, count: len, writingTo: md)
}

/// Begins a digest of SHA-256.
///
/// - Parameter c: The state.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>?) -> Int32 {
  unsafe CC_SHA256_CTX.begin(at: c, .sha256)
}

/// Adds bytes to a digest of SHA-256.
///
/// - Parameters:
///   - c: The state.
///   - data: The bytes.
///   - len: The number of bytes.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA256_Update(
  _ c: UnsafeMutablePointer<CC_SHA256_CTX>?, _ data: UnsafeRawPointer?, _ len: CC_LONG
) -> Int32 {
  unsafe CC_SHA256_CTX.update(c, data, count: len)
}

/// Ends a digest of SHA-256.
///
/// - Parameters:
///   - md: The memory for the digest, 32 bytes.
///   - c: The state.
/// - Returns: 1; 0 if there is no memory, or no state that was begun.
@discardableResult public func CC_SHA256_Final(
  _ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA256_CTX>?
) -> Int32 {
  unsafe CC_SHA256_CTX.end(c, writingTo: md)
}

/// Computes a digest of SHA-384 (FIPS 180-4).
///
/// - Parameters:
///   - data: The bytes.
///   - len: The number of bytes.
///   - md: The memory for the digest, 48 bytes.
/// - Returns: The memory; `nil` if there is none.
@discardableResult public func CC_SHA384(
  _ data: UnsafeRawPointer?, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  unsafe digest(.sha384, of: data, count: len, writingTo: md)
}

/// Begins a digest of SHA-384.
///
/// - Parameter c: The state.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA384_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>?) -> Int32 {
  unsafe CC_SHA512_CTX.begin(at: c, .sha384)
}

/// Adds bytes to a digest of SHA-384.
///
/// - Parameters:
///   - c: The state.
///   - data: The bytes.
///   - len: The number of bytes.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA384_Update(
  _ c: UnsafeMutablePointer<CC_SHA512_CTX>?, _ data: UnsafeRawPointer?, _ len: CC_LONG
) -> Int32 {
  unsafe CC_SHA512_CTX.update(c, data, count: len)
}

/// Ends a digest of SHA-384.
///
/// - Parameters:
///   - md: The memory for the digest, 48 bytes.
///   - c: The state.
/// - Returns: 1; 0 if there is no memory, or no state that was begun.
@discardableResult public func CC_SHA384_Final(
  _ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA512_CTX>?
) -> Int32 {
  unsafe CC_SHA512_CTX.end(c, writingTo: md)
}

/// Computes a digest of SHA-512 (FIPS 180-4).
///
/// - Parameters:
///   - data: The bytes.
///   - len: The number of bytes.
///   - md: The memory for the digest, 64 bytes.
/// - Returns: The memory; `nil` if there is none.
@discardableResult public func CC_SHA512(
  _ data: UnsafeRawPointer?, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
  unsafe digest(.sha512, of: data, count: len, writingTo: md)
}

/// Begins a digest of SHA-512.
///
/// - Parameter c: The state.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA512_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>?) -> Int32 {
  unsafe CC_SHA512_CTX.begin(at: c, .sha512)
}

/// Adds bytes to a digest of SHA-512.
///
/// - Parameters:
///   - c: The state.
///   - data: The bytes.
///   - len: The number of bytes.
/// - Returns: 1; 0 if there is no state.
@discardableResult public func CC_SHA512_Update(
  _ c: UnsafeMutablePointer<CC_SHA512_CTX>?, _ data: UnsafeRawPointer?, _ len: CC_LONG
) -> Int32 {
  unsafe CC_SHA512_CTX.update(c, data, count: len)
}

/// Ends a digest of SHA-512.
///
/// - Parameters:
///   - md: The memory for the digest, 64 bytes.
///   - c: The state.
/// - Returns: 1; 0 if there is no memory, or no state that was begun.
@discardableResult public func CC_SHA512_Final(
  _ md: UnsafeMutablePointer<UInt8>?, _ c: UnsafeMutablePointer<CC_SHA512_CTX>?
) -> Int32 {
  unsafe CC_SHA512_CTX.end(c, writingTo: md)
}
