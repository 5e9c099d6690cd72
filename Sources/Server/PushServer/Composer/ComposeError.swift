/// The reason why a payload cannot be composed for any device, or for one.
///
/// The message begins with the JSON path in the caller's payload, and contains no values of a device.
package struct ComposeError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case wrongType, refused, template, value, tooLarge, badKey }
    private let raw: Raw

    /// A value has the wrong JSON type.
    package static let wrongType = Code(raw: .wrongType)
    /// A value of the right JSON type is not valid.
    package static let refused = Code(raw: .refused)
    /// A Liquid template does not compile, or its rendering for one device exceeded a limit.
    package static let template = Code(raw: .template)
    /// The rendering of a Liquid template met a value that it cannot use, such as 0 as a divisor.
    package static let value = Code(raw: .value)
    /// The payload is larger than APNs accepts.
    package static let tooLarge = Code(raw: .tooLarge)
    /// The device's encryption keys are not valid.
    package static let badKey = Code(raw: .badKey)
  }

  package var code: Code
  package var message: String
  /// The JSON path of the refused value; `nil` if the error is not about one value.
  package var path: String?
  package var description: String { message }

  init(_ code: Code, _ message: String, at path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  init(_ error: RequestError) {
    self.init(error.code == .malformed ? .wrongType : .refused, error.message, at: error.path)
  }

  /// The refusal of a request whose payload cannot be composed for any device.
  var requestError: RequestError {
    RequestError(code == .wrongType ? .malformed : .invalid, message, at: path)
  }
}
