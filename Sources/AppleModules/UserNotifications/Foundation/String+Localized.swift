public import Foundation

extension String {
  /// Foundation's `String.LocalizationValue`, a text with values that gives the key of a localized string.
  ///
  /// Source: Apple, `String.LocalizationValue`.
  public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
    /// The text and the values of a localized string.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
      fileprivate var key = ""
      fileprivate var values: [String] = []

      /// Creates an empty text.
      ///
      /// - Parameters:
      ///   - literalCapacity: Unused.
      ///   - interpolationCount: Unused.
      public init(literalCapacity: Int, interpolationCount: Int) {}

      /// Appends a text.
      ///
      /// - Parameter literal: The text.
      public mutating func appendLiteral(_ literal: String) {
        key += literal.replacing("%", with: "%%")
      }

      /// Appends a string.
      ///
      /// - Parameter string: The string.
      public mutating func appendInterpolation(_ string: String) {
        append(string, as: "%@")
      }

      /// Appends an integer.
      ///
      /// - Parameter number: The integer.
      public mutating func appendInterpolation<T: FixedWidthInteger>(_ number: T) {
        let specifier = T.isSigned ? "d" : "u"
        append("\(number)", as: T.bitWidth > 32 ? "%ll\(specifier)" : "%\(specifier)")
      }

      /// Appends a number.
      ///
      /// - Parameter number: The number.
      public mutating func appendInterpolation(_ number: Double) {
        append(String(format: "%f", number), as: "%lf")
      }

      private mutating func append(_ value: String, as specifier: String) {
        key += specifier
        values.append(value)
      }
    }

    fileprivate let key: String
    fileprivate let values: [String]

    /// Creates a text without values.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a text without values.
    ///
    /// - Parameter value: The text.
    public init(_ value: String) {
      key = value
      values = []
    }

    /// Creates a text with values.
    ///
    /// - Parameter stringInterpolation: The text and the values.
    public init(stringInterpolation: StringInterpolation) {
      key =
        stringInterpolation.values.isEmpty
        ? stringInterpolation.key.replacing("%%", with: "%") : stringInterpolation.key
      values = stringInterpolation.values
    }

    /// A localized text with the values at its specifiers.
    fileprivate func filled(_ text: String) -> String {
      guard !values.isEmpty else { return text }
      var next = 0
      return text.replacing(/%(?:%|(?:([0-9]{1,2})\$)?(?:ll|l)?[@duf])/) { match in
        guard match.0 != "%%" else { return "%" }
        let index = match.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
        next += match.1 == nil ? 1 : 0
        return values.indices.contains(index) ? values[index] : ""
      }
    }
  }

  /// Creates a string of a bundle's `.strings` files.
  ///
  /// - Parameters:
  ///   - keyAndValue: The key, which is also the text if the bundle does not have it.
  ///   - table: The file's name without extension; `Localizable` by default.
  ///   - bundle: The bundle; that of the extension by default.
  ///   - locale: Unused; values are written without a locale.
  ///   - comment: A note for translators.
  public init(
    localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    let bundle = localizing(bundle)
    sayPlurals(of: bundle, table: table)
    self = keyAndValue.filled(
      bundle.localizedString(forKey: keyAndValue.key, value: nil, table: table))
  }

  /// Creates a string of a bundle's `.strings` files.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - defaultValue: The text if the bundle does not have the key.
  ///   - table: The file's name without extension; `Localizable` by default.
  ///   - bundle: The bundle; that of the extension by default.
  ///   - locale: Unused; values are written without a locale.
  ///   - comment: A note for translators.
  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
    bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
  ) {
    let bundle = localizing(bundle)
    sayPlurals(of: bundle, table: table)
    self = defaultValue.filled(
      bundle.localizedString(forKey: key.description, value: defaultValue.key, table: table))
  }
}

/// The bundle itself, or the extension's if it is `nil` or the process's, which `bundle: .main` passes.
private func localizing(_ bundle: Bundle?) -> Bundle {
  let process = Bundle.Foundation::main
  guard let bundle, bundle !== process else { return UNWorld.forFiles?.bundle ?? process }
  return bundle
}

/// Says that plural rules are not read, if the bundle has a file of them.
private func sayPlurals(of bundle: Bundle, table: String?) {
  let name = table ?? "Localizable"
  for kind in ["stringsdict", "xcstrings"] where bundle.path(forResource: name, ofType: kind) != nil
  {
    notModelled("String(localized:)", "the plural rules of \(name).\(kind) are not read")
  }
}

// These have fewer parameters than Foundation's function, so the compiler prefers them.

/// Foundation's `NSLocalizedString(_:comment:)`, of the extension's bundle.
///
/// - Parameters:
///   - key: The key, which is also the text if the bundle does not have it.
///   - comment: A note for translators.
/// - Returns: The text.
public func NSLocalizedString(_ key: String, comment: String) -> String {
  localizing(nil).localizedString(forKey: key, value: nil, table: nil)
}

/// Foundation's `NSLocalizedString(_:value:comment:)`, of the extension's bundle.
///
/// - Parameters:
///   - key: The key.
///   - value: The text if the bundle does not have the key.
///   - comment: A note for translators.
/// - Returns: The text.
public func NSLocalizedString(_ key: String, value: String, comment: String) -> String {
  localizing(nil).localizedString(forKey: key, value: value, table: nil)
}
