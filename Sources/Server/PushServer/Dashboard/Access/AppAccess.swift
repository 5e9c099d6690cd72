import PushModel

/// The access of a session to one app.
struct AppAccess: Sendable {
  var app: App
  /// The key or the person that gives the access.
  var identity: Actor.Identity
  var permissions: Set<Permission>

  init(_ app: App, key: APIKey) {
    self.app = app
    identity = .key(key)
    permissions = key.role.permissions
  }

  init(_ app: App, person: Person) {
    self.app = app
    identity = .person(person)
    permissions = person.account.permissions(in: app.id)
  }

  var sections: [Section] { Section.allCases.filter(mayOpen) }

  func mayOpen(_ section: Section) -> Bool {
    section.permission.map(permissions.contains) ?? !permissions.isEmpty
  }
}
