extension Dialect.ID {
  /// WonderPush: `_wp`.
  public static let wonderPush = Self(rawValue: "wonderpush")
}

extension Dialect {
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
