import PushPayload

/// One check of `martlet check-server`, and its result.
struct ServerCheck: Sendable, Equatable {
  /// The severity of a result, in descending order.
  enum Result: String, Sendable, CaseIterable {
    /// The server does not start, does not send, or may lose accepted requests.
    case error
    /// The server works now, but not for long or not under load.
    case warning
    case note
    case ok
  }

  /// A name that does not change across releases, such as `secret-key-mode`.
  var code: String
  var result: Result
  var message: String
  /// The advice; `nil` if there is nothing to do.
  var advice: String?

  static func ok(_ code: String, _ message: String) -> ServerCheck {
    ServerCheck(code: code, result: .ok, message: message)
  }

  /// The lines of the text report.
  var text: String {
    let line = "\(result.rawValue): \(message) [\(code)]"
    return advice.map { line + "\n  fix  " + $0 } ?? line
  }

  var json: JSONValue {
    [
      "code": .string(code), "result": .string(result.rawValue), "message": .string(message),
      "advice": advice.map(JSONValue.string) ?? .null,
    ]
  }
}
