extension Dialect.ID {
  /// Home Assistant: an object `attachment`.
  public static let homeAssistant = Self(rawValue: "home-assistant")
}

extension Dialect {
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
}
