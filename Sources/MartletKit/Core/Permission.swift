/// Whether the person allows notifications.
public enum Permission: String, Hashable, Sendable, CaseIterable {
  /// The app has not asked yet.
  case notDetermined
  /// The person does not allow notifications.
  case denied
  /// Notifications go to Notification Center only, without a sound: a provisional permission, or one for the list alone.
  case quiet
  /// Notifications are allowed.
  case allowed

  /// Whether a push is shown, which the server is told as `push_enabled`.
  var showsPushes: Bool { self == .quiet || self == .allowed }
}
