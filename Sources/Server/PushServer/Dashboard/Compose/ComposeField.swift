/// A field of the composer's form, and the JSON paths that belong to it.
enum ComposeField: String, CaseIterable, Sendable {
  case kind, to, title, subtitle, text, link, media, category, sound, badge, relevance, shorten
  case throttle, more, buttons, template, labels
  case sendName = "send_name"
  case messageText = "message_text"
  case alternativeText = "alternative_text"
  case interruptionLevel = "interruption_level"
  case collapseKey = "collapse_key"
  case scheduledAt = "scheduled_at"
  case localTime = "local_time"
  case expiresAt = "expires_at"
  case unpublishAt = "unpublish_at"
  case testDevice = "test_device"

  /// The label of the field, which messages use too.
  var title: String {
    switch self {
    case .kind: "Type"
    case .to: "Audience"
    case .title: "Title"
    case .subtitle: "Subtitle"
    case .text: "Body"
    case .messageText: "Body of the in-app message"
    case .link: "Deep link"
    case .media: "Media URL"
    case .alternativeText: "Fallback text"
    case .template: "Template"
    case .buttons: "Buttons"
    case .category: "Category"
    case .sound: "Sound"
    case .badge: "Badge"
    case .collapseKey: "Collapse ID"
    case .interruptionLevel: "Interruption level"
    case .relevance: "Relevance score"
    case .scheduledAt: "Send at"
    case .localTime: "In each device's local time"
    case .expiresAt: "Expires at"
    case .unpublishAt: "Unpublish at"
    case .throttle: "Rate limit (per second)"
    case .shorten: "Shorten text that exceeds the size limit"
    case .more: "Additional JSON"
    case .testDevice: "Test device or audience"
    case .sendName: "Name"
    case .labels: "Labels"
    }
  }

  /// The ends of JSON paths and the field of each; the first match counts.
  private static let pathSuffixes: [(suffix: String, field: ComposeField)] = [
    ("._martlet.alternative_text", .alternativeText), ("._martlet.buttons", .buttons),
    ("._martlet.template", .template), ("._martlet", .media), ("._st", .media),
    (".card_image_url", .media), (".card_media_url", .media), (".mutable-content", .media),
    (".aps.alert.title", .title), (".title", .title), (".aps.alert.subtitle", .subtitle),
    (".subtitle", .subtitle), (".aps.alert", .text), (".alert", .text),
    (".message.text", .messageText),
    (".category", .category), (".sound", .sound), (".badge", .badge), (".url", .link),
    (".relevance-score", .relevance), (".relevance_score", .relevance),
    (".interruption-level", .interruptionLevel), (".interruption_level", .interruptionLevel),
    (".collapse_key", .collapseKey), (".scheduled_at", .scheduledAt),
    (".local_time", .localTime), (".expires_at", .expiresAt),
    (".unpublish_at", .unpublishAt),
    (".notification.name", .sendName), (".notification.labels", .labels),
    (".throttle_per_second", .throttle), (".to", .to), ("$.more", .more),
  ]

  /// The field to which a JSON path of a request or of the composed payload belongs; `nil` if no field has
  /// the path.
  init?(path: String) {
    let dotted = path.prefix { $0 != "[" }
    var parts = dotted[...]
    // From the whole path to its parents: `$.aps.alert.body` belongs to the field of `$.aps.alert`.
    while !parts.isEmpty {
      if let match = Self.pathSuffixes.first(where: { parts.hasSuffix($0.suffix) }) {
        self = match.field
        return
      }
      parts = parts.lastIndex(of: ".").map { parts[..<$0] } ?? ""
    }
    return nil
  }
}
