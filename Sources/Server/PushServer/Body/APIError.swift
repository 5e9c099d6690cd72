import PushPayload
import PushStore
import _HTTPServer

/// The refusal of a request: an HTTP status, and a text that says what is wrong, where, and what to
/// do.
struct APIError: Error, Sendable, CustomStringConvertible {
  var status: Int
  var message: String
  /// The JSON path of the refused value; `nil` if the error is not about one value.
  var path: String?
  /// A word that programs can check, if the status and the message do not say enough.
  var code: String?
  var headers: [(String, String)] = []

  init(
    _ status: Int, _ message: String, at path: String? = nil, headers: [(String, String)] = []
  ) {
    self.status = status
    self.message = message
    self.path = path
    self.headers = headers
  }

  /// The 401 has no realm, because with one, URLSession on Linux answers the challenge by itself
  /// and never returns the 401 to its caller.
  static let unauthorized = APIError(
    401, "unauthorized", headers: [("WWW-Authenticate", "Basic")])
  /// The 401 for an expired key; only the key's holder receives it.
  static let expiredKey: APIError = {
    var error = unauthorized
    error.code = "key_expired"
    return error
  }()
  static let forbiddenAddress = APIError(
    403, "this key is not allowed from your address; take another key, or one that allows it")
  static let forbidden = APIError(403, "your api client does not have the correct roles")

  /// A 400 for a value of the wrong JSON type; `expected` names the right one, such as "a string".
  static func wrongType(_ field: BodyValue, expected: String) -> APIError {
    APIError(400, "\(field.path) must be \(expected), not \(field.value.typeName)", at: field.path)
  }

  /// A 422 for a value of the right JSON type that is not valid.
  ///
  /// `problem` follows the path in the message, such as "must not be empty".
  static func refused(_ path: String, _ problem: String) -> APIError {
    APIError(422, "\(path) \(problem)", at: path)
  }

  /// A 422 for a required member that is absent.
  static func missing(_ path: String) -> APIError { refused(path, "is missing") }

  /// A 429 with `Retry-After`.
  static func tooMany(_ which: String, wait seconds: Int) -> APIError {
    APIError(
      429, "too many requests \(which); try again in \(seconds) s",
      headers: [("Retry-After", String(seconds))])
  }

  static func notFound(_ what: String) -> APIError { APIError(404, "there is no \(what)") }

  static let expiredCursor = APIError(
    404, "this cursor has expired; read the list from its start, without a cursor")

  /// Makes the answer to a store's error: a refusal has its own status, a failure is a 503 with
  /// `Retry-After`.
  init(_ error: StoreError) {
    switch error.code {
    case .conflict: self.init(409, error.message)
    case .erased: self.init(451, error.message)
    case .expiredCursor: self = .expiredCursor
    case .forbidden: self = .forbidden
    case .notFound: self.init(404, error.message)
    case .refused: self.init(422, error.message)
    // Damage does not go away by itself, so the caller is told what is damaged.
    case .damaged: self.init(500, error.message)
    case .schemaChanged: self.init(503, error.message, headers: [("Retry-After", "1")])
    default:
      self.init(503, "the store is not available; try again", headers: [("Retry-After", "1")])
    }
  }

  /// The message, which names the refused value; commands print it.
  var description: String { message }

  var response: HTTPResponse {
    var members: [String: JSONValue] = ["error": .string(message)]
    members["code"] = code.map(JSONValue.string)
    return .json(status: status, .object(members), headers: headers)
  }
}
