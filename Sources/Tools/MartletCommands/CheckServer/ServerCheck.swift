import PushPayload

/// One thing that `martlet check-server` looked at, and what it found.
struct ServerCheck: Sendable, Equatable {
  /// How much a result matters; the cases are in descending order.
  enum Result: String, Sendable, CaseIterable {
    /// The server does not start, does not send, or may lose what it accepted.
    case error
    /// It works now, and will not for long or not under load.
    case warning
    case note
    case ok
  }

  /// A name that does not change across releases: `secret-key-mode`.
  var code: String
  var result: Result
  var message: String
  /// What to do; `nil` where there is nothing to do.
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
