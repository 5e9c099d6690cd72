import Markup

/// A field of the forms in the settings, by the path that errors of the API name.
struct SettingsField {
  var path: String
  /// The words on the page for the field.
  var title: String
  /// The id of the field's element.
  var id: String

  /// The fields of the app that a form adds or changes.
  private static func app(_ action: String) -> [SettingsField] {
    [
      .init(path: "$.app.name", title: "Name", id: "\(action)-name"),
      .init(path: "$.app.bundle_id", title: "Bundle ID", id: "\(action)-bundle_id"),
      .init(path: "$.app.team_id", title: "Team ID", id: "\(action)-team_id"),
      .init(path: "$.app.key_id", title: "APNs key ID", id: "\(action)-key_id"),
      .init(path: "$.app.private_key", title: "The APNs key", id: "\(action)-file"),
      .init(path: "$.app.throttle_per_second", title: "Default rate limit", id: "throttle"),
    ]
  }

  private static let others: [SettingsField] = [
    .init(path: "$.key.name", title: "Name", id: "key-name"),
    .init(path: "$.key.role", title: "Role", id: "role"),
    .init(path: "$.key.allow", title: "Each allowed address", id: "allow"),
    .init(path: "$.key.per_second", title: "Rate limit", id: "per_second"),
    .init(path: "$.key.expires_at", title: "The day of expiry", id: "expires"),
    .init(path: "$.webhook.url", title: "URL", id: "url"),
    .init(path: "$.webhook.events", title: "Events", id: "events"),
    .init(path: "$.limits.quiet", title: "Quiet hours", id: "quiet_from"),
    .init(path: "$.limits.caps", title: "A frequency cap", id: "cap0_most"),
    .init(path: "$.limits.holdout", title: "The holdout", id: "percent"),
  ]

  /// Returns the message of an error in the words of a form, and the id of the field that it is about.
  static func problem(
    _ error: RequestError, action: String?
  ) -> (message: String, field: String?) {
    let fields = app(action ?? "") + others
    guard let path = error.path, let field = fields.first(where: { path.hasPrefix($0.path) }) else {
      return (error.message, nil)
    }
    guard error.message.hasPrefix(path) else { return (error.message, field.id) }
    return (field.title + error.message.dropFirst(path.count), field.id)
  }
}
