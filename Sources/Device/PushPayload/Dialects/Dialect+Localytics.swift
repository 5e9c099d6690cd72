extension Dialect.ID {
  /// Localytics: `ll_attachment_url`.
  public static let localytics = Self(rawValue: "localytics")
}

extension Dialect {
  /// Localytics: one URL and its file extension.
  public static let localytics = Dialect(
    .localytics, signature: ["ll_attachment_url", "ll_deep_link_url", "ll"],
    media: [MediaRule("ll_attachment_url", type: .suffix("$.ll_attachment_type"))]
  ) {
    $0.deepLink = ["ll_deep_link_url"]
  }
}
