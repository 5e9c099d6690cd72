import PushModel

/// Who asks for a change: a key or a person in one app, or of the whole server, and from where.
///
/// An actor is made where a request arrives, and its authority is checked where the change is made.
struct Actor: Sendable {
  enum Identity: Sendable {
    case key(APIKey)
    case person(Person)
  }

  var identity: Identity
  /// The app in which the actor acts; `nil` for a server key that names no app.
  var app: String?
  var permissions: Set<Permission>
  /// The address from which the request came.
  var address: String
  /// The span of the request; `nil` if the request is not traced.
  var span: OpenSpan?

  /// The id of the key or of the account, which approvals, templates and decisions store.
  var id: String {
    switch identity {
    case .key(let key): key.id
    case .person(let person): person.id
    }
  }

  /// The class of the actor's sends that name none; `nil` for a person, and for a key without a class.
  var sendClass: SendClass? {
    if case .key(let key) = identity { key.limits.sendClass } else { nil }
  }

  /// The app in which the change is made.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if the actor names no app.
  func ownApp() throws(RequestError) -> String {
    guard let app else { throw .forbidden }
    return app
  }

  func may(_ permission: Permission) -> Bool { permissions.contains(permission) }

  /// - Throws: ``RequestError`` `.forbidden` if the actor lacks a permission; `what` is the action, such as "send to an
  ///   audience".
  func require(_ permission: Permission, to what: String) throws(RequestError) {
    guard may(permission) else {
      throw RequestError(
        .forbidden, "your role does not allow you to \(what); ask an admin of the app")
    }
  }
}
