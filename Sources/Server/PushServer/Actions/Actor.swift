import PushModel

/// Who asks for a change: a key or a person in one app, or of the whole server, and from where.
///
/// An actor is made where a request arrives, and its authority is checked where the change is made.
struct Actor: Sendable {
  enum Identity: Sendable {
    case key(APIKey)
    case person(Person)
    /// A request without a key, or with an unknown one.
    case unknown

    /// The id of the key or of the account; `nil` if it is unknown.
    var id: String? {
      switch self {
      case .key(let key): key.id
      case .person(let person): person.id
      case .unknown: nil
      }
    }
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
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if there is neither.
  var id: String {
    get throws(RequestError) {
      guard let id = identity.id else { throw .unauthorized }
      return id
    }
  }

  /// The app in which the change is made.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if the actor names no app.
  func ownApp() throws(RequestError) -> String {
    guard let app else { throw .forbidden }
    return app
  }

  /// The person who acts.
  ///
  /// - Throws: ``RequestError`` `.unauthenticated` if the actor is not a person who has signed in.
  func person() throws(RequestError) -> Person {
    guard case .person(let person) = identity else { throw .unauthorized }
    return person
  }

  /// The actor as the one whom the request has just proven to be.
  func identified(as identity: Identity) -> Actor {
    var actor = self
    actor.identity = identity
    return actor
  }

  /// The app of the actor's key; `nil` for a person, or a key of the server.
  var keyApp: String? { if case .key(let key) = identity { key.app } else { nil } }

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
