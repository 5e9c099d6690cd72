extension Dialect.ID {
  /// Mindbox: `imageUrl` at the top.
  public static let mindbox = Self(rawValue: "mindbox")
}

extension Dialect {
  /// Mindbox: one picture, a link, and buttons, at the top or, in the old form, inside `aps`.
  public static let mindbox = {
    let isOld = Signature.present("aps.uniqueKey")
    let buttons = { (item: PayloadPath, condition: Signature) in
      ButtonRule(item, identifier: ["uniqueKey"], title: ["text"], url: ["url"]) {
        $0.condition = condition
        $0.required = ["uniqueKey"]
        $0.isAllOrNothing = true
      }
    }
    return Dialect(
      .mindbox, signature: ["uniqueKey", "aps.uniqueKey"],
      media: [
        .image("aps.imageUrl", if: isOld), .image("imageUrl", if: .absent("aps.uniqueKey")),
      ]
    ) {
      $0.sharedSignature = ["imageUrl", "clickUrl"]
      $0.buttons = [
        buttons("aps.buttons[]", .text("aps.uniqueKey")),
        buttons("buttons[]", .all(.text("uniqueKey"), .absent("aps.uniqueKey"))),
      ]
      $0.buttonsBesideCategory = .shown
      $0.deepLink = [
        LinkRule("aps.clickUrl", if: isOld), LinkRule("clickUrl", if: .absent("aps.uniqueKey")),
      ]
      $0.messageID = ["aps.uniqueKey", "uniqueKey"]
    }
  }()
}
