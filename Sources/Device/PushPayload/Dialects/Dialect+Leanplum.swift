extension Dialect.ID {
  /// Leanplum: `LP_URL`.
  public static let leanplum = Self(rawValue: "leanplum")
}

extension Dialect {
  /// Leanplum: one URL.
  public static let leanplum = Dialect(
    .leanplum, signature: ["LP_URL", "_lpm", "_lpu", "_lpn", "_lpv"], media: ["LP_URL"]
  ) {
    $0.mediaKeysNameVendor = true
    $0.deepLink = [LinkRule("_lpx.URL", if: .equals("_lpx.__name__", "Open URL"))]
    $0.messageID = ["_lpm", "_lpu", "_lpn", "_lpv"]
  }
}
