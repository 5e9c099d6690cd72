extension Dialect.ID {
  /// Keys of no vendor in particular: `attachment-url`, `data.picture`.
  public static let generic = Self(rawValue: "generic")
}

extension Dialect {
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
}
