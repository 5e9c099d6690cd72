import Foundation

/// Apple's `OSLogPrivacy`, the rule for hiding a value from other readers.
///
/// Source: Apple, `OSLogPrivacy`.
public struct OSLogPrivacy: Sendable {
  /// The replacement of a value that is not shown.
  public enum Mask: Sendable {
    /// The value is replaced by its hash, so that equal values can be recognized.
    case hash
    /// The value is replaced by a word.
    case none
  }

  private var isSensitive = false
  private var mask = Mask.none

  /// The default for the value's type.
  public static var auto: OSLogPrivacy { OSLogPrivacy() }
  /// A public value.
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
  /// A private value.
  public static var `private`: OSLogPrivacy { OSLogPrivacy() }
  /// A sensitive value, which is never shown.
  public static var sensitive: OSLogPrivacy { OSLogPrivacy(isSensitive: true) }

  /// The default for the value's type, with a mask.
  ///
  /// - Parameter mask: The mask.
  /// - Returns: The option.
  public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(mask: mask) }
  /// A private value with a mask.
  ///
  /// - Parameter mask: The mask.
  /// - Returns: The option.
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(mask: mask) }
  /// A sensitive value with a mask.
  ///
  /// - Parameter mask: The mask.
  /// - Returns: The option.
  public static func sensitive(mask: Mask) -> OSLogPrivacy {
    OSLogPrivacy(isSensitive: true, mask: mask)
  }

  func shown(_ value: String) -> String {
    switch mask {
    case .hash: "<mask.hash>"
    case .none: isSensitive ? "<private>" : value
    }
  }
}

/// Apple's `OSLogStringAlignment`, the alignment of a value in a column.
///
/// Source: Apple, `OSLogStringAlignment`.
public struct OSLogStringAlignment: Sendable {
  private var columns: (@Sendable () -> Int)?
  private var isRight = false

  /// No alignment.
  public static var none: OSLogStringAlignment { OSLogStringAlignment() }

  /// Aligns at the left.
  ///
  /// - Parameter columns: The number of columns.
  /// - Returns: The alignment.
  public static func left(columns: @autoclosure @escaping @Sendable () -> Int)
    -> OSLogStringAlignment
  {
    OSLogStringAlignment(columns: columns)
  }

  /// Aligns at the right.
  ///
  /// - Parameter columns: The number of columns.
  /// - Returns: The alignment.
  public static func right(columns: @autoclosure @escaping @Sendable () -> Int)
    -> OSLogStringAlignment
  {
    OSLogStringAlignment(columns: columns, isRight: true)
  }

  func padded(_ text: String) -> String {
    let spaces = String(repeating: " ", count: max(0, min(columns?() ?? 0, 10_000) - text.count))
    return isRight ? spaces + text : text + spaces
  }
}

/// Apple's `OSLogBoolFormat`, the words for a truth value.
///
/// Source: Apple, `OSLogBoolFormat`.
public enum OSLogBoolFormat: Sendable {
  /// The words `true` and `false`.
  case truth
  /// The words `YES` and `NO`.
  case answer
}

/// Apple's `OSLogIntegerFormatting`, the format of an integer.
///
/// Source: Apple, `OSLogIntegerFormatting`.
public struct OSLogIntegerFormatting: Sendable {
  private var radix = 10
  private var minDigits = 0
  private var hasSign = false
  private var hasPrefix = false
  private var isUppercase = false

  /// The decimal format.
  public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
  /// The hexadecimal format in lower case, without a prefix.
  public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
  /// The octal format, without a prefix.
  public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }

  /// The decimal format.
  ///
  /// - Parameters:
  ///   - explicitPositiveSign: Whether positive numbers have a sign.
  ///   - minDigits: The number of digits that is filled with zeros.
  /// - Returns: The format.
  public static func decimal(
    explicitPositiveSign: Bool = false, minDigits: Int = 0
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(minDigits: minDigits, hasSign: explicitPositiveSign)
  }

  /// The hexadecimal format.
  ///
  /// - Parameters:
  ///   - explicitPositiveSign: Ignored.
  ///   - includePrefix: Whether the number begins with `0x`.
  ///   - uppercase: Whether the digits are in upper case.
  ///   - minDigits: The number of digits that is filled with zeros.
  /// - Returns: The format.
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: Int = 0
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(
      radix: 16, minDigits: minDigits, hasPrefix: includePrefix, isUppercase: uppercase)
  }

  /// The octal format.
  ///
  /// - Parameters:
  ///   - includePrefix: Whether the number begins with `0o`.
  ///   - minDigits: The number of digits that is filled with zeros.
  /// - Returns: The format.
  public static func octal(
    includePrefix: Bool = false, minDigits: Int = 0
  ) -> OSLogIntegerFormatting {
    OSLogIntegerFormatting(radix: 8, minDigits: minDigits, hasPrefix: includePrefix)
  }

  func text(_ number: some FixedWidthInteger) -> String {
    let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
    let zeros = String(repeating: "0", count: max(0, min(minDigits, 10_000) - digits.count))
    let sign = number < 0 ? "-" : hasSign && radix == 10 ? "+" : ""
    return sign + (hasPrefix ? radix == 16 ? "0x" : "0o" : "") + zeros + digits
  }
}

/// Apple's `OSLogFloatFormatting`, the format of a number.
///
/// Source: Apple, `OSLogFloatFormatting`.
public struct OSLogFloatFormatting: Sendable {
  private var conversion = "f"
  private var precision: (@Sendable () -> Int)?
  private var hasSign = false

  /// The format with six digits after the point.
  public static var fixed: OSLogFloatFormatting { OSLogFloatFormatting() }
  /// The hexadecimal format.
  public static var hex: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "a") }
  /// The format with an exponent.
  public static var exponential: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "e") }
  /// The shorter of the formats with and without an exponent.
  public static var hybrid: OSLogFloatFormatting { OSLogFloatFormatting(conversion: "g") }

  /// The format without an exponent.
  ///
  /// - Parameters:
  ///   - precision: The number of digits after the point.
  ///   - explicitPositiveSign: Whether positive numbers have a sign.
  /// - Returns: The format.
  public static func fixed(
    precision: @autoclosure @escaping @Sendable () -> Int, explicitPositiveSign: Bool = false
  ) -> OSLogFloatFormatting {
    OSLogFloatFormatting(precision: precision, hasSign: explicitPositiveSign)
  }

  /// The format with an exponent.
  ///
  /// - Parameters:
  ///   - precision: The number of digits after the point.
  ///   - explicitPositiveSign: Whether positive numbers have a sign.
  /// - Returns: The format.
  public static func exponential(
    precision: @autoclosure @escaping @Sendable () -> Int, explicitPositiveSign: Bool = false
  ) -> OSLogFloatFormatting {
    OSLogFloatFormatting(conversion: "e", precision: precision, hasSign: explicitPositiveSign)
  }

  func text(_ number: Double) -> String {
    let digits = precision.map { ".\(max(0, min($0(), 100)))" } ?? ""
    return String(format: "%\(hasSign ? "+" : "")\(digits)\(conversion)", number)
  }
}
