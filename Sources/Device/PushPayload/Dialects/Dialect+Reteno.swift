extension Dialect.ID {
  /// Reteno, earlier eSputnik: keys that begin with `es_`.
  public static let reteno = Self(rawValue: "reteno")
}

extension Dialect {
  /// Reteno, earlier eSputnik: a carousel or one picture, and buttons, as JSON inside strings.
  public static let reteno = Dialect(
    .reteno, signature: ["es_interaction_id", "es_notification_image", "es_notification_images"],
    media: [
      .image("es_notification_images<json>[]"), .image("es_notification_image"),
    ]
  ) {
    $0.mediaKeysNameVendor = true
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
}
