extension Dialect.ID {
  /// Salesforce Marketing Cloud: `_mediaUrl`, `_mediaAlt`.
  public static let salesforce = Self(rawValue: "salesforce")
}

extension Dialect {
  /// Salesforce Marketing Cloud: a URL or the name of a bundled file, and its alternative text.
  public static let salesforce = Dialect(
    .salesforce, signature: ["_mediaUrl", "_mediaAlt", "_od"], media: ["_mediaUrl"]
  ) {
    $0.mediaKeysNameVendor = true
    $0.alternativeText = ["_mediaAlt"]
    $0.deepLink = ["_od", "_x"]
    $0.messageID = ["_m"]
  }
}
