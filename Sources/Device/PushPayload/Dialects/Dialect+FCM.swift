extension Dialect.ID {
  /// Firebase Cloud Messaging: `fcm_options`.
  public static let fcm = Self(rawValue: "fcm")
}

extension Dialect {
  /// Firebase Cloud Messaging: one URL, which may be a movie although the key is called `image`.
  public static let fcm = Dialect(
    .fcm, signature: ["fcm_options"], media: ["fcm_options.image"]
  ) {
    $0.mediaKeysNameVendor = true
    // Firebase transports an app's own keys as well, so that its mark says nothing about them.
    $0.sharedSignature = [#"gcm\.message_id"#]
    $0.deepLink = [#"gcm\.app_link"#]
    $0.messageID = [#"gcm\.message_id"#]
  }
}
