extension SourceError {
  /// An error about a character that has no meaning outside of quotes, with its name in Unicode and a remedy.
  ///
  /// Shopify's strict parser refuses the same characters. Its lenient parser skips them, which turns a comparison
  /// with a word in curly quotes into a comparison with nothing.
  static func unexpectedCharacter(in source: [UInt8], at offset: Int) -> SourceError {
    let bytes = source[offset..<min(offset + 4, source.count)]
    guard let character = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else {
      return SourceError(.syntax, "unexpected end", at: offset)
    }
    guard !character.isASCII || character.properties.generalCategory == .control else {
      return SourceError(.syntax, "unexpected \(quote(String(character)))", at: offset)
    }
    let remedy = Self.remedy(for: character.properties)
    return SourceError(
      .syntax, "unexpected \(name(of: character)) outside of quotes: \(remedy)", at: offset)
  }

  /// An error about a string that is not closed, which names the first curly quote in it.
  static func unclosedString(in source: ArraySlice<UInt8>, at offset: Int) -> SourceError {
    let text = String(decoding: source, as: UTF8.self)
    let curly = text.unicodeScalars.first { !$0.isASCII && $0.properties.isQuotationMark }
    let hint = curly.map { ": \(name(of: $0)) does not close it" } ?? ""
    return SourceError(.syntax, "the string has no closing quote" + hint, at: offset)
  }

  /// The name and the code of a character: `EN DASH (U+2013)`.
  private static func name(of character: Unicode.Scalar) -> String {
    let digits = String(character.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return character.properties.name.map { "\($0) (\(code))" } ?? code
  }

  private static func remedy(for properties: Unicode.Scalar.Properties) -> String {
    let isQuote =
      properties.isQuotationMark
      || ["PRIME", "APOSTROPHE"].contains { properties.name?.contains($0) == true }
    if isQuote { return "use straight quotes, \" or '" }
    if properties.isWhitespace { return "write a space" }
    if properties.isDefaultIgnorableCodePoint
      || [.format, .control].contains(properties.generalCategory)
    {
      return "delete it, although it cannot be seen"
    }
    if properties.isDash { return "write '-'" }
    if properties.isXIDContinue {
      return "names are ASCII, so write an attribute's as custom[\"…\"]"
    }
    return "delete it, or put it in quotes"
  }
}
