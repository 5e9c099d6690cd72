extension Dialect.ID {
  /// Swrve: `_sw`.
  public static let swrve = Self(rawValue: "swrve")
}

extension Dialect {
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
    $0.mediaKeysNameVendor = true
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
}
