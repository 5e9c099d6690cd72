/// What the service extension did with a notification, in the form of the server's API.
///
/// It has named fields only: no text, no URL, and nothing of the person.
package struct ReceiptTrace: Hashable, Sendable, Codable {
  /// The result of one medium.
  package struct Medium: Hashable, Sendable, Codable {
    package var result: String
    package var reason: String?
    package var status: Int?
  }

  /// The most media in a trace.
  private static let mediaLimit = 10

  /// The id of the dialect that the payload was read with.
  package var dialect: String?
  /// `ok`, or the reason why the payload could not be decrypted; `nil` if it was not encrypted.
  package var decryption: String?
  /// `enriched`, `untouched` or `withheld`.
  package var content: String
  /// Whether a Focus silenced notifications; `nil` if the app does not tell.
  package var focused: Bool?
  package var media: [Medium]?

  init(of content: EnrichedContent, isFocused: Bool?) {
    dialect = content.isUntouched ? nil : content.dialect.rawValue
    decryption = content.decryption
    self.content = content.isWithheld ? "withheld" : content.isUntouched ? "untouched" : "enriched"
    focused = isFocused
    let results = content.media.prefix(Self.mediaLimit).map { medium in
      Medium(
        result: medium.result.rawValue, reason: medium.reason?.rawValue,
        status: medium.status.flatMap { (100...599).contains($0) ? $0 : nil })
    }
    media = results.isEmpty ? nil : results
  }
}
