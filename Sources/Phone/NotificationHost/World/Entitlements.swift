/// The entitlements of an app that affect its notifications.
public struct Entitlements: Hashable, Sendable {
  /// `com.apple.developer.usernotifications.filtering` of the service extension, which may then suppress
  /// notifications.
  public var filtering = false
  /// `com.apple.developer.usernotifications.critical-alerts`.
  public var criticalAlerts = false
  /// `com.apple.developer.usernotifications.time-sensitive`, a capability that needs no approval by Apple.
  public var timeSensitive = true
  /// `keychain-access-groups` of the app, whose first group new items belong to.
  ///
  /// The app also has the group of its own identifier, and that of ``VirtualPhone/App/appGroupIdentifier``.
  public var appKeychainGroups: [String] = []
  /// `keychain-access-groups` of the service extension, whose first group new items belong to.
  ///
  /// An item that the app stores in a group of ``appKeychainGroups`` is visible to the extension if this list has the
  /// group too. The
  /// extension also has the group of its own identifier, and that of ``VirtualPhone/App/appGroupIdentifier``.
  public var extensionKeychainGroups: [String] = []

  /// Creates the entitlements that an app has without Apple's approval.
  public init() {}
}
