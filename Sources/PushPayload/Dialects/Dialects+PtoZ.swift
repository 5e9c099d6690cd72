extension Dialect {
  /// AWS Pinpoint, as Amplify's extension reads it: one URL.
  public static let pinpoint = Dialect(.pinpoint, media: ["data.media-url"])

  /// Pushwoosh: one URL, and a badge inside `aps` that may have a sign.
  public static let pushwoosh = Dialect(
    .pushwoosh, signature: ["attachment", "aps.pw_badge"], media: ["attachment"]
  ) {
    $0.badge = [BadgeRule(.signed, "aps.pw_badge")]
  }

  /// Reteno, earlier eSputnik: one picture, or a carousel and buttons as JSON inside a string.
  public static let reteno = Dialect(
    .reteno, signature: ["es_notification_image", "es_notification_images", "es_interaction_id"],
    media: [.image("es_notification_image"), .image("es_notification_images<json>[]")]
  ) {
    $0.buttons = [
      ButtonRule(
        "es_buttons<json>[]", identifier: ["action_id", "id"], title: ["label", "title"],
        url: ["link", "url"])
    ]
    $0.deepLink = ["es_link", "es_link_raw"]
    $0.messageID = ["es_interaction_id"]
  }

  /// Sailthru Mobile, later Marigold: media under `_st`, the video before the image.
  public static let sailthru = Dialect(
    .sailthru, signature: ["_st"], media: [.movie("_st.video_url"), .image("_st.image_url")]
  ) {
    $0.title = ["title"]
    $0.subtitle = ["subtitle"]
    $0.body = ["body"]
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

  /// Swrve: one URL and a fallback URL with its own link; the texts apply only where media are shown.
  public static let swrve = Dialect(
    .swrve, signature: ["_sw", "_p"],
    media: [
      MediaRule(
        "_sw.media", url: "url", alternatives: ["fallback_url"],
        alternativeDeepLink: "fallback_sd")
    ]
  ) {
    $0.title = ["_sw.media.title"]
    $0.subtitle = ["_sw.media.subtitle"]
    $0.body = ["_sw.media.body"]
    $0.textNeedsMedia = true
    $0.buttons = [
      ButtonRule(
        "_sw.buttons[]", title: ["title"], url: ["action"], kind: "button_type[]",
        traits: [
          "foreground": .foreground, "destructive": .destructive, "auth-required": .requiresUnlock,
        ], opensAppByDefault: false)
    ]
    $0.deepLink = ["_sd", "_d"]
    $0.messageID = ["_p"]
  }

  /// Twilio Engage, from Segment: an array, of which the first element is read; buttons, and a badge.
  public static let twilio = Dialect(
    .twilio, signature: ["media[0]", "tapActionButtons", "badgeStrategy"], media: ["media[0]"]
  ) {
    $0.buttons = [
      ButtonRule("tapActionButtons[]", identifier: ["id"], title: ["text"], url: ["link"])
    ]
    $0.deepLink = ["link"]
    $0.badge = [
      BadgeRule(
        "badgeAmount", strategy: "badgeStrategy",
        operations: ["inc": .add, "dec": .subtract, "set": .set])
    ]
  }

  /// WebEngage: one picture or a carousel, and texts; `style` names a layout.
  public static let webEngage = Dialect(
    .webEngage, signature: [.equals("source", "webengage"), "expandableDetails"],
    media: [
      .image("expandableDetails.image"),
      MediaRule("expandableDetails.items[]", url: "image", family: .image),
    ]
  ) {
    $0.title = ["expandableDetails.rt"]
    $0.subtitle = ["expandableDetails.rst"]
    $0.body = ["expandableDetails.rm"]
    $0.messageID = ["notification_id"]
  }
}
