extension Dialect.ID {
  /// ntfy: `topic` and `event`.
  public static let ntfy = Self(rawValue: "ntfy")
}

extension Dialect {
  /// ntfy: the message and its title, a picture, and buttons, all of them in strings.
  public static let ntfy = Dialect(
    .ntfy, signature: [.all("topic", .text("id"), .text("time"), .equals("event", "message"))],
    media: [MediaRule("attachment_url", type: .identifier("$.attachment_type"))]
  ) {
    $0.title = ["title"]
    $0.body = ["message"]
    $0.buttons = [
      ButtonRule(
        "actions<json>[]", identifier: ["id"], title: ["label"], url: ["url"], kind: "action",
        traits: ["http": .background]
      ) {
        $0.required = ["id"]
        $0.maximumCount = 4
        $0.actionPath = "action"
        $0.skipsUnknownActions = true
        $0.actions = ["view": .init(opensURL: true), "http": .init()]
      }
    ]
    $0.buttonsBesideCategory = .shown
    $0.deepLink = ["click"]
    $0.messageID = ["id"]
  }
}
