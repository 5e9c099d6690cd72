// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Apple's `OSSignpostType`, the kind of a signpost.
///
/// Source: Apple, `OSSignpostType`.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
  /// Apple's number of the kind.
  public let rawValue: UInt8

  /// Creates a kind.
  ///
  /// - Parameter rawValue: Apple's number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A point in time.
  public static let event = OSSignpostType(rawValue: 0)
  /// The begin of an interval.
  public static let begin = OSSignpostType(rawValue: 1)
  /// The end of an interval.
  public static let end = OSSignpostType(rawValue: 2)
}

/// Records nothing.
///
/// - Parameters:
///   - type: The kind.
///   - dso: Unused.
///   - log: The log.
///   - name: The name.
///   - signpostID: The identifier.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive
) { sayNoSignposts() }

/// Records nothing.
///
/// - Parameters:
///   - type: The kind.
///   - dso: Unused.
///   - log: The log.
///   - name: The name.
///   - signpostID: The identifier.
///   - format: The format.
///   - arguments: The values.
public func os_signpost(
  _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
  signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any...
) { sayNoSignposts() }
