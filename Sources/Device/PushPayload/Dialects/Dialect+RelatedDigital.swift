extension Dialect.ID {
  /// Related Digital, also Visilabs and Euromessage: `pushType`.
  public static let relatedDigital = Self(rawValue: "related-digital")
}

extension Dialect {
  /// Related Digital, also Visilabs and Euromessage: one picture or movie, and buttons.
  public static let relatedDigital = Dialect(
    .relatedDigital, signature: ["emPushSp", .all("pushType", "pushId")],
    media: [
      .image("mediaUrl", if: .equals("pushType", "Image")),
      MediaRule("mediaUrl", family: .movie, if: .equals("pushType", "Video")),
    ]
  ) {
    $0.buttons = [
      ButtonRule("actions[]", title: ["Title"], url: ["Url"], iconName: "Icon") {
        $0.numbering = "action_"
        $0.countsSkipped = true
        $0.condition = .not(.equals("aps.category", "carousel"))
      }
    ]
    $0.buttonsBesideCategory = .neededForAny
    $0.messageID = ["pushId"]
  }
}
