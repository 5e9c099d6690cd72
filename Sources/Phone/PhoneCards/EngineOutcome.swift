package import RichNotifications

/// The part of the engine's result that reports and cards need.
package struct EngineOutcome: Codable, Sendable {
  package struct Button: Codable, Sendable {
    package var identifier: String
    package var url: String?
  }

  package struct Media: Codable, Sendable {
    package var url: String
    package var result: String
    package var reason: String?
    package var status: Int?
    package var bytes: Int64
  }

  /// A medium of the payload's template.
  package struct TemplateMedium: Codable, Sendable {
    package var id: String
    package var url: String
    /// The reason why the medium is missing; `nil` if it is ready.
    package var reason: String?
  }

  package var dialect: String
  package var decryption: String?
  package var buttons: [Button]
  /// The URL of each attached file, as the payload writes it.
  package var attachments: [String]
  package var media: [Media]
  /// The media of the payload's template, in the order in which it needs them.
  package var templateMedia: [TemplateMedium]

  package init(_ content: EnrichedContent) {
    dialect = content.dialect.rawValue
    decryption = content.decryption
    buttons = content.buttons.map { Button(identifier: $0.identifier, url: $0.url) }
    attachments = content.attachments.map(\.url)
    media = content.media.map {
      Media(
        url: $0.url, result: $0.result.rawValue, reason: $0.reason?.rawValue, status: $0.status,
        bytes: $0.bytes)
    }
    templateMedia = content.templateMedia.map {
      TemplateMedium(id: $0.id, url: $0.url, reason: $0.reason?.rawValue)
    }
  }
}
