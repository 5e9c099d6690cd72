/// Why a payload cannot be composed: for nobody, or not for one device.
///
/// The message names the place in the caller's payload and never a value of a device.
package struct ComposeError: Error, Hashable, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    private enum Raw { case wrongType, refused, template, tooLarge, badKey }
    private let raw: Raw

    package static let wrongType = Code(raw: .wrongType)
    package static let refused = Code(raw: .refused)
    /// A text's Liquid does not compile, or one device's rendering passed a limit.
    package static let template = Code(raw: .template)
    package static let tooLarge = Code(raw: .tooLarge)
    /// The device's keys are none.
    package static let badKey = Code(raw: .badKey)
  }

  package var code: Code
  package var message: String
  /// The JSON path of the value that is refused; `nil` where the error is not about one value.
  package var path: String?
  package var description: String { message }

  init(_ code: Code, _ message: String, at path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  init(_ error: APIError) {
    self.init(error.status == 400 ? .wrongType : .refused, error.message, at: error.path)
  }

  /// What the API answers where nothing of the send can be composed.
  var apiError: APIError { APIError(code == .wrongType ? 400 : 422, message, at: path) }
}
