extension Dialect.ID {
  /// Notifee: `notifee_options`.
  public static let notifee = Self(rawValue: "notifee")
}

extension Dialect {
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
    $0.mediaKeysNameVendor = true
    $0.title = ["notifee_options.title"]
    $0.subtitle = ["notifee_options.subtitle"]
    $0.body = ["notifee_options.body"]
    $0.category = ["notifee_options.ios.categoryId"]
    $0.badge = [BadgeRule(.set, "notifee_options.ios.badgeCount")]
    $0.messageID = ["notifee_options.id"]
  }
}
