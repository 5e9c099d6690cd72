extension APNsReason {
  /// Advice for a refusal of the credentials; `nil` for other reasons.
  ///
  /// Source: Apple's "Handling notification responses from APNs".
  public var cure: String? {
    switch self {
    case .expiredProviderToken:
      "the token was signed less than an hour ago by this machine's clock: set the clock right"
    case .invalidProviderToken:
      "check team id, key id and .p8 file, whether the key was revoked at developer.apple.com, and"
        + " this machine's clock"
    case .badEnvironmentKeyIdInToken, Self.badEnvironmentKeyInToken:
      "the key is for the other environment: use that one's endpoint, or a key for this one"
    case .unrelatedKeyIdInToken:
      "the key is not related to the topics it is used for: use the key that was made for them"
    case .missingProviderToken: "APNs asks for a provider token: use a .p8 key"
    case .tooManyProviderTokenUpdates:
      "APNs takes another token on a connection every 20 minutes at most: use one client for a key,"
        + " and do not set this machine's clock back and forth"
    case .badCertificate: "the push certificate is wrong or revoked: make a new one"
    case .badCertificateEnvironment:
      "the push certificate is for the other environment: use that one's endpoint"
    default: nil
    }
  }

  /// Whether it is about the credentials, and so holds for every push of the client.
  var isAboutCredentials: Bool { cure != nil }

  /// The spelling that APNs was observed to use for ``badEnvironmentKeyIdInToken``.
  private static let badEnvironmentKeyInToken = APNsReason(rawValue: "BadEnvironmentKeyInToken")
}
