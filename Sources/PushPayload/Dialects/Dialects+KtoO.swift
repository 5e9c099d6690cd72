extension Dialect {
  /// Klaviyo: one URL and its file extension, buttons, and a badge that is set or incremented.
  public static let klaviyo = Dialect(
    .klaviyo, signature: ["rich-media", "body._k"],
    media: [MediaRule("rich-media", type: .suffix("$.rich-media-type"))]
  ) {
    $0.buttons = [
      ButtonRule("body.action_buttons[]", identifier: ["id"], title: ["label"], url: ["url"])
    ]
    $0.deepLink = ["url"]
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
    $0.badge = [BadgeRule(.add, "custom.badge_inc")]
  }

  /// Leanplum: one URL.
  public static let leanplum = Dialect(
    .leanplum, signature: ["LP_URL", "_lpm", "_lpu", "_lpn", "_lpv"], media: ["LP_URL"]
  ) {
    $0.messageID = ["_lpm", "_lpu", "_lpn", "_lpv"]
  }

  /// Mapp Engage: one URL.
  public static let mapp = Dialect(.mapp, media: ["ios_apx_media"])

  /// Mindbox: one picture, a link, and buttons.
  public static let mindbox = Dialect(
    .mindbox, signature: ["imageUrl", "clickUrl", "uniqueKey"], media: [.image("imageUrl")]
  ) {
    $0.buttons = [
      ButtonRule("buttons[]", identifier: ["uniqueKey"], title: ["text"], url: ["url"])
    ]
    $0.deepLink = ["clickUrl"]
    $0.messageID = ["uniqueKey"]
  }

  /// Mixpanel, whose push service has ended: one URL, buttons, and a link.
  public static let mixpanel = Dialect(
    .mixpanel, signature: ["mp_media_url", "mp_buttons", "mp_ontap"], media: ["mp_media_url"]
  ) {
    $0.buttons = [
      ButtonRule("mp_buttons[]", identifier: ["id"], title: ["lbl"], url: ["ontap.uri"])
    ]
    $0.deepLink = ["mp_ontap.uri"]
  }

  /// MotiSig: one picture, which may also be under the keys of other vendors.
  public static let motiSig = Dialect(
    .motiSig, signature: ["_motisig"],
    media: [
      .image("_motisig.imageUrl"), .image("_motisig.image_url"), .image("_motisig.image"),
      .image("_richContent.image"), .image("fcm_options.image"), .image("image"),
      .image("imageUrl"), .image("image_url"),
    ]
  ) {
    $0.messageID = ["_motisig.messageId", "messageId"]
  }

  /// Notifee: a list of URLs with type hints and thumbnail options, or one picture; and texts.
  public static let notifee = Dialect(
    .notifee, signature: ["notifee_options"],
    media: [
      MediaRule(
        "notifee_options.ios.attachments[]", url: "url", identifier: "id",
        type: .identifier("typeHint"),
        thumbnail: ThumbnailRule(
          hidden: "thumbnailHidden", crop: "thumbnailClippingRect", time: "thumbnailTime")),
      .image("notifee_options.image"),
    ]
  ) {
    $0.title = ["notifee_options.title"]
    $0.body = ["notifee_options.body"]
    $0.messageID = ["notifee_options.id"]
  }

  /// OneSignal: URLs, or names of bundled files, by identifier, in three generations of keys.
  public static let oneSignal = {
    // A button's keys are `i`, `n` and `path` in new payloads, `id` and `text` in old ones.
    let buttons: [PayloadPath] = [
      "os_data.buttons?.o[]", "os_data.buttons[]", "buttons[]", "actionbuttons[]", "o[]",
    ]
    return Dialect(
      .oneSignal, signature: ["os_data", "custom.i", "att", "at"],
      media: ["os_data.att{}", "att{}", "at{}", "os_data.buttons?.at{}"]
    ) {
      $0.title = ["m?.title", "os_data.buttons?.m?.title"]
      $0.subtitle = ["m?.subtitle", "os_data.buttons?.m?.subtitle"]
      $0.body = ["m?", "m?.body", "os_data.buttons?.m?", "os_data.buttons?.m?.body"]
      $0.buttons = buttons.map {
        ButtonRule(
          $0, identifier: ["i", "id"], title: ["n", "text"], iconName: "path",
          iconType: "icon_type")
      }
      $0.deepLink = ["os_data.u", "custom.u"]
      $0.messageID = ["os_data.i", "custom.i"]
      $0.badge = [BadgeRule(.add, "os_data.badge_inc"), BadgeRule(.add, "custom.badge_inc")]
    }
  }()
}
