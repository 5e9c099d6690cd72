extension Dialect.ID {
  /// Expo: `_richContent`.
  public static let expo = Self(rawValue: "expo")
}

extension Dialect {
  /// Expo: one picture in the app's data, which is `body` of the payload; also at the top or inside `data`.
  public static let expo = Dialect(
    .expo, signature: ["_richContent", "data._richContent", "body._richContent"],
    media: [.image("_richContent.image")]
  ) {
    $0.mediaKeysNameVendor = true
    $0.roots = ["", "data", "body"]
  }
}
