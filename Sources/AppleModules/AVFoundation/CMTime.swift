/// Core Media's `CMTime`, a time as a number of parts of a second.
///
/// Source: Apple, `CMTime`.
public struct CMTime: Hashable, Sendable {
  /// The number of parts.
  public var value: Int64
  /// The number of parts in a second; 0 for a time that is unknown.
  public var timescale: Int32

  /// Creates a time.
  ///
  /// - Parameters:
  ///   - value: The number of parts.
  ///   - timescale: The number of parts in a second.
  public init(value: Int64, timescale: Int32) { (self.value, self.timescale) = (value, timescale) }

  /// Creates the nearest time; an unknown one if it has more parts than a number can count.
  ///
  /// - Parameters:
  ///   - seconds: The seconds.
  ///   - preferredTimescale: The number of parts in a second.
  public init(seconds: Double, preferredTimescale: Int32) {
    let parts = Int64(exactly: (seconds * Double(preferredTimescale)).rounded())
    self.init(value: parts ?? 0, timescale: parts == nil ? 0 : preferredTimescale)
  }

  /// The seconds; not a number for an unknown time.
  public var seconds: Double { timescale == 0 ? .nan : Double(value) / Double(timescale) }
  /// Whether the time is known.
  public var isValid: Bool { timescale > 0 }

  /// No time.
  public static let zero = CMTime(value: 0, timescale: 1)
  /// An unknown time.
  public static let invalid = CMTime(value: 0, timescale: 0)
}

/// Creates a time.
///
/// - Parameters:
///   - value: The number of parts.
///   - timescale: The number of parts in a second.
/// - Returns: The time.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// Creates the nearest time.
///
/// - Parameters:
///   - seconds: The seconds.
///   - preferredTimescale: The number of parts in a second.
/// - Returns: The time.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns the seconds of a time.
///
/// - Parameter time: The time.
/// - Returns: The seconds; not a number for an unknown time.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
