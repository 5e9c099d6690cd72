/// What Apple has granted the app, as far as it decides about its notifications.
public struct Entitlements: Hashable, Sendable {
  /// `com.apple.developer.usernotifications.filtering`, on the service extension: it may suppress.
  public var filtering = false
  /// `com.apple.developer.usernotifications.critical-alerts`.
  public var criticalAlerts = false
  /// `com.apple.developer.usernotifications.time-sensitive`, a capability that an app gives itself.
  public var timeSensitive = true

  /// What an app has without asking Apple.
  public init() {}
}
