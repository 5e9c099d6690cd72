import PushPayload
import PushStore
import _HTTPServer

/// A request for a dashboard page of one app, from a user who has signed in.
struct PageRequest: Sendable {
  var call: Call
  var api: API
  var session: Session
  var app: App
  /// The user's permissions in the app, and the key that stands for the user.
  var access: AppAccess
  /// The person who has signed in; `nil` if a key has.
  var person: Person?
  /// The apps that the session gives access to.
  var apps: [App]
  /// The fields of a POST request, whose form token was checked.
  var form = Form()

  var key: APIKey { access.key }
  var now: Timestamp { api.clock.now() }
  var http: HTTPRequest { call.request }
  var sections: [Section] { access.sections }

  /// The user, as the one who asks for a change of the app.
  var actor: Actor {
    Actor(
      identity: person.map(Actor.Identity.person) ?? .key(key), app: app.id,
      permissions: access.permissions, address: http.remoteAddress, span: call.span)
  }
  var actions: Actions { api.actions }

  func path(_ section: Section) -> String { section.path(app: app.id) }

  func may(_ permission: Permission) -> Bool { access.permissions.contains(permission) }

  func mayOpen(_ section: Section) -> Bool { may(section.permission) }

  /// - Throws: ``RequestError`` `.forbidden` if the user lacks a permission; `what` is the action, such as "send to an
  ///   audience".
  func require(_ permission: Permission, to what: String) throws(RequestError) {
    guard may(permission) else {
      throw RequestError(
        .forbidden, "your role does not allow you to \(what); ask an admin of the app")
    }
  }

  /// A call to a handler of the API with the user's key, as if it were made over HTTP.
  func apiCall(
    _ method: String, _ path: String, body: JSONValue = [:],
    parameters: [String: String] = [:], headers: [(name: String, value: String)] = []
  ) -> Call {
    let request = HTTPRequest(
      method: method, path: path, headers: headers, body: Array(body.serialized()),
      remoteAddress: call.request.remoteAddress)
    return Call(request: request, parameters: parameters, key: key, person: person)
  }

  /// Returns a check of whether the user is still admitted, for an answer that takes long.
  var isStillAdmitted: @Sendable () async throws -> Bool {
    guard let person else { return api.isAdmitted(key) }
    return { [api, app] in
      let account = try await api.store.account(session: person.session, at: api.clock.now())
      guard let account, !api.site.refuses(account) else { return false }
      return !account.permissions(in: app.id).isEmpty
    }
  }
}
