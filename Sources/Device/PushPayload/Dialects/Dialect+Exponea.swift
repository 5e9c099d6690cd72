extension Dialect.ID {
  /// Bloomreach, earlier Exponea: `source` with the value `xnpe_platform`.
  public static let exponea = Self(rawValue: "exponea")
}

extension Dialect {
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
}
