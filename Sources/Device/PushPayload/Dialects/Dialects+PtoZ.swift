extension Dialect {
  /// AWS Pinpoint, as Amplify's extension reads it: one URL.
  public static let pinpoint = Dialect(
    .pinpoint, signature: ["data.pinpoint", "data.media-url"], media: ["data.media-url"]
  ) {
    $0.deepLink = ["data.pinpoint.deeplink"]
    $0.messageID = ["data.pinpoint.campaign.campaign_id", "data.pinpoint.journey.journey_id"]
  }

  /// Pushwoosh: one URL, and a badge inside `aps` that may have a sign.
  public static let pushwoosh = Dialect(
    .pushwoosh, signature: ["pw_msg", "aps.pw_badge"], media: ["attachment"]
  ) {
    $0.sharedSignature = [.text("attachment")]
    $0.deepLink = ["l"]
    $0.badge = [BadgeRule(.signed, "aps.pw_badge")]
  }

  /// Related Digital, also Visilabs and Euromessage: one picture or movie, and buttons.
  public static let relatedDigital = Dialect(
    .relatedDigital, signature: ["emPushSp", .all("pushType", "pushId")],
    media: [
      .image("mediaUrl", if: .equals("pushType", "Image")),
      MediaRule("mediaUrl", family: .movie, if: .equals("pushType", "Video")),
    ]
  ) {
    $0.buttons = [
      ButtonRule("actions[]", title: ["Title"], url: ["Url"], iconName: "Icon") {
        $0.numbering = "action_"
        $0.countsSkipped = true
        $0.condition = .not(.equals("aps.category", "carousel"))
      }
    ]
    $0.buttonsBesideCategory = .neededForAny
    $0.messageID = ["pushId"]
  }

  /// Reteno, earlier eSputnik: a carousel or one picture, and buttons, as JSON inside strings.
  public static let reteno = Dialect(
    .reteno, signature: ["es_interaction_id", "es_notification_image", "es_notification_images"],
    media: [
      .image("es_notification_images<json>[]"), .image("es_notification_image"),
    ]
  ) {
    $0.buttons = [
      ButtonRule(
        "es_buttons<json>[]", identifier: ["action_id"], title: ["label"],
        url: ["link_raw", "link"],
        iconName: "ios_icon_path"
      ) {
        $0.required = ["action_id"]
      }
    ]
    $0.buttonsBesideCategory = .droppedUnless("ImageCarousel")
    $0.deepLink = ["es_link_raw", "es_link"].map {
      LinkRule($0, if: .not(.equals("es_inapp", "true")))
    }
    $0.messageID = ["es_interaction_id"]
  }

  /// Sailthru Mobile, later Marigold: media under `_st`, the video before the image.
  public static let sailthru = Dialect(
    .sailthru, signature: ["_st"], media: [.movie("_st.video_url"), .image("_st.image_url")]
  ) {
    $0.title = ["title"]
    $0.messageID = ["_nid"]
  }

  /// Salesforce Marketing Cloud: a URL or the name of a bundled file, and its alternative text.
  public static let salesforce = Dialect(
    .salesforce, signature: ["_mediaUrl", "_mediaAlt", "_od"], media: ["_mediaUrl"]
  ) {
    $0.alternativeText = ["_mediaAlt"]
    $0.deepLink = ["_od", "_x"]
    $0.messageID = ["_m"]
  }

  /// Swrve: one URL and a fallback URL with its own link; the texts apply only if media are shown.
  public static let swrve = Dialect(
    .swrve,
    signature: [
      .all("_sw", .textOrNumber("_p"), .not(.atLeast("_sw.version", 2))), "_sd", "_sp",
      .all(.textOrNumber("_p"), "_d"),
    ],
    media: [
      MediaRule(
        "_sw.media", url: "url", alternatives: ["fallback_url"],
        alternativeDeepLink: "fallback_sd", if: .textOrNumber("_p"))
    ]
  ) {
    $0.textCondition = .all("_sw.media.url", .textOrNumber("_p"))
    $0.title = ["_sw.media.title"]
    $0.subtitle = ["_sw.media.subtitle"]
    $0.body = ["_sw.media.body"]
    $0.textNeedsMedia = true
    $0.buttons = [
      ButtonRule(
        "_sw.buttons[]", title: ["title"], url: ["action"], kind: "button_type[]",
        traits: [
          "foreground": .foreground, "destructive": .destructive, "auth-required": .requiresUnlock,
        ], opensAppByDefault: false
      ) {
        $0.countsSkipped = true
        $0.actionPath = "action_type"
        $0.actions = ["open_url": .init(opensURL: true)]
        $0.condition = .textOrNumber("_p")
      }
    ]
    $0.buttonsBesideCategory = .shown
    $0.deepLink = ["_sd", "_d"]
    $0.messageID = ["_p"]
  }

  /// Twilio Engage, from Segment: the first element of an array, buttons, and a badge.
  public static let twilio = Dialect(
    .twilio, signature: ["tapActionButtons", "badgeStrategy", "badgeAmount"], media: ["media?[0]"]
  ) {
    $0.sharedSignature = ["media[0]"]
    $0.buttons = [
      ButtonRule("tapActionButtons[]", identifier: ["id"], title: ["text"], url: ["link"]) {
        $0.required = ["onTap"]
        // The app's library splits the identifier at the hyphen.
        $0.identifierPrefix = "onTap"
      }
    ]
    $0.buttonsBesideCategory = .neededForAny
    $0.deepLink = [
      LinkRule(
        "link", if: .any(.equals("aps.category", "open_url"), .equals("aps.category", "deep_link")))
    ]
    $0.badge = [
      BadgeRule(
        "badgeAmount", strategy: "badgeStrategy",
        operations: ["inc": .add, "dec": .subtract, "set": .set], defaultAmount: 1),
      BadgeRule(.set, "badgeAmount"),
    ]
  }

  /// WebEngage: one picture or a carousel, by the layout that `style` names.
  ///
  /// Its texts (`rt`, `rst`, `rm`) are HTML for WebEngage's view of the expanded notification and replace nothing.
  public static let webEngage = {
    let hasStyle = { (styles: [String]) in
      Signature.any(styles.map { .equals("expandableDetails.style", $0) })
    }
    let isCarousel = hasStyle(["CAROUSEL_V1"])
    let isPicture = hasStyle(["BIG_PICTURE", "OVERLAY", "RATING_V1"])
    return Dialect(
      .webEngage, signature: [.equals("source", "webengage")],
      media: [
        MediaRule("expandableDetails.items[]", url: "image", family: .image, if: isCarousel),
        .image("expandableDetails.image", if: isPicture),
      ]
    ) {
      $0.messageID = ["notification_id"]
    }
  }()

  /// WonderPush: any number of URLs with types, and buttons.
  public static let wonderPush = Dialect(
    .wonderPush, signature: ["_wp"],
    media: [
      MediaRule("_wp.attachments[]", url: "url", identifier: "id", type: .any("type"))
    ]
  ) {
    $0.buttons = [
      ButtonRule(
        "_wp.alert.buttons[]", title: ["label"], url: ["targetUrl", "actions[0].url"]
      ) {
        $0.numbering = "WonderPush_"
        $0.commandPrefixes = ["wonderpush://"]
      }
    ]
    $0.buttonsBesideCategory = .shown
    $0.deepLink = [
      LinkRule("_wp.targetUrl", if: .not(.hasPrefix("_wp.targetUrl", "wonderpush://")))
    ]
    $0.messageID = ["_wp.n"]
  }
}
