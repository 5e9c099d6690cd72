extension Dialect {
  /// Martlet's own: any number of media files, each with its type, its hash and its alternatives.
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
    // The words are those of `UNNotificationActionOptions`; a button without `foreground` does not open the app.
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

  /// A tutorial that many apps copied: one picture, inside `aps` or beside it, often sent through JPush.
  public static let imageAbsoluteString = Dialect(
    .imageAbsoluteString, signature: [],
    media: [.image("aps.imageAbsoluteString"), .image("imageAbsoluteString")]
  ) {
    $0.sharedSignature = ["aps.imageAbsoluteString", "imageAbsoluteString"]
    $0.messageID = ["_j_msgid"]
  }

  /// Keys of no vendor in particular that the extensions of many apps read; they replace no text.
  public static let generic = {
    let media: [MediaRule] = [
      "attachment-url", "media-url", "media_url", "mediaUrl", .image("urlImageString"),
      .image("image-url"), "video-url", #"gcm\.notification\.image"#, "aps.fcm_options.image",
      "data?.fcm_options.image", "data?.attachment-url", "aps.data?.attachment-url",
      "aps.attachment-url", .image("aps.image?"), .image("aps.imageUrl"), .image("aps.image_url"),
      .image("image?"), .image("data?.image?"),
      MediaRule("my-attachment", type: .any("$.mediaType", "$.media_type")),
      .movie("data?.video"), .image("data?.picture"), "data?.url",
    ]
    return Dialect(.generic, signature: [], media: media) {
      $0.sharedSignature = media.map { .present($0.item) }
      $0.messageID = [#"gcm\.message_id"#]
    }
  }()

  /// Makes a dialect of the app's own keys.
  ///
  /// - Parameters:
  ///   - media: The paths of media URLs, the preferred first.
  ///   - alternativeText: The paths of the text that replaces the body if the media cannot be shown.
  ///   - title: The paths of the text that replaces the title.
  ///   - subtitle: The paths of the text that replaces the subtitle.
  ///   - body: The paths of the text that replaces the body.
  /// - Returns: The dialect; put it first in a table with ``DialectTable/preceded(by:)``, so that the app's own
  ///   keys are preferred.
  public static func custom(
    media: [PayloadPath], alternativeText: [PayloadPath] = [], title: [PayloadPath] = [],
    subtitle: [PayloadPath] = [], body: [PayloadPath] = []
  ) -> Dialect {
    let paths = media + alternativeText + title + subtitle + body
    return Dialect(
      .custom, signature: paths.map(Signature.present), media: media.map { MediaRule($0) }
    ) {
      $0.alternativeText = alternativeText
      $0.title = title
      $0.subtitle = subtitle
      $0.body = body
    }
  }
}
