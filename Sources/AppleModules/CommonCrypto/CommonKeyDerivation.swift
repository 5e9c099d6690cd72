// swift-format-ignore-file: AlwaysUseLowerCamelCase

import _OpenSSLCrypto

// The names, numbers and parameters are Apple's: "CommonKeyDerivation.h" and "CommonRandom.h".

/// Apple's `CCPBKDFAlgorithm`, the number of a function that derives keys.
public typealias CCPBKDFAlgorithm = UInt32
/// PBKDF2 (RFC 8018).
public let kCCPBKDF2 = 2

/// Apple's `CCPseudoRandomAlgorithm`, the number of the function inside of PBKDF2.
public typealias CCPseudoRandomAlgorithm = UInt32
/// HMAC with SHA-1.
public let kCCPRFHmacAlgSHA1 = 1
/// HMAC with SHA-224.
public let kCCPRFHmacAlgSHA224 = 2
/// HMAC with SHA-256.
public let kCCPRFHmacAlgSHA256 = 3
/// HMAC with SHA-384.
public let kCCPRFHmacAlgSHA384 = 4
/// HMAC with SHA-512.
public let kCCPRFHmacAlgSHA512 = 5

/// Derives a key from a password with PBKDF2 (RFC 8018 section 5.2).
///
/// - Parameters:
///   - algorithm: `kCCPBKDF2`.
///   - password: The password in UTF-8.
///   - passwordLen: The length of the password in bytes.
///   - salt: The salt.
///   - saltLen: The length of the salt in bytes.
///   - prf: The function inside of PBKDF2.
///   - rounds: The number of rounds.
///   - derivedKey: The memory for the key.
///   - derivedKeyLen: The length of the key in bytes.
/// - Returns: `kCCSuccess` or `kCCParamError`.
@discardableResult public func CCKeyDerivationPBKDF(
  _ algorithm: CCPBKDFAlgorithm, _ password: UnsafePointer<CChar>?, _ passwordLen: Int,
  _ salt: UnsafePointer<UInt8>?, _ saltLen: Int, _ prf: CCPseudoRandomAlgorithm, _ rounds: UInt32,
  _ derivedKey: UnsafeMutablePointer<UInt8>?, _ derivedKeyLen: Int
) -> Int32 {
  let hashes: [OpenSSLHash] = [.sha1, .sha224, .sha256, .sha384, .sha512]
  guard algorithm == CCPBKDFAlgorithm(kCCPBKDF2), (1...5).contains(prf),
    let derivedKey = unsafe derivedKey,
    let key = unsafe OpenSSLCrypto.pbkdf2(
      password: Array(bytes(password, passwordLen)), salt: Array(bytes(salt, saltLen)),
      rounds: Int(rounds), byteCount: derivedKeyLen, hash: hashes[Int(prf) - 1])
  else { return Int32(kCCParamError) }
  unsafe derivedKey.update(from: key, count: key.count)
  return Int32(kCCSuccess)
}

/// Apple's `CCRNGStatus`, the result of ``CCRandomGenerateBytes(_:_:)``.
public typealias CCRNGStatus = Int32

/// Makes cryptographically secure random bytes.
///
/// - Parameters:
///   - bytes: The memory for the bytes.
///   - count: The number of bytes.
/// - Returns: `kCCSuccess` or `kCCParamError`.
@discardableResult public func CCRandomGenerateBytes(
  _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> CCRNGStatus {
  guard let bytes = unsafe bytes, count >= 0 else { return CCRNGStatus(kCCParamError) }
  unsafe bytes.copyMemory(from: OpenSSLCrypto.randomBytes(count), byteCount: count)
  return CCRNGStatus(kCCSuccess)
}
