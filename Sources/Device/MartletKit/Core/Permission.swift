/// Whether the person allows notifications.
public struct Permission: RawRepresentable, Hashable, Sendable {
  /// The name, such as `allowed`.
  public let rawValue: String

  /// Creates a permission.
  ///
  /// - Parameter rawValue: The name, in lower camel case. One that is not known counts as not allowed.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The app has not asked yet.
  public static let notDetermined = Permission(rawValue: "notDetermined")
  /// The person does not allow notifications.
  public static let denied = Permission(rawValue: "denied")
  /// Notifications go only to Notification Center, without a sound: a provisional permission, or one for the list only.
  public static let quiet = Permission(rawValue: "quiet")
  /// Notifications are allowed.
  public static let allowed = Permission(rawValue: "allowed")

  /// Whether a push is shown; the server receives it as `push_enabled`.
  var showsPushes: Bool { self == .quiet || self == .allowed }
}
