/// A field of the composer, by its name in the form, and where what it says stands in JSON.
enum ComposeField: String, CaseIterable, Sendable {
  case kind, to, title, subtitle, text, link, media, category, sound, badge, relevance, shorten
  case throttle, more, buttons
  case messageText = "message_text"
  case alternativeText = "alternative_text"
  case interruptionLevel = "interruption_level"
  case collapseKey = "collapse_key"
  case scheduledAt = "scheduled_at"
  case localTime = "local_time"
  case expiresAt = "expires_at"
  case unpublishAt = "unpublish_at"
  case testDevice = "test_device"

  /// What comes last in a path decides; the first that fits.
  private static let places: [(suffix: String, field: ComposeField)] = [
    ("._martlet.alternative_text", .alternativeText), ("._martlet.buttons", .buttons),
    ("._martlet", .media), ("._st", .media),
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
    (".throttle_per_second", .throttle), (".to", .to), ("$.more", .more),
  ]

  /// The field that a JSON path is about, of a request or of the composed payload; `nil` where none
  /// is.
  init?(path: String) {
    let dotted = path.prefix { $0 != "[" }
    var parts = dotted[...]
    // From the whole path to its beginnings: `$.aps.alert.body` is about the alert.
    while !parts.isEmpty {
      if let place = Self.places.first(where: { parts.hasSuffix($0.suffix) }) {
        self = place.field
        return
      }
      parts = parts.lastIndex(of: ".").map { parts[..<$0] } ?? ""
    }
    return nil
  }
}
