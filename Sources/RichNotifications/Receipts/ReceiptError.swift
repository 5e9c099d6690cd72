/// Why a receipt was not kept.
public struct ReceiptError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name as reports print it.
    public let rawValue: String

    /// Names a kind.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The folder could not be written to: the disk is full, the folder is no folder, or the phone
    /// has not been unlocked since it was started.
    public static let storage = Code(rawValue: "storage")
    /// It would be larger than ``ReceiptQueue/maximumBytes``.
    public static let tooLarge = Code(rawValue: "too-large")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, in words.
  public var message: String
  /// The system's own error.
  public var cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
