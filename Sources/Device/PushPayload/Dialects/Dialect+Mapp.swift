extension Dialect.ID {
  /// Mapp Engage: `ios_apx_media`.
  public static let mapp = Self(rawValue: "mapp")
}

extension Dialect {
  /// Mapp Engage: one URL.
  public static let mapp = Dialect(.mapp, media: ["ios_apx_media"]) {
    $0.mediaKeysNameVendor = true
  }
}
