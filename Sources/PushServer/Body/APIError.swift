import PushPayload
import PushStore
import _HTTPServer

/// A request that is refused: the status, and what the caller can do about it.
struct APIError: Error, Sendable {
  var status: Int
  var message: String
  /// The JSON path of the value that is refused; `nil` where the error is not about one value.
  var path: String?
  var headers: [(String, String)] = []

  init(
    _ status: Int, _ message: String, at path: String? = nil, headers: [(String, String)] = []
  ) {
    self.status = status
    self.message = message
    self.path = path
    self.headers = headers
  }

  /// Without a realm: with one, URLSession on Linux answers the challenge by itself and never
  /// shows its caller the 401.
  static let unauthorized = APIError(
    401, "unauthorized", headers: [("WWW-Authenticate", "Basic")])
  static let forbidden = APIError(403, "your api client does not have the correct roles")

  /// A value of a type that its place does not take.
  static func wrongType(_ field: BodyValue, takes what: String) -> APIError {
    APIError(400, "\(field.path) must be \(what), not \(field.value.typeName)", at: field.path)
  }

  /// A value of the right type that is refused all the same.
  static func refused(_ path: String, _ why: String) -> APIError {
    APIError(422, "\(path) \(why)", at: path)
  }

  static func missing(_ path: String) -> APIError { refused(path, "is missing") }

  static func tooMany(_ which: String, wait seconds: Int) -> APIError {
    APIError(
      429, "too many requests \(which); try again in \(seconds) s",
      headers: [("Retry-After", String(seconds))])
  }

  static func notFound(_ what: String) -> APIError { APIError(404, "there is no \(what)") }

  static let expiredCursor = APIError(404, "this cursor has expired; begin without one")

  /// What a store refused; where it failed, it may be there again soon.
  init(_ error: StoreError) {
    switch error.code {
    case .conflict: self.init(409, error.message)
    case .erased: self.init(451, error.message)
    case .expiredCursor: self = .expiredCursor
    case .notFound: self.init(404, error.message)
    case .refused: self.init(422, error.message)
    default:
      self.init(503, "the store is not available; try again", headers: [("Retry-After", "1")])
    }
  }

  var response: HTTPResponse {
    .json(status: status, ["error": .string(message)], headers: headers)
  }
}

extension HTTPResponse {
  static func json(
    status: Int = 200, _ value: JSONValue, headers: [(String, String)] = []
  ) -> HTTPResponse {
    json(status: status, bytes: value.bytes, headers: headers)
  }

  static func json(
    status: Int = 200, bytes: [UInt8], headers: [(String, String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers,
      body: bytes)
  }
}
