extension Dialect.ID {
  /// AWS Pinpoint through Amplify: `data.media-url`.
  public static let pinpoint = Self(rawValue: "pinpoint")
}

extension Dialect {
  /// AWS Pinpoint, as Amplify's extension reads it: one URL.
  public static let pinpoint = Dialect(
    .pinpoint, signature: ["data.pinpoint", "data.media-url"], media: ["data.media-url"]
  ) {
    $0.deepLink = ["data.pinpoint.deeplink"]
    $0.messageID = ["data.pinpoint.campaign.campaign_id", "data.pinpoint.journey.journey_id"]
  }
}
