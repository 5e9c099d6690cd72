/// The rule for push tokens: hex digits for Apple's, visible ASCII characters for Android's.
package enum PushToken {
  /// Returns a token as it is stored, or `nil` where the text is not a token.
  ///
  /// Apple specifies no length; 2 to 400 hex digits are accepted.
  package static func normalized(_ text: String, platform: String? = nil) -> String? {
    if platform == "Android" {
      let isPlain = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      return isPlain && (1...1024).contains(text.utf8.count) ? text : nil
    }
    guard text.utf8.count.isMultiple(of: 2) else { return nil }
    return hexadecimal(text, 2...400)
  }

  /// Whether a text has the form of a registration token of Firebase: an instance id, a colon and the
  /// token itself.
  ///
  /// Source: firebase.google.com, "Best practices for FCM registration token management".
  static func isOfFirebase(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1].hasPrefix("APA91b")
  }

  static let firebaseAdvice =
    "token is a registration token of Firebase, to which only Firebase can send; import the APNs token,"
    + " which the app has as Messaging.messaging().apnsToken"

  /// Returns the beginning of a token, of 8 to 400 hex digits, in lowercase; `nil` for any other
  /// text.
  static func prefix(_ text: String) -> String? { hexadecimal(text, 8...400) }

  private static func hexadecimal(_ text: String, _ length: ClosedRange<Int>) -> String? {
    guard length.contains(text.utf8.count),
      text.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
          UInt8(ascii: "A")...UInt8(ascii: "F"):
          true
        default: false
        }
      })
    else { return nil }
    return text.lowercased()
  }
}
