/// The reason why a receipt could not be stored.
public struct ReceiptError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code, such as `storage`.
    public let rawValue: String

    /// Creates a code.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The folder could not be written to: the disk is full, the path is not a folder, or the phone has not
    /// been unlocked since it was started.
    public static let storage = Code(rawValue: "storage")
    /// The receipt would be larger than ``ReceiptQueue/maximumBytes``.
    public static let tooLarge = Code(rawValue: "too-large")
  }

  /// The kind of failure.
  public var code: Code
  /// A description of the failure.
  public var message: String
  /// The underlying error.
  public var cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
