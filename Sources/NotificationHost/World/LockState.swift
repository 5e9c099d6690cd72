public import Foundation

/// How far the phone's files and keys are open (rule `first-unlock`).
public struct LockState: RawRepresentable, Hashable, Sendable {
  /// The name as reports print it.
  public let rawValue: String

  /// Names a state.
  ///
  /// - Parameter rawValue: Lower-case words joined by hyphens.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// In use.
  public static let unlocked = LockState(rawValue: "unlocked")
  /// Locked, but not for the first time since it was started.
  public static let locked = LockState(rawValue: "locked")
  /// Started, and not unlocked yet: what is kept until the first unlock is closed too.
  public static let beforeFirstUnlock = LockState(rawValue: "before-first-unlock")

  /// Whether a file, or a keychain item, of a class can be read.
  ///
  /// A test's own keychain asks here, as the host does for attached files.
  ///
  /// - Parameter protection: The class.
  /// - Returns: Whether it is open.
  public func opens(_ protection: FileProtectionType) -> Bool {
    switch protection.rawValue {
    case FileProtectionType.none.rawValue: true
    case FileProtectionType.completeUntilFirstUserAuthentication.rawValue:
      self != .beforeFirstUnlock
    default: self == .unlocked
    }
  }
}
