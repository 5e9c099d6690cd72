import PushModel
import PushPayload
import _HTTPServer

/// One request as a handler gets it whose route asks for a key, with the key.
struct KeyedRequest: RequestValues {
  var context: RequestContext
  /// The key of the caller, which may call the route.
  let key: APIKey
  /// The members that the body may have; `nil` if they are not checked.
  let members: KnownMembers?
  /// The devices that the call acts for and the secret for them; `nil` if the key is not a device key.
  var claim: DeviceClaim?
  /// The body; `nil` if it was not parsed before the handler.
  var body: BodyValue?

  var request: HTTPRequest { context.request }
  var parameters: [String: String] { context.parameters }

  /// The app of the key.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if the key is a server key, which has no app.
  func app() throws(RequestError) -> String {
    guard let app = key.app else { throw .forbidden }
    return app
  }

  /// The caller of an action: the holder of the call's key.
  var actor: Actor {
    Actor(
      identity: .key(key), app: key.app ?? namedApp, permissions: key.role.permissions,
      address: request.remoteAddress, span: context.span)
  }

  /// The first segment of the path, which is `v4`, `v5` or `v6` if the path has a version.
  var version: Substring { request.path.split(separator: "/").first ?? "v6" }

  /// Whether pushes that `martlet lint` calls an error are refused.
  ///
  /// The older versions refuse only what cannot be composed, because their callers were written before this rule.
  var refusesErrors: Bool { version != "v4" && version != "v5" }

  /// Parses the body as a JSON object.
  ///
  /// - Throws: ``RequestError`` `.malformed` if it is not JSON, not an object, or repeats a key; `.invalid` if it has an unknown
  ///   member, or a text with U+0000.
  func json() throws(RequestError) -> BodyValue {
    if let body { return body }
    let field = try BodyValue(parsing: request.body, as: "the body")
    _ = try field.object()
    try members?.check(field)
    return field
  }
}
