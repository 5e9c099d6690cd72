import PushPayload
import PushStore
import _HTTPServer

/// A request for a dashboard page of one app, from a user who has signed in.
struct PageRequest: Sendable {
  var call: Call
  var api: API
  var session: Session
  var app: App
  /// The user's key for this app; its ``APIKey/app`` is this app even for the server's admin key.
  var key: APIKey
  /// The apps that the session gives access to.
  var apps: [App]
  /// The fields of a POST request, whose form token was checked.
  var form = Form()

  var now: Timestamp { api.clock.now() }
  var http: HTTPRequest { call.request }
  var sections: [Section] { Section.allCases.filter { $0.allows(key.role) } }

  func path(_ section: Section) -> String { section.path(app: app.id) }

  /// A call to a handler of the API with the user's key, as if it were made over HTTP.
  func apiCall(
    _ method: String, _ path: String, body: JSONValue = [:],
    parameters: [String: String] = [:], headers: [(name: String, value: String)] = []
  ) -> Call {
    let request = HTTPRequest(
      method: method, path: path, headers: headers, body: Array(body.serialized()),
      remoteAddress: call.request.remoteAddress)
    return Call(request: request, parameters: parameters, key: key)
  }
}
