/// Somebody who makes a request before it is known who: one who signs in, or shows an unknown key.
struct Visitor: Sendable {
  /// The app that the request names.
  var app: String?
  /// The address from which the request came.
  var address: String
  /// The span of the request; `nil` if the request is not traced.
  var span: OpenSpan?

  /// The actor as whom the request has just proven its maker.
  func identified(as identity: Actor.Identity) -> Actor {
    Actor(identity: identity, app: app, permissions: [], address: address, span: span)
  }
}
