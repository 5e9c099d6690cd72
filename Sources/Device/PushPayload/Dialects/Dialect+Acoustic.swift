extension Dialect.ID {
  /// Acoustic, earlier IBM: `media-attachment`.
  public static let acoustic = Self(rawValue: "acoustic")
}

extension Dialect {
  /// Acoustic Campaign, earlier IBM Mobile Customer Engagement: one URL, and a link by the kind of the action.
  public static let acoustic = Dialect(
    .acoustic, signature: ["media-attachment", "notification-action", "category-actions"],
    media: ["media-attachment"]
  ) {
    $0.deepLink = [
      LinkRule("notification-action.value", if: .equals("notification-action.type", "url"))
    ]
  }
}
