/// The error of an access to the keychain.
public struct KeychainError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error; its description is the name that reports show.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Raw: String {
      case missingEntitlement = "missing-entitlement"
      case locked
      case malformed
      case failed
    }
    private let raw: Raw
    /// The target's entitlements do not have the access group.
    public static let missingEntitlement = Code(raw: .missingEntitlement)
    /// The phone is locked, and the item cannot be read in this state.
    public static let locked = Code(raw: .locked)
    /// The item does not have the form of ``DeviceKeys``.
    public static let malformed = Code(raw: .malformed)
    /// The keychain failed for another reason, which is in ``KeychainError/status``.
    public static let failed = Code(raw: .failed)

    /// The name, in lower case with hyphens.
    public var description: String { raw.rawValue }
  }

  /// The kind of the error.
  public var code: Code
  /// The `OSStatus` of the keychain.
  public var status: Int32
  /// The fault and its remedy, in words and without keys.
  public var message: String
  /// The message.
  public var description: String { message }

  /// Makes the error of a status other than `errSecSuccess`.
  ///
  /// `operation` is the name of the function that returned it.
  init(status: Int32, of operation: String) {
    self.status = status
    switch status {
    case KeychainStatus.missingEntitlement:
      code = .missingEntitlement
      message =
        "\(operation) returned -34018: add the access group to keychain-access-groups or "
        + "com.apple.security.application-groups in the entitlements of the app and of the extension"
    case KeychainStatus.interactionNotAllowed:
      code = .locked
      message =
        "\(operation) returned -25308: the phone was not unlocked since its restart, or the item has the "
        + "accessibility “when unlocked”; save the keys again with DeviceKeyStore"
    default:
      code = .failed
      message =
        "\(operation) returned \(status); look it up with SecCopyErrorMessageString or in SecBase.h"
    }
  }

  /// The error of an item that was written by somebody else.
  static let malformed = KeychainError(
    code: .malformed, status: KeychainStatus.success,
    message:
      "the keychain item is not DeviceKeys in JSON; delete it, generate new keys and register them")

  private init(code: Code, status: Int32, message: String) {
    (self.code, self.status, self.message) = (code, status, message)
  }
}

/// The statuses that ``DeviceKeyStore`` handles (Apple, Security, SecBase.h).
enum KeychainStatus {
  static let success: Int32 = 0
  static let duplicateItem: Int32 = -25299
  static let itemNotFound: Int32 = -25300
  static let interactionNotAllowed: Int32 = -25308
  static let missingEntitlement: Int32 = -34018
}
