// The declarations of Apple's os that Martlet uses. Signatures as in Apple's documentation,
// https://developer.apple.com/documentation/os/logger
public struct Logger: Sendable {
  public init(subsystem: String, category: String) { fatalError() }
  public func notice(_ message: OSLogMessage) { fatalError() }
}

public struct OSLogPrivacy: Sendable {
  public static var `public`: OSLogPrivacy { fatalError() }
  public static var `private`: OSLogPrivacy { fatalError() }
  public static var auto: OSLogPrivacy { fatalError() }
}

public struct OSLogStringAlignment: Sendable {
  public static var none: OSLogStringAlignment { fatalError() }
}

public struct OSLogIntegerFormatting: Sendable {
  public static var decimal: OSLogIntegerFormatting { fatalError() }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) { fatalError() }
  public mutating func appendLiteral(_ literal: String) { fatalError() }
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) { fatalError() }
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Int, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) { fatalError() }
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
  public init(stringInterpolation: OSLogInterpolation) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
}
