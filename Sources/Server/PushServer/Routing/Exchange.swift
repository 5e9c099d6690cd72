import PushModel
import PushPayload
import _HTTPServer

/// A request on its way: the parts that its answer, its log line, its span and the metrics need.
struct Exchange: Sendable {
  /// The `X-Request-Id` of the answer.
  let id: String
  let start = ContinuousClock.now
  let head: HTTPRequest
  /// The path of the route, as OpenAPI writes it; `none` until a route is found.
  var route = "none"
  /// The methods of the route that names the whole path, if it does not take the request's method.
  var otherMethods: String?
  /// The known key of the request, which may have been refused.
  var key: APIKey?
  /// The span of the request; `nil` if the request is not traced.
  var span: OpenSpan?

  init(_ head: HTTPRequest) {
    self.head = head
    id = Self.id(of: head)
  }

  /// Whether the caller shows HTML; a browser saves any other answer as a file.
  var takesPage: Bool { head.header("Accept")?.contains("text/html") == true }

  /// Returns the request's own id if it is 1 to 64 of `[A-Za-z0-9_-]`, or else a new one.
  private static func id(of request: HTTPRequest) -> String {
    guard let id = request.header("X-Request-Id"), (1...64).contains(id.utf8.count),
      id.utf8.allSatisfy({ byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
      })
    else { return Identifiers.makeObjectID() }
    return id
  }
}
