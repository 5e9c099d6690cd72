extension Dialect {
  /// Acoustic Campaign, earlier IBM Mobile Customer Engagement: one URL.
  public static let acoustic = Dialect(.acoustic, media: ["media-attachment"])

  /// Adobe Journey Optimizer: one URL.
  public static let adobe = Dialect(
    .adobe, signature: ["adb_media", "adb_uri"], media: ["adb_media"]
  ) {
    $0.deepLink = ["adb_uri"]
  }

  /// Adobe Campaign Standard: one URL.
  public static let adobeCampaign = Dialect(
    .adobeCampaign, signature: ["media-attachment-url", "_mId"], media: ["media-attachment-url"]
  ) {
    $0.deepLink = ["uri"]
    $0.messageID = ["_mId"]
  }

  /// Airship: one URL, or several with identifiers, the thumbnail's options, and texts.
  public static let airship = {
    let attachment = #"com\.urbanairship\.media_attachment"#
    let path = { PayloadPath(attachment + $0) }
    let thumbnail = ThumbnailRule(
      hidden: PayloadPath("$." + attachment + ".options.hidden"),
      crop: PayloadPath("$." + attachment + ".options.crop"),
      time: PayloadPath("$." + attachment + ".options.time"),
      chosen: PayloadPath("$." + attachment + ".thumbnail_id"))
    return Dialect(
      .airship,
      signature: [.present(path("")), #"com\.urbanairship\.metadata"#],
      media: [
        MediaRule(path(".urls[]"), url: "url", identifier: "url_id", thumbnail: thumbnail),
        MediaRule(path(".url[]"), thumbnail: thumbnail),
      ]
    ) {
      $0.title = [path(".content.title")]
      $0.subtitle = [path(".content.subtitle")]
      $0.body = [path(".content.body")]
      $0.messageID = ["_"]
    }
  }()

  /// Appcues: one URL.
  public static let appcues = Dialect(
    .appcues, signature: ["appcues_attachment_url", "appcues_notification_id"],
    media: ["appcues_attachment_url"]
  ) {
    $0.deepLink = ["appcues_deep_link_url"]
    $0.messageID = ["appcues_notification_id"]
  }

  /// Batch: one URL with a type hint, under a key that contains a dot.
  public static let batch = Dialect(
    .batch, signature: [#"com\.batch"#],
    media: [MediaRule(#"com\.batch.at"#, url: "u", type: .identifier("t"))]
  ) {
    $0.deepLink = [#"com\.batch.l"#]
    $0.messageID = [#"com\.batch.i"#]
  }

  /// Blueshift: a URL for each kind of media, or a carousel.
  public static let blueshift = Dialect(
    .blueshift, signature: [.keyPrefix("bsft_")],
    media: [
      .movie("video_url"), .image("gif_url"), .image("image_url"),
      MediaRule("audio_url", family: .audio),
      MediaRule("carousel_elements[]", url: "image_url", family: .image),
    ]
  ) {
    $0.buttons = [ButtonRule("actions[]", identifier: ["identifier"], title: ["title"])]
    $0.deepLink = ["deep_link_url"]
    $0.messageID = ["bsft_message_uuid"]
  }

  /// Braze: one URL and its file suffix.
  public static let braze = Dialect(
    .braze, signature: ["ab", "ab_uri"],
    media: [MediaRule("ab.att", url: "url", type: .suffix("type"))]
  ) {
    $0.deepLink = ["ab_uri"]
  }
}
