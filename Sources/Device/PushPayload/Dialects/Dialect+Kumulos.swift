extension Dialect.ID {
  /// Kumulos, later Optimove: `attachments.pictureUrl`.
  public static let kumulos = Self(rawValue: "kumulos")
}

extension Dialect {
  /// Kumulos, later Optimove: one picture, buttons with icons, and a badge that is incremented.
  public static let kumulos = Dialect(
    .kumulos,
    signature: [
      "attachments.pictureUrl", #"custom.a.k\.message"#, #"custom.a.k\.buttons"#,
      #"custom.a.k\.deepLink"#,
    ],
    media: [.image("attachments.pictureUrl")]
  ) {
    $0.buttons = [
      ButtonRule(
        #"custom.a.k\.buttons[]"#, identifier: ["id"], title: ["text"], iconName: "icon.id",
        iconType: "icon.type")
    ]
    $0.deepLink = ["custom.u"]
    $0.messageID = [#"custom.a.k\.message.data.id"#]
    $0.badge = [
      BadgeRule(
        .add, "custom.badge_inc",
        if: .all("aps.badge", .not(.atLeast("aps.content-available", 1))))
    ]
  }
}
