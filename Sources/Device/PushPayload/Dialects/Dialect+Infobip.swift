extension Dialect.ID {
  /// Infobip: `internalData`.
  public static let infobip = Self(rawValue: "infobip")
}

extension Dialect {
  /// Infobip: one URL in a list.
  public static let infobip = Dialect(
    .infobip, signature: ["internalData"], media: ["internalData.atts[0].url"]
  ) {
    $0.deepLink = ["internalData.webViewUrl", "internalData.browserUrl", "internalData.deeplink"]
    $0.messageID = ["messageId"]
  }
}
