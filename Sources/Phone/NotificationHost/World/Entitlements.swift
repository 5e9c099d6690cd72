/// The entitlements of an app that affect its notifications.
public struct Entitlements: Hashable, Sendable {
  /// `com.apple.developer.usernotifications.filtering` of the service extension, which may then suppress
  /// notifications.
  public var filtering = false
  /// `com.apple.developer.usernotifications.critical-alerts`.
  public var criticalAlerts = false
  /// `com.apple.developer.usernotifications.time-sensitive`, a capability that needs no approval by Apple.
  public var timeSensitive = true

  /// Creates the entitlements that an app has without Apple's approval.
  public init() {}
}
