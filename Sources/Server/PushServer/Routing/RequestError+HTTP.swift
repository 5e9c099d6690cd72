import PushPayload
import _HTTPServer

/// The meaning of a refusal in HTTP, which nothing below the HTTP layer knows.
extension RequestError {
  private static let statuses: [Code: Int] = [
    .malformed: 400, .unauthenticated: 401, .forbidden: 403, .notFound: 404, .conflict: 409,
    .outdated: 412, .tooLarge: 413, .unsupportedType: 415, .invalid: 422, .tooMany: 429,
    .erased: 451, .damaged: 500, .fault: 500, .notOffered: 501, .unavailable: 503,
  ]

  /// The status (RFC 9110, section 15); a code without one of its own is 422.
  var status: Int { Self.statuses[code] ?? 422 }

  /// `Retry-After` with the wait, and for a 401 the challenge (RFC 9110, section 11.6.1).
  ///
  /// The challenge has no realm, because with one, URLSession on Linux answers it by itself and never returns the 401
  /// to its caller.
  var headers: [(String, String)] {
    (code == .unauthenticated ? [("WWW-Authenticate", "Basic")] : [])
      + (wait.map { [("Retry-After", String($0))] } ?? [])
  }

  var response: HTTPResponse {
    var members: [String: JSONValue] = ["error": .string(message)]
    members["code"] = word.map(JSONValue.string)
    return .json(status: status, .object(members), headers: headers)
  }
}

/// The refusal of a method that no route of the path takes (RFC 9110, section 15.5.6).
struct WrongMethod: Error {
  static let status = 405

  /// The methods that the path takes, separated by commas.
  var allowed: String

  var message: String { "this path takes \(allowed)" }

  var response: HTTPResponse {
    .json(status: Self.status, ["error": .string(message)], headers: [("Allow", allowed)])
  }
}
