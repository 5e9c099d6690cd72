// swift-format-ignore-file: AlwaysUseLowerCamelCase

import _OpenSSLCrypto

/// Apple's `SecRandomRef`, a source of random bytes.
public final class SecRandomRef: Sendable {
  private init() {}
}

/// The system's source of random bytes.
public let kSecRandomDefault: SecRandomRef? = nil

/// Makes cryptographically secure random bytes.
///
/// Source: Apple, `SecRandomCopyBytes(_:_:_:)`.
///
/// - Parameters:
///   - rnd: `kSecRandomDefault`.
///   - count: The number of bytes.
///   - bytes: The memory for the bytes.
/// - Returns: `errSecSuccess`, or `errSecParam` for a number below zero.
public func SecRandomCopyBytes(
  _ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  unsafe bytes.copyMemory(from: OpenSSLCrypto.randomBytes(count), byteCount: count)
  return errSecSuccess
}
