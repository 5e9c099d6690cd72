extension Dialect.ID {
  /// Klaviyo: `rich-media`.
  public static let klaviyo = Self(rawValue: "klaviyo")
}

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
}
