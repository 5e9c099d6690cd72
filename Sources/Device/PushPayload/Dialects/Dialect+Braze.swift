extension Dialect.ID {
  /// Braze: `ab`.
  public static let braze = Self(rawValue: "braze")
}

extension Dialect {
  /// Braze: one URL and its file suffix.
  public static let braze = Dialect(
    .braze, signature: ["ab", "ab_uri"],
    media: [MediaRule("ab.att", url: "url", type: .suffix("type"))]
  ) {
    $0.mediaKeysNameVendor = true
    $0.deepLink = ["ab_uri"]
  }
}
