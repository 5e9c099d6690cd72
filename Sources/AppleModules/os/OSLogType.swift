/// Apple's `OSLogType`, the level of a message.
///
/// Source: Apple, `OSLogType`.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// Apple's number of the level.
  public let rawValue: UInt8

  /// Creates a level.
  ///
  /// - Parameter rawValue: Apple's number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates a level.
  ///
  /// - Parameter rawValue: Apple's number.
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// The default level.
  public static let `default` = OSLogType(rawValue: 0)
  /// The level of helpful information.
  public static let info = OSLogType(rawValue: 1)
  /// The level of information for debugging.
  public static let debug = OSLogType(rawValue: 2)
  /// The level of errors.
  public static let error = OSLogType(rawValue: 16)
  /// The level of faults, which are bugs.
  public static let fault = OSLogType(rawValue: 17)
}
