/// The rule for push tokens: hex digits for Apple, visible ASCII characters for Android.
package enum PushToken {
  /// The refusal of a text that is not a push token.
  package struct Refusal: Error {
    /// The problem and what to do, which follows the name of the text in the message.
    package var reason: String
  }

  /// The most hex digits of a token; Apple does not specify a length.
  private static let digitLimit = 400
  /// The most characters of an Android token.
  private static let characterLimit = 1024

  /// Reads a token in the form that is stored: Apple's in lowercase, Android's unchanged.
  ///
  /// - Throws: ``Refusal``, which names the kind of the text if it is known.
  package static func read(
    _ text: String, platform: String? = nil
  ) throws(Refusal) -> String {
    let count = text.utf8.count
    if count == 0 { throw Refusal(reason: "is empty") }
    if platform == "Android" {
      guard count <= characterLimit, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw Refusal(reason: "must be 1 to \(characterLimit) visible ASCII characters")
      }
      return text
    }
    guard isHex(text) else {
      guard let form = foreignForm(of: text) else {
        throw Refusal(reason: "must be an even number of hex digits, 2 to \(digitLimit)")
      }
      throw Refusal(reason: "is \(form.name); \(form.advice)")
    }
    guard count <= digitLimit else {
      throw Refusal(reason: "has \(count) hex digits; at most \(digitLimit) are taken")
    }
    guard count.isMultiple(of: 2) else {
      throw Refusal(reason: "has \(count) hex digits, an odd number; write two for each byte")
    }
    return text.lowercased()
  }

  /// Reads the token of a request's body.
  ///
  /// - Throws: ``RequestError`` with the path.
  static func read(_ field: BodyValue, platform: String? = nil) throws(RequestError) -> String {
    let text = try field.string()
    do throws(Refusal) { return try read(text, platform: platform) } catch {
      throw .refused(field.path, error.reason)
    }
  }

  /// Returns the beginning of a token, of 8 to 400 hex digits, in lowercase; `nil` if the text is
  /// not one.
  static func prefix(_ text: String) -> String? {
    (8...digitLimit).contains(text.utf8.count) && isHex(text) ? text.lowercased() : nil
  }

  /// Whether a text has only hex digits, in any letter case.
  static func isHex(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
      default: false
      }
    }
  }
}
