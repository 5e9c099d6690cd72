extension Dialect.ID {
  /// Appcues: `appcues_attachment_url`.
  public static let appcues = Self(rawValue: "appcues")
}

extension Dialect {
  /// Appcues: one URL.
  public static let appcues = Dialect(
    .appcues, signature: ["appcues_attachment_url", "appcues_notification_id"],
    media: ["appcues_attachment_url"]
  ) {
    $0.mediaKeysNameVendor = true
    $0.deepLink = [
      LinkRule(
        "appcues_deep_link_url",
        if: .all(
          .text("appcues_notification_id"), .text("appcues_account_id"), .text("appcues_app_id"),
          .text("appcues_user_id")))
    ]
    $0.messageID = ["appcues_notification_id"]
  }
}
