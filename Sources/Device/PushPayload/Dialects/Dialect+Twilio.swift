extension Dialect.ID {
  /// Twilio Engage, from Segment: an array `media`.
  public static let twilio = Self(rawValue: "twilio")
}

extension Dialect {
  /// Twilio Engage, from Segment: the first element of an array, buttons, and a badge.
  public static let twilio = Dialect(
    .twilio, signature: ["tapActionButtons", "badgeStrategy", "badgeAmount"], media: ["media?[0]"]
  ) {
    $0.sharedSignature = ["media[0]"]
    $0.buttons = [
      ButtonRule("tapActionButtons[]", identifier: ["id"], title: ["text"], url: ["link"]) {
        $0.required = ["onTap"]
        // The app's library splits the identifier at the hyphen.
        $0.identifierPrefix = "onTap"
      }
    ]
    $0.buttonsBesideCategory = .neededForAny
    $0.deepLink = [
      LinkRule(
        "link", if: .any(.equals("aps.category", "open_url"), .equals("aps.category", "deep_link")))
    ]
    $0.badge = [
      BadgeRule(
        "badgeAmount", strategy: "badgeStrategy",
        operations: ["inc": .add, "dec": .subtract, "set": .set], defaultAmount: 1),
      BadgeRule(.set, "badgeAmount"),
    ]
  }
}
