extension Dialect.ID {
  /// Adobe Journey Optimizer: `adb_media`.
  public static let adobe = Self(rawValue: "adobe")
}

extension Dialect {
  /// Adobe Journey Optimizer: one URL.
  public static let adobe = Dialect(
    .adobe, signature: ["adb_media", "adb_uri", "adb_iam_id"], media: ["adb_media"]
  ) {
    $0.mediaKeysNameVendor = true
    $0.deepLink = ["adb_uri"]
  }
}
