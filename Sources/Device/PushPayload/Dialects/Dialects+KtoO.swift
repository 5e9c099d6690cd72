extension Dialect {
  /// Klaviyo: one URL and its file extension, buttons, and a badge that is set or incremented.
  public static let klaviyo = Dialect(
    .klaviyo, signature: ["rich-media", "rich-media-type", "body._k", "badge_config"],
    media: [MediaRule("rich-media", type: .suffix("$.rich-media-type"))]
  ) {
    $0.buttons = [
      ButtonRule("body.action_buttons[]", identifier: ["id"], title: ["label"], url: ["url"]) {
        $0.condition = "body._k"
        $0.required = ["id"]
        $0.actionPath = "action"
        $0.skipsUnknownActions = true
        $0.actions = [
          "deep_link": .init(opensURL: true, required: ["url"]),
          "open_app": .init(excluded: ["url"]),
        ]
      }
    ]
    $0.deepLink = [LinkRule("url", if: "body._k")]
    $0.badge = [
      BadgeRule(
        "badge_value", strategy: "badge_config",
        operations: ["increment_one": .increment, "set_count": .set, "set_property": .set])
    ]
  }

  /// Kumulos, later Optimove: one picture, buttons with icons, and a badge that is incremented.
  public static let kumulos = Dialect(
    .kumulos,
    signature: [
      "attachments.pictureUrl", #"custom.a.k\.message"#, #"custom.a.k\.buttons"#,
      #"custom.a.k\.deepLink"#,
    ],
    media: [.image("attachments.pictureUrl")]
  ) {
    $0.buttons = [
      ButtonRule(
        #"custom.a.k\.buttons[]"#, identifier: ["id"], title: ["text"], iconName: "icon.id",
        iconType: "icon.type")
    ]
    $0.deepLink = ["custom.u"]
    $0.messageID = [#"custom.a.k\.message.data.id"#]
    $0.badge = [
      BadgeRule(
        .add, "custom.badge_inc",
        if: .all("aps.badge", .not(.atLeast("aps.content-available", 1))))
    ]
  }

  /// Leanplum: one URL.
  public static let leanplum = Dialect(
    .leanplum, signature: ["LP_URL", "_lpm", "_lpu", "_lpn", "_lpv"], media: ["LP_URL"]
  ) {
    $0.deepLink = [LinkRule("_lpx.URL", if: .equals("_lpx.__name__", "Open URL"))]
    $0.messageID = ["_lpm", "_lpu", "_lpn", "_lpv"]
  }

  /// Localytics: one URL and its file extension.
  public static let localytics = Dialect(
    .localytics, signature: ["ll_attachment_url", "ll_deep_link_url", "ll"],
    media: [MediaRule("ll_attachment_url", type: .suffix("$.ll_attachment_type"))]
  ) {
    $0.deepLink = ["ll_deep_link_url"]
  }

  /// Mapp Engage: one URL.
  public static let mapp = Dialect(.mapp, media: ["ios_apx_media"])

  /// Mindbox: one picture, a link, and buttons, at the top or, in the old form, inside `aps`.
  public static let mindbox = {
    let isOld = Signature.present("aps.uniqueKey")
    let buttons = { (item: PayloadPath, condition: Signature) in
      ButtonRule(item, identifier: ["uniqueKey"], title: ["text"], url: ["url"]) {
        $0.condition = condition
        $0.required = ["uniqueKey"]
        $0.isAllOrNothing = true
      }
    }
    return Dialect(
      .mindbox, signature: ["uniqueKey", "aps.uniqueKey"],
      media: [
        .image("aps.imageUrl", if: isOld), .image("imageUrl", if: .absent("aps.uniqueKey")),
      ]
    ) {
      $0.sharedSignature = ["imageUrl", "clickUrl"]
      $0.buttons = [
        buttons("aps.buttons[]", .text("aps.uniqueKey")),
        buttons("buttons[]", .all(.text("uniqueKey"), .absent("aps.uniqueKey"))),
      ]
      $0.buttonsBesideCategory = .shown
      $0.deepLink = [
        LinkRule("aps.clickUrl", if: isOld), LinkRule("clickUrl", if: .absent("aps.uniqueKey")),
      ]
      $0.messageID = ["aps.uniqueKey", "uniqueKey"]
    }
  }()

  /// Mixpanel, whose push service has ended: one URL, buttons, and a link.
  public static let mixpanel = Dialect(
    .mixpanel, signature: ["mp", "mp_media_url", "mp_buttons", "mp_ontap"], media: ["mp_media_url"]
  ) {
    $0.buttons = [
      ButtonRule("mp_buttons[]", title: ["lbl"], url: ["ontap.uri"]) {
        $0.numbering = "MP_ACTION_"
        $0.countsSkipped = true
        $0.actionPath = "ontap.type"
        $0.actions = ["browser": .init(opensURL: true), "deeplink": .init(opensURL: true)]
      }
    ]
    $0.deepLink = [
      LinkRule(
        "mp_ontap.uri",
        if: .any(.equals("mp_ontap.type", "browser"), .equals("mp_ontap.type", "deeplink")))
    ]
  }

  /// MoEngage: one URL and its class, and a link of the app's or of a rich landing page.
  public static let moEngage = Dialect(
    .moEngage, signature: ["moengage"],
    media: [MediaRule("moengage.media-attachment", type: .mediaClass("moengage.media-type"))]
  ) {
    $0.deepLink = ["app_extra.moe_deeplink", "moengage.webUrl"]
    $0.messageID = ["moengage.cid"]
  }

  /// MotiSig: one picture, which may also be under the keys of other vendors; Expo's relay has all of it in `body`.
  public static let motiSig = Dialect(
    .motiSig, signature: ["_motisig", "body<json>._motisig"],
    media: [
      .image("_motisig.imageUrl"), .image("_motisig.image_url"), .image("_motisig.image"),
      .image("_richContent.image"), .image("fcm_options.image"), .image("image"),
      .image("imageUrl"), .image("image_url"),
    ]
  ) {
    $0.roots = ["", "body<json>"]
    $0.messageID = ["messageId", "_motisig.messageId"]
  }

  /// Notificare: one URL in an object.
  public static let notificare = Dialect(
    .notificare, signature: [.equals("x-sender", "notificare"), "attachment.uri"],
    media: [MediaRule("attachment?", url: "uri", type: .any("mimeType"))]
  ) {
    $0.messageID = ["notificationId"]
  }

  /// Notifee: the first of a list of URLs with type hints and thumbnail options, or one picture; and texts.
  public static let notifee = Dialect(
    .notifee, signature: ["notifee_options"],
    media: [
      MediaRule(
        "notifee_options.ios.attachments?[0]", url: "url", identifier: "id",
        type: .identifier("typeHint"),
        thumbnail: ThumbnailRule(
          hidden: "thumbnailHidden", crop: "thumbnailClippingRect", time: "thumbnailTime")),
      .image("notifee_options.image", if: .absent("notifee_options.ios.attachments[0]")),
    ]
  ) {
    $0.title = ["notifee_options.title"]
    $0.subtitle = ["notifee_options.subtitle"]
    $0.body = ["notifee_options.body"]
    $0.category = ["notifee_options.ios.categoryId"]
    $0.badge = [BadgeRule(.set, "notifee_options.ios.badgeCount")]
    $0.messageID = ["notifee_options.id"]
  }

  /// ntfy: the message and its title, a picture, and buttons, all of them in strings.
  public static let ntfy = Dialect(
    .ntfy, signature: [.all("topic", .text("id"), .text("time"), .equals("event", "message"))],
    media: [MediaRule("attachment_url", type: .identifier("$.attachment_type"))]
  ) {
    $0.title = ["title"]
    $0.body = ["message"]
    $0.buttons = [
      ButtonRule(
        "actions<json>[]", identifier: ["id"], title: ["label"], url: ["url"], kind: "action",
        traits: ["http": .background]
      ) {
        $0.required = ["id"]
        $0.maximumCount = 4
        $0.actionPath = "action"
        $0.skipsUnknownActions = true
        $0.actions = ["view": .init(opensURL: true), "http": .init()]
      }
    ]
    $0.buttonsBesideCategory = .shown
    $0.deepLink = ["click"]
    $0.messageID = ["id"]
  }

  /// OneSignal: URLs, or names of bundled files, by identifier, in three generations of keys.
  ///
  /// The shortest keys (`m`, `at`, `o`) count only without an alert.
  public static let oneSignal = {
    let isNew = Signature.object("os_data")
    let isOld = Signature.absent("os_data")
    let isMinified = Signature.absent("aps.alert")
    let buttons = { (item: PayloadPath, condition: Signature) in
      ButtonRule(
        item, identifier: ["i", "n"], title: ["n"], iconName: "path", iconType: "icon_type"
      ) {
        $0.reversesTwo = true
        $0.condition = condition
      }
    }
    return Dialect(
      .oneSignal, signature: ["os_data", "custom.i"],
      media: [
        MediaRule("os_data.att{}", if: isNew),
        MediaRule("os_data.buttons?.at{}", if: .all(isNew, isMinified)),
        MediaRule("att{}", if: isOld), MediaRule("at{}", if: .all(isOld, isMinified)),
      ]
    ) {
      $0.trimsURLs = true
      $0.sharedSignature = [.object("att"), .object("at")]
      $0.textCondition = isMinified
      $0.title = ["m?.title", "os_data.buttons?.m?.title"]
      $0.subtitle = ["m?.subtitle", "os_data.buttons?.m?.subtitle"]
      $0.body = ["m?", "m?.body", "os_data.buttons?.m?", "os_data.buttons?.m?.body"]
      $0.buttons = [
        buttons("os_data.buttons?.o[]", isNew), buttons("os_data.buttons[]", isNew),
        buttons("actionbuttons[]", isNew), buttons("buttons[]", isOld),
        buttons("o[]", .all(isOld, isMinified)),
      ]
      $0.deepLink = ["os_data.u", "custom.u"]
      $0.messageID = ["os_data.i", "custom.i"]
      $0.badge = [BadgeRule(.add, "os_data.badge_inc"), BadgeRule(.add, "custom.badge_inc")]
    }
  }()
}
