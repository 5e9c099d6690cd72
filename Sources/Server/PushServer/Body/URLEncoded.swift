import Foundation

/// The encoding of HTML forms and of queries, `application/x-www-form-urlencoded` (URL Standard, section 5.2).
enum URLEncoded {
  static let mediaType = "application/x-www-form-urlencoded"

  private static let plain = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

  /// Encodes a name or a value; a space becomes `%20`, which all readers accept.
  static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  static func encode(_ fields: [(name: String, value: String)]) -> String {
    fields.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
  }
}
