extension Dialect.ID {
  /// Dengage: `messageSource`.
  public static let dengage = Self(rawValue: "dengage")
}

extension Dialect {
  /// Dengage: one picture, buttons, and a title and a subtitle, which replace those of the alert if both are present.
  public static let dengage = Dialect(
    .dengage, signature: [.equals("messageSource", "DENGAGE")], media: [.image("urlImageString")]
  ) {
    $0.textCondition = .all("title", "subtitle")
    $0.title = ["title"]
    $0.subtitle = ["subtitle"]
    $0.buttons = [
      ButtonRule("actionButtons[]", identifier: ["id"], title: ["text"], url: ["targetUrl"]) {
        $0.required = ["id"]
      }
    ]
    $0.buttonsBesideCategory = .neededForAny
    $0.deepLink = ["targetUrl"]
    $0.messageID = ["messageId"]
  }
}
