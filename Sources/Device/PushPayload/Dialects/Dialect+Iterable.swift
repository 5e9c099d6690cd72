extension Dialect.ID {
  /// Iterable: `itbl`.
  public static let iterable = Self(rawValue: "iterable")
}

extension Dialect {
  /// Iterable: one URL, and buttons of every kind.
  public static let iterable = Dialect(
    .iterable, signature: ["itbl"], media: ["itbl.attachment-url"]
  ) {
    $0.mediaKeysNameVendor = true
    $0.buttons = [
      ButtonRule(
        "itbl.actionButtons[]", identifier: ["identifier"], title: ["title"],
        url: ["action.data"], kind: "buttonType",
        traits: ["destructive": .destructive, "textInput": .textInput], opensApp: "openApp",
        requiresUnlock: "requiresUnlock", inputTitle: "inputTitle",
        inputPlaceholder: "inputPlaceholder", iconName: "actionIcon.imageName",
        iconType: "actionIcon.iconType"
      ) {
        $0.condition = .text("itbl.messageId")
        $0.required = ["identifier"]
        $0.actionPath = "action.type"
        $0.actions = ["openUrl": .init(opensURL: true)]
      }
    ]
    $0.deepLink = [
      LinkRule("itbl.defaultAction.data", if: .equals("itbl.defaultAction.type", "openUrl")),
      LinkRule("url", if: .absent("itbl.defaultAction")),
    ]
    $0.messageID = ["itbl.messageId"]
  }
}
