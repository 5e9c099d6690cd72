import Foundation

extension Error {
  /// The error as a sentence, in the form that every command prints.
  ///
  /// Swift prints an error without a description as a value, `RequestError(code: …)`, which does not help anybody.
  var sentence: String {
    if Self.self is NSError.Type || Self.self is any CustomNSError.Type {
      return localizedDescription
    }
    let value: Any = self
    if let value = value as? any CustomStringConvertible { return value.description }
    return "an error of the kind \(Self.self), which has no explanation; please report it"
  }
}
