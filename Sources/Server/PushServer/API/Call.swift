import PushPayload
import PushStore
import _HTTPServer

/// One request as a handler gets it, with its key and the values of its path.
struct Call: Sendable {
  var request: HTTPRequest
  /// The values of the names in the route's pattern.
  var parameters: [String: String]
  /// The key of the caller; `nil` only on routes that ask for none.
  var key: APIKey?
  /// The ``key`` where it is what an earlier request found, so that the change of this request has to confirm it.
  var rememberedKey: APIKey?
  /// The person for whom the key stands; `nil` for a program.
  var person: Person?
  /// The members that the body may have; `nil` checks none.
  var members: KnownMembers?
  /// What a device key has shown; `nil` for other keys.
  var claim: DeviceClaim?
  /// The span of the request; `nil` where it is not recorded.
  var span: OpenSpan?
  /// The body where it was parsed before.
  var body: BodyValue?

  /// The app of the key.
  ///
  /// - Throws: ``APIError`` 403 for a server key, which has no app.
  func app() throws(APIError) -> String {
    guard let app = key?.app else { throw .forbidden }
    return app
  }

  /// The app that the path or the query names.
  var namedApp: String? { parameters["app"] ?? query("app") }

  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  func query(_ name: String) -> String? { request.query.first { $0.name == name }?.value }

  /// `v4`, `v5` or `v6`; a path without a version counts as the newest.
  var version: Substring { request.path.split(separator: "/").first ?? "v6" }

  /// Whether pushes that `martlet lint` calls an error are refused.
  ///
  /// The older versions refuse only what cannot be composed, since their callers were written before this rule.
  var refusesErrors: Bool { version != "v4" && version != "v5" }

  /// Parses the body as a JSON object.
  ///
  /// - Throws: ``APIError`` 400 where it is not JSON, not an object, or repeats a key; 422 where it
  ///   has a member that is not known, or a text with U+0000.
  func json() throws(APIError) -> BodyValue {
    if let body { return body }
    let field = try BodyValue(parsing: request.body, as: "the body")
    _ = try field.object()
    try members?.check(field)
    return field
  }
}
