@_spi(Host) import UserNotifications

/// Says that signposts are not recorded.
func sayNoSignposts() { notModelled("OSSignposter", "signposts are not recorded") }

/// Apple's `OSSignposter`, which records nothing here.
///
/// Source: Apple, `OSSignposter`.
public struct OSSignposter: Sendable {
  /// Creates a signposter.
  public init() {}
  /// Creates a signposter.
  ///
  /// - Parameters:
  ///   - subsystem: Unused.
  ///   - category: Unused.
  public init(subsystem: String, category: String) {}
  /// Creates a signposter.
  ///
  /// - Parameters:
  ///   - subsystem: Unused.
  ///   - category: Unused.
  public init(subsystem: String, category: OSLog.Category) {}
  /// Creates a signposter.
  ///
  /// - Parameter logger: Unused.
  public init(logger: Logger) {}
  /// Creates a signposter.
  ///
  /// - Parameter logHandle: Unused.
  public init(logHandle: OSLog) {}

  /// A signposter that records nothing.
  public static let disabled = OSSignposter()
  /// Always `false`.
  public var isEnabled: Bool {
    sayNoSignposts()
    return false
  }

  /// Makes an identifier.
  ///
  /// - Returns: The identifier of no interval.
  public func makeSignpostID() -> OSSignpostID {
    sayNoSignposts()
    return .null
  }
  /// Makes an identifier of an object.
  ///
  /// - Parameter object: Unused.
  /// - Returns: The identifier of no interval.
  public func makeSignpostID(from object: AnyObject) -> OSSignpostID {
    sayNoSignposts()
    return .null
  }

  /// Begins an interval.
  ///
  /// - Parameters:
  ///   - name: Unused.
  ///   - id: The identifier.
  /// - Returns: The state to end the interval with.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive
  ) -> OSSignpostIntervalState {
    sayNoSignposts()
    return .init(signpostID: id)
  }
  /// Begins an interval.
  ///
  /// - Parameters:
  ///   - name: Unused.
  ///   - id: The identifier.
  ///   - message: Unused; its values are not evaluated.
  /// - Returns: The state to end the interval with.
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState {
    sayNoSignposts()
    return .init(signpostID: id)
  }
  /// Ends an interval.
  ///
  /// - Parameters:
  ///   - name: Unused.
  ///   - state: Unused.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
    sayNoSignposts()
  }
  /// Ends an interval.
  ///
  /// - Parameters:
  ///   - name: Unused.
  ///   - state: Unused.
  ///   - message: Unused; its values are not evaluated.
  public func endInterval(
    _ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata
  ) { sayNoSignposts() }
  /// Records an event.
  ///
  /// - Parameters:
  ///   - name: Unused.
  ///   - id: Unused.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) { sayNoSignposts() }
  /// Records an event.
  ///
  /// - Parameters:
  ///   - name: Unused.
  ///   - id: Unused.
  ///   - message: Unused; its values are not evaluated.
  public func emitEvent(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) { sayNoSignposts() }

  /// Calls a closure, whose time would be the interval.
  ///
  /// - Parameters:
  ///   - name: Unused.
  ///   - id: Unused.
  ///   - task: The closure.
  /// - Returns: The closure's result.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
  ) rethrows -> T {
    sayNoSignposts()
    return try task()
  }
}

/// Apple's `SignpostMetadata`, the message of a signpost.
public typealias SignpostMetadata = OSLogMessage

/// Apple's `OSSignpostIntervalState`, the state of an interval.
///
/// Source: Apple, `OSSignpostIntervalState`.
public final class OSSignpostIntervalState: Sendable {
  /// The identifier.
  public let signpostID: OSSignpostID

  init(signpostID: OSSignpostID) { self.signpostID = signpostID }
}

/// Apple's `OSSignpostID`, the identifier of an interval.
///
/// Source: Apple, `OSSignpostID`.
public struct OSSignpostID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// Creates an identifier.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Creates an identifier.
  ///
  /// - Parameter value: The number.
  public init(_ value: UInt64) { rawValue = value }
  /// Creates the identifier of no interval.
  ///
  /// - Parameter log: Unused.
  public init(log: OSLog) {
    sayNoSignposts()
    self = .null
  }
  /// Creates the identifier of no interval.
  ///
  /// - Parameters:
  ///   - log: Unused.
  ///   - object: Unused.
  public init(log: OSLog, object: AnyObject) {
    sayNoSignposts()
    self = .null
  }

  /// The identifier of an interval that does not overlap another one.
  public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
  /// An invalid identifier.
  public static let invalid = OSSignpostID(.max)
  /// The identifier of no interval.
  public static let null = OSSignpostID(0)

  /// Compares two identifiers by their numbers.
  ///
  /// - Parameters:
  ///   - left: One identifier.
  ///   - right: The other one.
  /// - Returns: Whether the left number is less than the right one.
  public static func < (left: OSSignpostID, right: OSSignpostID) -> Bool {
    left.rawValue < right.rawValue
  }
}
