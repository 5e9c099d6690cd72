extension Dialect {
  /// Carnival, the predecessor of Sailthru Mobile: media at the top level, the video before the image.
  ///
  /// Other senders use the same keys, so the title at the top is not Carnival's if the alert has a title.
  public static let carnival = Dialect(
    .carnival, signature: [.all("_st", "video_url"), .all("_st", "image_url")],
    media: [.movie("video_url"), .image("image_url")]
  ) {
    $0.sharedSignature = ["video_url", "image_url"]
    $0.title = ["title"]
    $0.replacesTitle = false
    $0.textCondition = .absent(#"gcm\.message_id"#)
    $0.messageID = ["_nid"]
  }

  /// CleverTap: one URL with its class; or the pictures of a template, at the top or in one JSON string.
  ///
  /// The template's texts and headings (`pt_title`, `pt_bt1`) belong to CleverTap's view of the expanded notification and
  /// replace nothing; `pt_id` names a layout.
  public static let cleverTap = Dialect(
    .cleverTap,
    signature: [
      "ct_mediaUrl", "ct_ContentSlider", "pt_id", "pt_json", "pt_big_img", "pt_gif", "pt_img1",
      .keyPrefix("wzrk_"), .keyPrefix("W$"),
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
    $0.deepLink = ["wzrk_dl", "pt_default_dl", "pt_dl1"]
    $0.messageID = ["wzrk_id"]
  }

  /// Countly: one URL, buttons, and a link.
  public static let countly = Dialect(.countly, signature: ["c.i"], media: ["c.a"]) {
    $0.buttons = [
      ButtonRule("c.b[]", title: ["t"], url: ["l"]) {
        $0.numbering = "CountlyActionIdentifier"
        $0.firstNumber = 1
      }
    ]
    $0.buttonsBesideCategory = .shown
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

  /// Emarsys: a picture or movie at the top level beside `ems`, or the form `APNS_V2` under `notification`.
  public static let emarsys = {
    let isSecond = Signature.equals("ems.version", "APNS_V2")
    let buttons = { (item: PayloadPath) in
      ButtonRule(
        item, identifier: ["id"], title: ["title"], url: ["url"], kind: "type",
        traits: ["Dismiss": .destructive], opensAppByDefault: true
      ) {
        $0.required = ["id"]
        $0.actionPath = "type"
        $0.skipsUnknownActions = true
        $0.actions = [
          "Dismiss": .init(), "OpenExternalUrl": .init(opensURL: true, required: ["url"]),
          "MEAppEvent": .init(required: ["name"]), "MECustomEvent": .init(required: ["name"]),
        ]
      }
    }
    return Dialect(
      .emarsys, signature: ["ems"],
      media: [MediaRule("notification.imageUrl", if: isSecond), MediaRule("image_url")]
    ) {
      $0.buttons = [buttons("notification.actions[]"), buttons("ems.actions[]")]
      $0.buttonsBesideCategory = .shown
      $0.deepLink = [
        LinkRule(
          "notification.defaultAction.url",
          if: .equals("notification.defaultAction.type", "OpenExternalUrl")),
        LinkRule(
          "ems.default_action.url", if: .equals("ems.default_action.type", "OpenExternalUrl")),
      ]
      $0.messageID = ["u<json>.sid", "ems.trackingInfo<json>.sid", "ems.multichannelId"]
    }
  }()

  /// Dengage: one picture, buttons, and a title and a subtitle, which replace those of the alert if both are present.
  public static let dengage = Dialect(
    .dengage, signature: [.equals("messageSource", "DENGAGE")], media: [.image("urlImageString")]
  ) {
    $0.textCondition = .all("title", "subtitle")
    $0.title = ["title"]
    $0.subtitle = ["subtitle"]
    $0.buttons = [
      ButtonRule("actionButtons[]", identifier: ["id"], title: ["text"], url: ["targetUrl"]) {
        $0.required = ["id"]
      }
    ]
    $0.buttonsBesideCategory = .neededForAny
    $0.deepLink = ["targetUrl"]
    $0.messageID = ["messageId"]
  }

  /// Expo: one picture in the app's data, which is `body` of the payload; also at the top or inside `data`.
  public static let expo = Dialect(
    .expo, signature: ["_richContent", "data._richContent", "body._richContent"],
    media: [.image("_richContent.image")]
  ) {
    $0.roots = ["", "data", "body"]
  }

  /// Bloomreach Engagement, earlier Exponea: picture and texts at the top level.
  public static let exponea = Dialect(
    .exponea, signature: [.equals("source", "xnpe_platform")], media: [.image("image")]
  ) {
    $0.title = ["title"]
    $0.body = ["message"]
    $0.buttons = [
      ButtonRule("actions[]", title: ["title"], url: ["url"]) {
        $0.actionPath = "action"
        $0.skipsUnknownActions = true
        $0.actions = [
          "app": .init(numbering: "EXPONEA_ACTION_APP_"),
          "browser": .init(opensURL: true, numbering: "EXPONEA_ACTION_BROWSER_"),
          "deeplink": .init(opensURL: true, numbering: "EXPONEA_ACTION_DEEPLINK_"),
        ]
        $0.isAllOrNothing = true
      }
    ]
    $0.buttonsBesideCategory = .shown
    $0.deepLink = [
      LinkRule("url", if: .any(.equals("action", "browser"), .equals("action", "deeplink")))
    ]
    $0.badge = [BadgeRule(.set, "badge")]
  }

  /// Firebase Cloud Messaging: one URL, which may be a movie although the key is called `image`.
  public static let fcm = Dialect(
    .fcm, signature: ["fcm_options"], media: ["fcm_options.image"]
  ) {
    // Firebase transports an app's own keys as well, so that its mark says nothing about them.
    $0.sharedSignature = [#"gcm\.message_id"#]
    $0.deepLink = [#"gcm\.app_link"#]
    $0.messageID = [#"gcm\.message_id"#]
  }

  /// Home Assistant: an object with the URL and its type, and buttons.
  public static let homeAssistant = Dialect(
    .homeAssistant,
    signature: [
      "webhook_id", "homeassistant", "attachment.content-type", "attachment.hide-thumbnail",
    ],
    media: [
      MediaRule(
        "attachment?", url: "url", type: .any("content-type"),
        thumbnail: ThumbnailRule(hidden: "hide-thumbnail"),
        if: .not(.isTrue("attachment.lazy")))
    ]
  ) {
    $0.sharedSignature = ["attachment.url"]
    $0.buttons = [
      ButtonRule(
        "actions[]", identifier: ["identifier", "action"], title: ["title"], url: ["uri", "url"],
        kind: "activationMode", traits: ["foreground": .foreground], opensAppByDefault: false)
    ]
    $0.buttonsBesideCategory = .droppedUnless("DYNAMIC")
    $0.deepLink = ["url?", "url?._", "uri", "clickAction"]
  }

  /// Infobip: one URL in a list.
  public static let infobip = Dialect(
    .infobip, signature: ["internalData"], media: ["internalData.atts[0].url"]
  ) {
    $0.deepLink = ["internalData.webViewUrl", "internalData.browserUrl", "internalData.deeplink"]
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
        iconType: "actionIcon.iconType"
      ) {
        $0.condition = .text("itbl.messageId")
        $0.required = ["identifier"]
        $0.actionPath = "action.type"
        $0.actions = ["openUrl": .init(opensURL: true)]
      }
    ]
    $0.deepLink = [
      LinkRule("itbl.defaultAction.data", if: .equals("itbl.defaultAction.type", "openUrl")),
      LinkRule("url", if: .absent("itbl.defaultAction")),
    ]
    $0.messageID = ["itbl.messageId"]
  }
}
