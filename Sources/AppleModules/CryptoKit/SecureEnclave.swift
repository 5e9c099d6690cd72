@_spi(Host) import UserNotifications

/// Apple's `SecureEnclave`, which is not available on Linux.
///
/// Source: Apple, `SecureEnclave`.
public enum SecureEnclave {
  /// Always `false`.
  public static var isAvailable: Bool {
    notModelled("SecureEnclave.isAvailable", "it is false; use CryptoKit.P256")
    return false
  }

  /// Keys of the Secure Enclave.
  @available(*, unavailable, message: "There is no Secure Enclave; use CryptoKit.P256.")
  public enum P256 {}
}

/// Apple's `HPKE`, which is not available here.
@available(
  *, unavailable,
  message: "HPKE is not available on Linux; derive a key with HKDF, and use AES.GCM."
)
public enum HPKE {}
