/// Apple's `OSLogMessage`, a text with values that are evaluated only if the message is recorded.
///
/// Source: Apple, `OSLogMessage`.
public struct OSLogMessage: ExpressibleByStringInterpolation {
  private let parts: [() -> String]

  /// Creates a message without values.
  ///
  /// - Parameter value: The text.
  public init(stringLiteral value: String) { parts = [{ value }] }

  /// Creates a message.
  ///
  /// - Parameter stringInterpolation: The text and the values.
  public init(stringInterpolation: OSLogInterpolation) { parts = stringInterpolation.parts }

  /// The text with the values.
  var text: String { parts.map { $0() }.joined() }
}

/// Apple's `OSLogInterpolation`, the text and the values of a message.
///
/// Source: Apple, `OSLogInterpolation`.
public struct OSLogInterpolation: StringInterpolationProtocol {
  var parts: [() -> String] = []

  /// Creates an empty text.
  ///
  /// - Parameters:
  ///   - literalCapacity: Unused.
  ///   - interpolationCount: Unused.
  public init(literalCapacity: Int, interpolationCount: Int) {}

  /// Appends a text.
  ///
  /// - Parameter literal: The text.
  public mutating func appendLiteral(_ literal: String) { parts.append { literal } }

  /// Appends a string.
  ///
  /// - Parameters:
  ///   - argumentString: The string.
  ///   - align: The alignment.
  ///   - privacy: Whether the string is private.
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(align, privacy, value: argumentString)
  }

  /// Appends the description of a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - align: The alignment.
  ///   - privacy: Whether the value is private.
  public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure @escaping () -> T, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(align, privacy) { value().description }
  }

  /// Appends the name of a type.
  ///
  /// - Parameters:
  ///   - value: The type.
  ///   - align: The alignment.
  ///   - privacy: Whether the name is private.
  public mutating func appendInterpolation(
    _ value: @autoclosure @escaping () -> any Any.Type, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(align, privacy) { String(describing: value()) }
  }

  /// Appends the description of an error.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - privacy: Whether the error is private.
  @_disfavoredOverload
  public mutating func appendInterpolation(
    _ error: @autoclosure @escaping () -> any Error, privacy: OSLogPrivacy = .auto
  ) {
    append(.none, privacy) { String(describing: error()) }
  }

  /// Appends a truth value.
  ///
  /// - Parameters:
  ///   - boolean: The value.
  ///   - format: The words.
  ///   - privacy: Whether the value is private.
  public mutating func appendInterpolation(
    _ boolean: @autoclosure @escaping () -> Bool, format: OSLogBoolFormat = .truth,
    privacy: OSLogPrivacy = .auto
  ) {
    append(.none, privacy) {
      switch format {
      case .truth: boolean() ? "true" : "false"
      case .answer: boolean() ? "YES" : "NO"
      }
    }
  }

  /// Appends an integer.
  ///
  /// - Parameters:
  ///   - number: The integer.
  ///   - format: The format.
  ///   - align: The alignment.
  ///   - privacy: Whether the integer is private.
  public mutating func appendInterpolation<T: FixedWidthInteger>(
    _ number: @autoclosure @escaping () -> T, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(align, privacy) { format.text(number()) }
  }

  /// Appends a number.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - format: The format.
  ///   - align: The alignment.
  ///   - privacy: Whether the number is private.
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Double, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(align, privacy) { format.text(number()) }
  }

  /// Appends a number.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - format: The format.
  ///   - align: The alignment.
  ///   - privacy: Whether the number is private.
  public mutating func appendInterpolation(
    _ number: @autoclosure @escaping () -> Float, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(align, privacy) { format.text(Double(number())) }
  }

  private mutating func append(
    _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy, value: @escaping () -> String
  ) {
    parts.append { align.padded(privacy.shown(value())) }
  }
}
