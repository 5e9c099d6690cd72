extension Dialect {
  /// Carnival, the predecessor of Sailthru Mobile: media at the top level, the video before the image.
  public static let carnival = Dialect(
    .carnival, media: [.movie("video_url"), .image("image_url")]
  ) {
    $0.title = ["title"]
    $0.subtitle = ["subtitle"]
    $0.body = ["body"]
    $0.messageID = ["_nid"]
  }

  /// CleverTap: one URL with its class; or a template, at the top or in one JSON string.
  ///
  /// Keys that end in `_alt_text` are for VoiceOver in CleverTap's own view and are not read; `pt_id` names a
  /// layout.
  public static let cleverTap = Dialect(
    .cleverTap,
    signature: [
      "ct_mediaUrl", "ct_ContentSlider", "pt_id", "pt_json", "pt_big_img", "pt_gif", "pt_img1",
      .keyPrefix("wzrk_"),
    ],
    media: [
      MediaRule("ct_mediaUrl", type: .mediaClass("$.ct_mediaType")),
      MediaRule("pt_gif", family: .image, alternatives: ["$.pt_big_img"]),
      .image("pt_big_img"),
      .image("pt_img#"),
      MediaRule("ct_ContentSlider<json>.items[]", url: "imageUrl", family: .image),
    ]
  ) {
    $0.roots = ["", "pt_json<json>"]
    $0.title = ["pt_title"]
    $0.subtitle = ["pt_subtitle"]
    $0.body = ["pt_msg"]
    $0.buttons = [ButtonRule("pt_bt#")]
    $0.deepLink = ["wzrk_dl", "pt_default_dl", "pt_dl1"]
    $0.messageID = ["wzrk_id"]
  }

  /// Countly: one URL, buttons, and a link.
  public static let countly = Dialect(.countly, signature: ["c.i", "c.a"], media: ["c.a"]) {
    $0.buttons = [ButtonRule("c.b[]", title: ["t"], url: ["l"])]
    $0.deepLink = ["c.l"]
    $0.messageID = ["c.i"]
  }

  /// Customer.io: one picture and a link.
  public static let customerIO = Dialect(
    .customerIO, signature: ["CIO", "CIO-Delivery-ID"], media: [.image("CIO.push.image")]
  ) {
    $0.deepLink = ["CIO.push.link"]
    $0.messageID = ["CIO-Delivery-ID"]
  }

  /// Emarsys: media at the top level, beside the key `ems`.
  public static let emarsys = Dialect(
    .emarsys, signature: ["ems"], media: [.movie("video_url"), .image("image_url")]
  ) {
    $0.buttons = [
      ButtonRule(
        "ems.actions[]", identifier: ["id"], title: ["title"], url: ["url"], kind: "type",
        traits: ["Dismiss": .background])
    ]
    $0.deepLink = ["ems.default_action.url"]
    $0.messageID = ["u<json>.sid", "ems.multichannelId"]
  }

  /// Expo: one picture, at the top or inside `data` or `body`.
  public static let expo = Dialect(
    .expo, signature: ["_richContent", "data._richContent", "body._richContent"],
    media: [.image("_richContent.image")]
  ) {
    $0.roots = ["", "data", "body"]
  }

  /// Bloomreach Engagement, earlier Exponea: picture and texts at the top level.
  public static let exponea = Dialect(
    .exponea, signature: ["image", "has_tracking_consent", "consent_category_tracking"],
    media: [.image("image")]
  ) {
    $0.title = ["title"]
    $0.body = ["message"]
    $0.buttons = [ButtonRule("actions[]", title: ["title"], url: ["url"])]
    $0.deepLink = ["url"]
    $0.badge = [BadgeRule(.set, "badge")]
  }

  /// Firebase Cloud Messaging: one URL, which may be a movie although the key is called `image`.
  public static let fcm = Dialect(
    .fcm, signature: ["fcm_options", #"gcm\.message_id"#], media: ["fcm_options.image"]
  ) {
    $0.messageID = [#"gcm\.message_id"#]
  }

  /// Infobip: one URL in a list.
  public static let infobip = Dialect(
    .infobip, signature: ["internalData"], media: ["internalData.atts[0].url"]
  ) {
    $0.deepLink = ["deeplink", "webViewUrl", "browserUrl"].flatMap {
      [PayloadPath("internalData.\($0)"), PayloadPath($0)]
    }
    $0.messageID = ["messageId"]
  }

  /// Iterable: one URL, and buttons of every kind.
  public static let iterable = Dialect(
    .iterable, signature: ["itbl"], media: ["itbl.attachment-url"]
  ) {
    $0.buttons = [
      ButtonRule(
        "itbl.actionButtons[]", identifier: ["identifier"], title: ["title"],
        url: ["action.data"], kind: "buttonType",
        traits: ["destructive": .destructive, "textInput": .textInput], opensApp: "openApp",
        requiresUnlock: "requiresUnlock", inputTitle: "inputTitle",
        inputPlaceholder: "inputPlaceholder", iconName: "actionIcon.imageName",
        iconType: "actionIcon.iconType")
    ]
    $0.deepLink = ["itbl.defaultAction.data", "url"]
    $0.messageID = ["itbl.messageId"]
  }
}
