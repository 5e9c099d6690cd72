public import Foundation

/// Whether the phone is locked, which decides which files and keychain items can be read (rule
/// `first-unlock`).
public struct LockState: RawRepresentable, Hashable, Sendable {
  /// The name, such as `locked`.
  public let rawValue: String

  /// Creates a state.
  ///
  /// - Parameter rawValue: Lower-case words joined by hyphens.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The phone is unlocked.
  public static let unlocked = LockState(rawValue: "unlocked")
  /// The phone is locked, and was unlocked before since it was started.
  public static let locked = LockState(rawValue: "locked")
  /// The phone was not unlocked since it was started.
  public static let beforeFirstUnlock = LockState(rawValue: "before-first-unlock")

  /// Whether a file or a keychain item of a protection class can be read.
  ///
  /// The host checks attached files with this method. Use it for a test's own keychain as well.
  ///
  /// - Parameter protection: The protection class.
  /// - Returns: Whether it can be read.
  public func opens(_ protection: FileProtectionType) -> Bool {
    switch protection.rawValue {
    case FileProtectionType.none.rawValue: true
    case FileProtectionType.completeUntilFirstUserAuthentication.rawValue:
      self != .beforeFirstUnlock
    default: self == .unlocked
    }
  }
}
