import Foundation

/// The text form of keys (RFC 7468).
enum PEM {
  /// The bytes of a text with one of the labels.
  static func bytes(_ text: String, labels: [String]) throws -> [UInt8] {
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
    for label in labels where lines.first == "-----BEGIN \(label)-----" {
      guard lines.last == "-----END \(label)-----",
        let data = Data(base64Encoded: lines.dropFirst().dropLast().joined())
      else { break }
      return Array(data)
    }
    throw CryptoKitASN1Error.invalidPEMDocument
  }

  /// The bytes of a text that OpenSSL wrote.
  static func body(_ text: String) -> [UInt8] {
    let lines = text.split(separator: "\n").dropFirst().dropLast()
    return Array(Data(base64Encoded: lines.joined()) ?? Data())
  }

  /// The text without the line break at its end, as Apple's has none.
  static func trimmed(_ text: String) -> String {
    text.trimmingCharacters(in: .newlines)
  }
}
