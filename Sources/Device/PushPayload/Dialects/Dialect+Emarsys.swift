extension Dialect.ID {
  /// Emarsys: `ems`.
  public static let emarsys = Self(rawValue: "emarsys")
}

extension Dialect {
  /// Emarsys: a picture or movie at the top level beside `ems`, or the form `APNS_V2` under `notification`.
  public static let emarsys = {
    let isSecond = Signature.equals("ems.version", "APNS_V2")
    let buttons = { (item: PayloadPath) in
      ButtonRule(
        item, identifier: ["id"], title: ["title"], url: ["url"], kind: "type",
        traits: ["Dismiss": .destructive], opensAppByDefault: true
      ) {
        $0.required = ["id"]
        $0.actionPath = "type"
        $0.skipsUnknownActions = true
        $0.actions = [
          "Dismiss": .init(), "OpenExternalUrl": .init(opensURL: true, required: ["url"]),
          "MEAppEvent": .init(required: ["name"]), "MECustomEvent": .init(required: ["name"]),
        ]
      }
    }
    return Dialect(
      .emarsys, signature: ["ems"],
      media: [MediaRule("notification.imageUrl", if: isSecond), MediaRule("image_url")]
    ) {
      $0.buttons = [buttons("notification.actions[]"), buttons("ems.actions[]")]
      $0.buttonsBesideCategory = .shown
      $0.deepLink = [
        LinkRule(
          "notification.defaultAction.url",
          if: .equals("notification.defaultAction.type", "OpenExternalUrl")),
        LinkRule(
          "ems.default_action.url", if: .equals("ems.default_action.type", "OpenExternalUrl")),
      ]
      $0.messageID = ["u<json>.sid", "ems.trackingInfo<json>.sid", "ems.multichannelId"]
    }
  }()
}
