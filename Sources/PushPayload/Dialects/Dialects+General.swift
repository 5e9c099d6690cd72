extension Dialect {
  /// This project's own: any number of media, each with its type, its hash and what stands in.
  public static let martlet = Dialect(
    .martlet, signature: ["_martlet"],
    media: [
      MediaRule(
        "_martlet.media[]", url: "url", type: .any("type"), alternatives: ["alternative_url"],
        posters: ["poster_url"], sha256: "sha256")
    ]
  ) {
    $0.alternativeText = ["_martlet.alternative_text"]
    $0.title = ["_martlet.title"]
    $0.subtitle = ["_martlet.subtitle"]
    $0.body = ["_martlet.body"]
    // By the names of Apple's `UNNotificationActionOptions`; without any, a button stays outside.
    $0.buttons = [
      ButtonRule(
        "_martlet.buttons[]", identifier: ["id"], title: ["title"], url: ["url"],
        kind: "options[]",
        traits: [
          "foreground": .foreground, "destructive": .destructive,
          "authentication_required": .requiresUnlock,
        ], opensAppByDefault: false)
    ]
    $0.messageID = ["_nid"]
  }

  /// A much copied tutorial: one picture, inside `aps` or beside it, often sent through JPush.
  public static let imageAbsoluteString = Dialect(
    .imageAbsoluteString,
    media: [.image("aps.imageAbsoluteString"), .image("imageAbsoluteString")]
  ) {
    $0.messageID = ["_j_msgid"]
  }

  /// Habits of no vendor in particular, seen in many apps.
  public static let generic = Dialect(
    .generic,
    media: [
      "attachment-url", "data?.attachment-url", "aps.data?.attachment-url", .image("image-url"),
      MediaRule("my-attachment", type: .any("$.mediaType", "$.media_type")),
      .movie("data?.video"), .image("data?.picture"), "data?.url",
    ])

  /// A dialect of keys that the app names.
  ///
  /// - Parameters:
  ///   - media: Where media URLs stand, the preferred first.
  ///   - alternativeText: Where the text stands that becomes the body when media fail.
  ///   - title: Where a new title stands.
  ///   - subtitle: Where a new subtitle stands.
  ///   - body: Where a new body stands.
  /// - Returns: The dialect; put it first in a table, so that the app's own keys win.
  public static func custom(
    media: [PayloadPath], alternativeText: [PayloadPath] = [], title: [PayloadPath] = [],
    subtitle: [PayloadPath] = [], body: [PayloadPath] = []
  ) -> Dialect {
    let places = media + alternativeText + title + subtitle + body
    return Dialect(
      .custom, signature: places.map(Signature.present), media: media.map { MediaRule($0) }
    ) {
      $0.alternativeText = alternativeText
      $0.title = title
      $0.subtitle = subtitle
      $0.body = body
    }
  }
}
