import Foundation
import PushPayload

extension PushToken {
  /// A kind of text that is mistaken for an APNs token.
  struct ForeignForm {
    /// The kind with its article, which follows "is" in the message.
    var name: String
    /// An instruction for getting the APNs token.
    var advice: String
  }

  /// Returns the kind of a text that is not an APNs token; `nil` if the kind is unknown.
  static func foreignForm(of text: String) -> ForeignForm? {
    // Longer texts are of no known kind.
    guard text.utf8.count <= 4096 else { return nil }
    return ofService(text) ?? ofData(text) ?? ofSpelling(text)
  }

  /// Recognizes tokens of other services, each of which stands for an APNs token.
  ///
  /// Sources: firebase.google.com, "Best practices for FCM registration token management";
  /// docs.expo.dev, "Notifications".
  private static func ofService(_ text: String) -> ForeignForm? {
    if ["ExponentPushToken[", "ExpoPushToken["].contains(where: text.hasPrefix) {
      return ForeignForm(
        name: "a push token of Expo, to which only Expo can send",
        advice: "give the APNs token, which the app has from getDevicePushTokenAsync()")
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.last?.hasPrefix("APA91b") == true else { return nil }
    return ForeignForm(
      name: "a registration token of Firebase, to which only Firebase can send",
      advice: "give the APNs token, which the app has as Messaging.messaging().apnsToken")
  }

  /// Recognizes texts that apps made with `description` of the token's `Data`.
  private static func ofData(_ text: String) -> ForeignForm? {
    let inner = text.dropFirst().dropLast()
    if text.first == "<", text.last == ">", isHex(inner.filter { $0 != " " }) {
      return ForeignForm(
        name: "a description of Data, with angle brackets", advice: "give only its hex digits")
    }
    // Since iOS 13, the text of NSData omits bytes, and that of Data has only their number.
    guard text.hasPrefix("{length") || text.wholeMatch(of: /[0-9]+ bytes/) != nil else {
      return nil
    }
    return ForeignForm(
      name: "a description of Data, which leaves bytes out", advice: bytesAdvice)
  }

  /// Recognizes other encodings of bytes.
  private static func ofSpelling(_ text: String) -> ForeignForm? {
    if text.isUUID {
      return ForeignForm(
        name: "a UUID, which names an installation",
        advice: "give the token that the system gave the app, as hex digits")
    }
    if text.contains(where: \.isWhitespace) {
      let digits = text.filter { !$0.isWhitespace }
      guard !digits.isEmpty, isHex(digits) else { return nil }
      return ForeignForm(name: "a token with spaces", advice: "remove them")
    }
    if text.lowercased().hasPrefix("0x"), isHex(text.dropFirst(2)) {
      return ForeignForm(name: "a token with 0x before it", advice: "remove the 0x")
    }
    // A token has 32 bytes or more, and a shorter text may be any word.
    guard let bytes = base64(text), bytes.count >= 32 else { return nil }
    return ForeignForm(name: "the Base64 of \(bytes.count) bytes", advice: bytesAdvice)
  }

  private static let bytesAdvice = "write each byte of the token as two hex digits"

  /// Decodes Base64 of either alphabet, with or without padding.
  private static func base64(_ text: String) -> Data? {
    var plain = text.replacing("-", with: "+").replacing("_", with: "/")
    if !plain.hasSuffix("=") {
      plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    }
    return Data(base64Encoded: plain)
  }
}
