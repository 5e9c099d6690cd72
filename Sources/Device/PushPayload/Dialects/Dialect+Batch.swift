extension Dialect.ID {
  /// Batch: `com.batch`.
  public static let batch = Self(rawValue: "batch")
}

extension Dialect {
  /// Batch: one URL with a type hint, under a key that contains a dot.
  public static let batch = Dialect(
    .batch, signature: [#"com\.batch"#],
    media: [MediaRule(#"com\.batch.at"#, url: "u", type: .identifier("t"))]
  ) {
    $0.mediaKeysNameVendor = true
    $0.deepLink = [#"com\.batch.l"#]
    $0.messageID = [#"com\.batch.i"#]
  }
}
