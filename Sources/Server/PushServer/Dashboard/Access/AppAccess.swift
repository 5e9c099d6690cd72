import PushStore

/// The access of a session to one app.
struct AppAccess: Sendable {
  var app: App
  /// The key that the API is called with.
  var key: APIKey
  var permissions: Set<Permission>
  /// Whether the user manages all apps.
  var managesAllApps: Bool

  /// The access by a key, whose ``APIKey/app`` becomes this app even for the server's admin key.
  init(_ app: App, key: APIKey) {
    self.app = app
    self.key = key
    self.key.app = app.id
    permissions = key.role.permissions
    managesAllApps = key.role == .server
  }

  init(_ app: App, of account: Account, as person: Person, at now: Timestamp) {
    self.app = app
    key = person.key(app: app.id, at: now)
    permissions = account.permissions(in: app.id)
    managesAllApps = account.managesAllApps
  }

  var sections: [Section] { Section.allCases.filter { permissions.contains($0.permission) } }
}
