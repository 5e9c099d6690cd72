extension Dialect.ID {
  /// Customer.io: `CIO`.
  public static let customerIO = Self(rawValue: "customerio")
}

extension Dialect {
  /// Customer.io: one picture and a link.
  public static let customerIO = Dialect(
    .customerIO, signature: ["CIO", "CIO-Delivery-ID"], media: [.image("CIO.push.image")]
  ) {
    $0.mediaKeysNameVendor = true
    $0.deepLink = ["CIO.push.link"]
    $0.messageID = ["CIO-Delivery-ID"]
  }
}
