extension Dialect {
  /// Acoustic Campaign, earlier IBM Mobile Customer Engagement: one URL, and a link by the kind of the action.
  public static let acoustic = Dialect(
    .acoustic, signature: ["media-attachment", "notification-action", "category-actions"],
    media: ["media-attachment"]
  ) {
    $0.deepLink = [
      LinkRule("notification-action.value", if: .equals("notification-action.type", "url"))
    ]
  }

  /// Adobe Journey Optimizer: one URL.
  public static let adobe = Dialect(
    .adobe, signature: ["adb_media", "adb_uri", "adb_iam_id"], media: ["adb_media"]
  ) {
    $0.deepLink = ["adb_uri"]
  }

  /// Adobe Campaign Standard: one URL.
  public static let adobeCampaign = Dialect(
    .adobeCampaign, signature: ["_mId", "_dId"], media: ["media-attachment-url"]
  ) {
    $0.sharedSignature = ["media-attachment-url"]
    $0.deepLink = ["uri"]
    $0.messageID = ["_mId"]
  }

  /// Airship: one URL, or several with identifiers, the thumbnail's options, and texts; and the form of Accengage, which
  /// Airship took over.
  public static let airship = {
    let attachment = #"com\.urbanairship\.media_attachment"#
    let path = { PayloadPath(attachment + $0) }
    let thumbnail = ThumbnailRule(
      hidden: PayloadPath("$." + attachment + ".options.hidden"),
      crop: PayloadPath("$." + attachment + ".options.crop"),
      time: PayloadPath("$." + attachment + ".options.time"),
      chosen: PayloadPath("$." + attachment + ".thumbnail_id"))
    let isAccengage = Signature.present(path(".a4sid"))
    return Dialect(
      .airship,
      signature: [
        .present(path("")), #"com\.urbanairship\.metadata"#,
        #"com\.urbanairship\.interactive_actions"#, "a4sid",
      ],
      media: [
        MediaRule(
          path(".acc-atts[]"), url: "att-url", identifier: "att-id", thumbnail: thumbnail,
          if: isAccengage),
        MediaRule(
          path(".urls[]"), url: "url", identifier: "url_id", thumbnail: thumbnail,
          if: .absent(path(".a4sid"))),
        MediaRule(path(".url[]"), thumbnail: thumbnail, if: .absent(path(".urls"))),
      ]
    ) {
      // Airship's decoder wants one of these lists, and ignores texts without any.
      $0.textCondition = .any([".url", ".urls", ".acc-atts"].map { .present(path($0)) })
      $0.title = [path(".content.title")]
      $0.subtitle = [path(".content.subtitle")]
      $0.body = [path(".content.body")]
      $0.deepLink = ["^d", "deep_link_action", "a4surl"]
      $0.messageID = ["_", "a4sid"]
    }
  }()

  /// Appcues: one URL.
  public static let appcues = Dialect(
    .appcues, signature: ["appcues_attachment_url", "appcues_notification_id"],
    media: ["appcues_attachment_url"]
  ) {
    $0.deepLink = [
      LinkRule(
        "appcues_deep_link_url",
        if: .all(
          .text("appcues_notification_id"), .text("appcues_account_id"), .text("appcues_app_id"),
          .text("appcues_user_id")))
    ]
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

  /// Blueshift: a URL for each kind of media, or a carousel; all media are attached.
  public static let blueshift = {
    let isCarousel = Signature.any(
      .equals("aps.category", "carousel"), .equals("aps.category", "carousel_animation"))
    return Dialect(
      .blueshift, signature: [.keyPrefix("bsft_"), "carousel_elements"],
      media: [
        MediaRule("carousel_elements[]", url: "image_url", family: .image, if: isCarousel),
        .image("image_url", if: .not(isCarousel)),
        MediaRule("video_url", family: .movie, if: .not(isCarousel)),
        .image("gif_url", if: .not(isCarousel)),
        MediaRule("audio_url", family: .audio, if: .not(isCarousel)),
      ]
    ) {
      $0.attachesAllKinds = true
      $0.buttons = [
        ButtonRule(
          "actions[]", identifier: ["identifier"], title: ["title"], url: ["deep_link_url"],
          kind: "type",
          traits: [
            "destructive": .destructive, "authenticationRequired": .requiresUnlock,
            "none": .background,
          ]
        ) {
          $0.condition = .not(isCarousel)
          $0.maximumCount = 5
          $0.numbering = "BSPushIdentifier_"
          $0.countsSkipped = true
        }
      ]
      $0.buttonsBesideCategory = .neededForAny
      $0.deepLink = ["clk_url", "deep_link_url"]
      $0.messageID = ["bsft_message_uuid"]
    }
  }()

  /// Braze: one URL and its file suffix.
  public static let braze = Dialect(
    .braze, signature: ["ab", "ab_uri"],
    media: [MediaRule("ab.att", url: "url", type: .suffix("type"))]
  ) {
    $0.deepLink = ["ab_uri"]
  }
}
