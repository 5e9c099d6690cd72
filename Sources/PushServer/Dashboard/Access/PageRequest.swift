import PushPayload
import PushStore
import _HTTPServer

/// One request of a person for a page of one app: who it is, and what they may see.
struct Visit: Sendable {
  var call: Call
  var api: API
  var session: Session
  var app: App
  /// The key that opens this app; its ``APIKey/app`` is this app, also where it is the server's.
  var key: APIKey
  /// Every app that the session opens.
  var apps: [App]
  /// What a POST brought; the token in it was checked.
  var form = Form()

  var now: Timestamp { api.clock.now() }
  var request: HTTPRequest { call.request }
  var sections: [Section] { Section.allCases.filter { $0.admits(key.role) } }

  func path(_ section: Section) -> String { section.path(app: app.id) }

  /// A call to the API's own handlers with this visitor's key, as if it came over HTTP.
  func apiCall(
    _ method: String, _ path: String, _ body: JSONValue = [:],
    parameters: [String: String] = [:], headers: [(name: String, value: String)] = []
  ) -> Call {
    let request = HTTPRequest(
      method: method, path: path, headers: headers, body: Array(body.serialized()),
      remoteAddress: call.request.remoteAddress)
    return Call(request: request, parameters: parameters, key: key)
  }
}

extension Visit {
  /// What the keys of a session open.
  struct Opened: Sendable {
    var apps: [(app: App, key: APIKey)] = []

    /// Revoked keys, and those that are not for this address, open nothing.
    init(_ session: Session, from address: String, _ store: any PushStore) async throws {
      let all = try await store.apps()
      for hash in session.keys {
        guard let key = try await store.admittedKey(hash: hash), key.limits.admits(address) else {
          continue
        }
        for app in all where key.role == .server || key.app == app.id {
          var own = key
          own.app = app.id
          if let index = apps.firstIndex(where: { $0.app.id == app.id }) {
            // Of two keys of an app the one that opens more.
            if apps[index].key.sectionCount < own.sectionCount { apps[index].key = own }
          } else {
            apps.append((app, own))
          }
        }
        if key.role == .server { hasServerKey = true }
      }
    }

    /// Whether one of the keys is the server's own.
    private(set) var hasServerKey = false
  }
}

extension APIKey {
  fileprivate var sectionCount: Int { Section.allCases.count { $0.admits(role) } }
}
