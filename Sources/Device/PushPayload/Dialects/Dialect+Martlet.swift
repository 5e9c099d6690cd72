extension Dialect.ID {
  /// Martlet's own: `_martlet`.
  public static let martlet = Self(rawValue: "martlet")
}

extension Dialect {
  /// Martlet's own: any number of media files, each with its type, its hash and its alternatives.
  public static let martlet = Dialect(
    .martlet, signature: ["_martlet"],
    media: [
      MediaRule(
        "_martlet.media[]", url: "url", type: .any("type"), alternatives: ["alternative_url"],
        posters: ["poster_url"], sha256: "sha256")
    ]
  ) {
    $0.mediaKeysNameVendor = true
    $0.alternativeText = ["_martlet.alternative_text"]
    $0.title = ["_martlet.title"]
    $0.subtitle = ["_martlet.subtitle"]
    $0.body = ["_martlet.body"]
    // The words are those of `UNNotificationActionOptions`; a button without `foreground` does not open the app.
    $0.buttons = [
      ButtonRule(
        "_martlet.buttons[]", identifier: ["id"], title: ["title"], url: ["url"],
        kind: "options[]",
        traits: [
          "foreground": .foreground, "destructive": .destructive,
          "authentication_required": .requiresUnlock,
        ], opensAppByDefault: false)
    ]
    $0.messageID = ["_nid"]
  }
}
