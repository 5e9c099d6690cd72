import PushModel
import PushPayload

/// The refusal of a request: an open code, and a text that says what is wrong, where, and what to do.
///
/// A request is what a caller, a form or a file asks for. What the code means in HTTP, only the HTTP layer knows.
struct RequestError: Error, Sendable, CustomStringConvertible {
  /// The kind of a refusal.
  struct Code: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// A value of the wrong type, or a text that is not of the format.
    static let malformed = Code("malformed")
    /// A value of the right type that is not valid, or that cannot be used here.
    static let invalid = Code("invalid")
    /// No known key or session.
    static let unauthenticated = Code("unauthenticated")
    /// A key or a person that may not do it.
    static let forbidden = Code("forbidden")
    /// The object does not exist.
    static let notFound = Code("not-found")
    /// The object is in a state in which it cannot be done.
    static let conflict = Code("conflict")
    /// The caller has not seen the newest version of the object.
    static let outdated = Code("outdated")
    /// The device or the person was erased.
    static let erased = Code("erased")
    /// More bytes than are taken.
    static let tooLarge = Code("too-large")
    /// A media type that is not taken.
    static let unsupportedType = Code("unsupported-type")
    /// More requests than are allowed; ``RequestError/wait`` says when the next one is.
    static let tooMany = Code("too-many")
    /// A stored value is damaged, which does not go away by itself.
    static let damaged = Code("damaged")
    /// The server has a fault of its own.
    static let fault = Code("fault")
    /// The server is not set up for it.
    static let notOffered = Code("not-offered")
    /// The store, the disk or Apple does not answer; it may the next time.
    static let unavailable = Code("unavailable")
  }

  var code: Code
  var message: String
  /// The JSON path of the refused value, or the field of a form; `nil` if the error is not about one value.
  var path: String?
  /// A word that programs can check, if the code and the message do not say enough.
  var word: String?
  /// The seconds after which the request may succeed; `nil` if waiting does not help.
  var wait: Int?

  init(_ code: Code, _ message: String, at path: String? = nil, wait: Int? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.wait = wait
  }

  static let unauthorized = RequestError(.unauthenticated, "unauthorized")
  /// The refusal of an expired key; only the key's holder receives it.
  static let expiredKey: RequestError = {
    var error = unauthorized
    error.word = "key_expired"
    return error
  }()
  static let forbiddenAddress = RequestError(
    .forbidden,
    "this key is not allowed from your address; take another key, or one that allows it")
  static let forbidden = RequestError(
    .forbidden, "your api client does not have the correct roles")

  /// The refusal of a value of the wrong JSON type; `expected` names the right one, such as "a string".
  static func wrongType(_ field: BodyValue, expected: String) -> RequestError {
    RequestError(
      .malformed, "\(field.path) must be \(expected), not \(field.value.typeName)", at: field.path)
  }

  /// The refusal of a value of the right JSON type that is not valid.
  ///
  /// `problem` follows the path in the message, such as "must not be empty".
  static func refused(_ path: String, _ problem: String) -> RequestError {
    RequestError(.invalid, "\(path) \(problem)", at: path)
  }

  /// The refusal for a required member that is absent.
  static func missing(_ path: String) -> RequestError { refused(path, "is missing") }

  static func tooMany(_ which: String, wait seconds: Int) -> RequestError {
    RequestError(
      .tooMany, "too many requests \(which); try again in \(seconds) s", wait: seconds)
  }

  static func notFound(_ what: String) -> RequestError {
    RequestError(.notFound, "there is no \(what)")
  }

  static let expiredCursor = RequestError(
    .notFound, "this cursor has expired; read the list from its start, without a cursor")

  /// Makes the refusal for a store's error; a failure of the store may go away.
  init(_ error: StoreError) {
    switch error.code {
    case .conflict: self.init(.conflict, error.message)
    case .erased: self.init(.erased, error.message)
    case .expiredCursor: self = .expiredCursor
    case .forbidden: self = .forbidden
    case .notFound: self.init(.notFound, error.message)
    case .refused: self.init(.invalid, error.message)
    // Damage does not go away by itself, so the caller is told what is damaged.
    case .damaged: self.init(.damaged, error.message)
    case .schemaChanged: self.init(.unavailable, error.message, wait: 1)
    default: self.init(.unavailable, "the store is not available; try again", wait: 1)
    }
  }

  /// Whether the same request fails again, because what it asks for is wrong or gone.
  var isPermanent: Bool {
    [.malformed, .invalid, .notFound, .conflict, .erased, .tooLarge, .unsupportedType].contains(
      code)
  }

  /// The message, which names the refused value; commands print it.
  var description: String { message }
}
