extension Dialect.ID {
  /// Pushwoosh: `pw_msg`.
  public static let pushwoosh = Self(rawValue: "pushwoosh")
}

extension Dialect {
  /// Pushwoosh: one URL, and a badge inside `aps` that may have a sign.
  public static let pushwoosh = Dialect(
    .pushwoosh, signature: ["pw_msg", "aps.pw_badge"], media: ["attachment"]
  ) {
    $0.sharedSignature = [.text("attachment")]
    $0.deepLink = ["l"]
    $0.badge = [BadgeRule(.signed, "aps.pw_badge")]
  }
}
