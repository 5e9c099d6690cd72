extension Dialect.ID {
  /// Adobe Campaign: `media-attachment-url`.
  public static let adobeCampaign = Self(rawValue: "adobe-campaign")
}

extension Dialect {
  /// Adobe Campaign Standard: one URL.
  public static let adobeCampaign = Dialect(
    .adobeCampaign, signature: ["_mId", "_dId"], media: ["media-attachment-url"]
  ) {
    $0.sharedSignature = ["media-attachment-url"]
    $0.deepLink = ["uri"]
    $0.messageID = ["_mId"]
  }
}
