/// The reason why a server could not start.
package struct HTTPServerError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    enum Raw { case addressInUse, addressUnusable, certificateUnusable, cannotStart }
    let raw: Raw
    package static let addressInUse = Code(raw: .addressInUse)
    package static let addressUnusable = Code(raw: .addressUnusable)
    package static let certificateUnusable = Code(raw: .certificateUnusable)
    package static let cannotStart = Code(raw: .cannotStart)
  }

  package var code: Code
  /// One line that says what is wrong and what to do.
  package var message: String

  package var description: String { message }
}
