package import NotificationTemplates
import PushPayload

/// A template and its files, which a content extension shows in place of the system's expanded view.
package struct ExpandedTemplate: Codable, Sendable {
  /// A button below the notification.
  package struct Button: Codable, Sendable {
    package var id: String
    package var title: String

    package init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  private var document: Document
  /// The template, without the media that are not ready.
  package var template: NotificationTemplate { document.template }
  /// The paths of media by their identifiers; an empty path stands for a medium that is still loading.
  package var files: [String: String]
  /// The paths of pictures that stand for movies, by the identifiers of the movies.
  package var posters: [String: String] = [:]
  /// The buttons that the system draws.
  package var buttons: [Button]
  /// The time at which it is shown, in seconds since 1970.
  package var now: Double
  /// Whether web pages are shown.
  package var showsWebPages = false

  package init(
    _ template: NotificationTemplate, files: [String: String] = [:], buttons: [Button] = [],
    now: Double
  ) {
    document = Document(template: template)
    self.files = files
    self.buttons = buttons
    self.now = now
  }

  /// The paths of the movies by their identifiers.
  package var movies: [String: String] {
    let movies = Set(template.media.filter { $0.kind == .video }.map(\.id))
    return files.filter { movies.contains($0.key) && !$0.value.isEmpty }
  }

  /// The file or the picture of a medium that can be drawn.
  package func picture(of media: TemplateMedia) -> String? {
    media.kind == .video ? posters[media.id] : files[media.id]
  }
}

/// A template as the JSON of `_martlet.template`, the form in which the drawing process receives it.
private struct Document: Codable {
  var template: NotificationTemplate

  init(template: NotificationTemplate) { self.template = template }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let payload: JSONValue = [
      "aps": ["category": "expanded"],
      "_martlet": ["template": try JSONValue(parsing: try container.decode(String.self))],
    ]
    guard let template = TemplateTable.standard.read(payload, delivered: 0).template else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a template")
    }
    self.template = template
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: template.json.bytes, as: UTF8.self))
  }
}
