import PushModel
import PushPayload
import _HTTPServer

/// A request for a dashboard page of one app, from a user who has signed in.
struct PageRequest: Sendable {
  var call: RequestContext
  var router: Router
  var session: Session
  var app: App
  /// The key or the person who has signed in, and the permissions in the app.
  var access: AppAccess
  /// The apps that the session gives access to.
  var apps: [App]
  /// The fields of a POST request, whose form token was checked.
  var form = Form()

  var now: Timestamp { router.clock.now() }
  var http: HTTPRequest { call.request }

  /// The user, as the one who asks for a change of the app.
  var actor: Actor {
    Actor(
      identity: access.identity, app: app.id, permissions: access.permissions,
      address: http.remoteAddress, span: call.span)
  }
  /// The id of the key or of the account.
  var userID: String { actor.id }
  /// The person who has signed in; `nil` if a key has.
  var person: Person? {
    if case .person(let person) = access.identity { person } else { nil }
  }
  var actions: Actions { router.actions }

  func path(_ section: Section) -> String { section.path(app: app.id) }

  func may(_ permission: Permission) -> Bool { access.permissions.contains(permission) }

  func mayOpen(_ section: Section) -> Bool { access.mayOpen(section) }

  /// - Throws: ``RequestError`` `.forbidden` if the user lacks a permission; `what` is the action, such as "send to an
  ///   audience".
  func require(_ permission: Permission, to what: String) throws(RequestError) {
    try actor.require(permission, to: what)
  }

  /// Returns a check of whether the user is still admitted, for an answer that takes long.
  var isStillAdmitted: @Sendable () async throws -> Bool {
    switch access.identity {
    case .key(let key):
      let isAdmitted = router.isAdmitted(key)
      return { [router, session] in
        guard router.clock.now() < session.expiresAt,
          try await !router.store.hasEnded(session: session.id)
        else { return false }
        return try await isAdmitted()
      }
    case .person(let person):
      return { [router, app] in
        // An open page is no use of its session, which would otherwise never be idle.
        let found = try await router.store.openSession(person.session, at: router.clock.now())
        guard let account = found?.account, !router.site.refuses(account) else { return false }
        return !account.permissions(in: app.id).isEmpty
      }
    }
  }
}
