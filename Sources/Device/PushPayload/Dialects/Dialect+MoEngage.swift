extension Dialect.ID {
  /// MoEngage: `moengage`.
  public static let moEngage = Self(rawValue: "moengage")
}

extension Dialect {
  /// MoEngage: one URL and its class, and a link of the app's or of a rich landing page.
  public static let moEngage = Dialect(
    .moEngage, signature: ["moengage"],
    media: [MediaRule("moengage.media-attachment", type: .mediaClass("moengage.media-type"))]
  ) {
    $0.deepLink = ["app_extra.moe_deeplink", "moengage.webUrl"]
    $0.messageID = ["moengage.cid"]
  }
}
