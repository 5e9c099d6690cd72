public import FoundationEssentials
import PushPayload

/// The outcome of one push.
///
/// There are three kinds, so that sending again is never a guess. A push that was *never sent* may be sent again at
/// once. One that was *maybe sent* could be shown twice unless it has a collapse id. One that was *answered* has Apple's
/// status and reason.
///
/// ```swift
/// switch outcome.kind {
/// case .answered where outcome.isSuccess: print("accepted as \(outcome.apnsID)")
/// case .answered: print("refused: \(outcome.reason?.rawValue ?? "")")
/// case .neverSent, .maybeSent: print("no answer: \(outcome.message ?? "")")
/// }
/// let retry = outcome.retry(hasCollapseID: notification.collapseID != nil)
/// ```
public struct APNsOutcome: Hashable, Sendable {
  /// The kind of an outcome.
  public enum Kind: String, Hashable, Sendable {
    /// APNs did not receive the push, or said that it did not process it.
    case neverSent = "never-sent"
    /// The push was sent and no answer came: APNs may have accepted it.
    case maybeSent = "maybe-sent"
    /// APNs answered with a status.
    case answered
  }

  /// The kind of the outcome.
  public var kind: Kind
  /// The HTTP status; 200 means that APNs accepted the push, not that a device shows it.
  public var status: Int?
  /// The reason why APNs refused the push.
  public var reason: APNsReason?
  /// The `apns-id` of the answer, or else the one that was sent.
  public var apnsID: String
  /// The `apns-unique-id` that Apple's development environment gives for the delivery log.
  public var apnsUniqueID: String?
  /// The time at which APNs found the token inactive, to the millisecond, with status 410.
  public var timestamp: Date?
  /// The ``timestamp`` as APNs writes it, in milliseconds since 1970.
  package var inactiveSince: Int64? {
    timestamp.map { Int64(saturating: ($0.timeIntervalSince1970 * 1000).rounded()) }
  }
  /// The reason for a missing answer, with a remedy; after an answer about the credentials, the remedy for them.
  public var message: String?
  /// Whether the push was not sent because APNs would refuse it, now and later.
  public var isInvalid = false

  /// Makes an outcome, for tests of code that handles outcomes.
  ///
  /// - Parameters:
  ///   - kind: The kind of the outcome.
  ///   - status: The HTTP status, if answered.
  ///   - reason: Apple's reason for a refusal.
  ///   - apnsID: The id of the push.
  ///   - apnsUniqueID: The id in Apple's delivery log.
  ///   - timestamp: The time at which APNs found the token inactive, with status 410.
  ///   - message: The reason for a missing answer.
  public init(
    kind: Kind, status: Int? = nil, reason: APNsReason? = nil, apnsID: String,
    apnsUniqueID: String? = nil, timestamp: Date? = nil, message: String? = nil
  ) {
    self.kind = kind
    self.status = status
    self.reason = reason
    self.apnsID = apnsID
    self.apnsUniqueID = apnsUniqueID
    self.timestamp = timestamp
    self.message = message
  }

  /// Whether APNs accepted the push.
  public var isSuccess: Bool { status == 200 }
}

/// The reason why APNs refused a push, from the `reason` of its answer.
///
/// An unknown reason is kept as it came. Source: Apple's "Handling notification responses from APNs".
public struct APNsReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The text in Apple's answer.
  public var rawValue: String

  /// Makes a reason from the text in Apple's answer.
  ///
  /// - Parameter rawValue: The text, such as `BadDeviceToken`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The text in Apple's answer.
  public var description: String { rawValue }

  /// 400: the collapse id is longer than 64 bytes.
  public static let badCollapseID = APNsReason(rawValue: "BadCollapseId")
  /// 400: the token is malformed or belongs to the other environment.
  public static let badDeviceToken = APNsReason(rawValue: "BadDeviceToken")
  /// 400: the expiration is not a whole number.
  public static let badExpirationDate = APNsReason(rawValue: "BadExpirationDate")
  /// 400: the `apns-id` is not a UUID.
  public static let badMessageID = APNsReason(rawValue: "BadMessageId")
  /// 400: the priority is not 10, 5 or 1.
  public static let badPriority = APNsReason(rawValue: "BadPriority")
  /// 400, channels: the id is malformed.
  public static let badChannelID = APNsReason(rawValue: "BadChannelId")
  /// 400, channels: a field of the request is wrong.
  public static let badRequestParams = APNsReason(rawValue: "BadRequestParams")
  /// 400, channels: the body is wrong.
  public static let badRequestPayload = APNsReason(rawValue: "BadRequestPayload")
  /// 400, channels: the app has the most channels that it may have.
  public static let cannotCreateChannelConfig = APNsReason(rawValue: "CannotCreateChannelConfig")
  /// 400, channels: the channel does not exist.
  public static let channelNotRegistered = APNsReason(rawValue: "ChannelNotRegistered")
  /// 400, channels: the app lacks the broadcast capability.
  public static let featureNotEnabled = APNsReason(rawValue: "FeatureNotEnabled")
  /// 400, channels: the request names no channel.
  public static let missingChannelID = APNsReason(rawValue: "MissingChannelId")
  /// 400, channels: the request names no push type.
  public static let missingPushType = APNsReason(rawValue: "MissingPushType")
  /// 400: the topic is invalid.
  public static let badTopic = APNsReason(rawValue: "BadTopic")
  /// 400: the token belongs to another app.
  public static let deviceTokenNotForTopic = APNsReason(rawValue: "DeviceTokenNotForTopic")
  /// 400: a header field is there twice.
  public static let duplicateHeaders = APNsReason(rawValue: "DuplicateHeaders")
  /// 400: the connection was idle too long.
  public static let idleTimeout = APNsReason(rawValue: "IdleTimeout")
  /// 400: the push type is unknown.
  public static let invalidPushType = APNsReason(rawValue: "InvalidPushType")
  /// 400: the path has no token.
  public static let missingDeviceToken = APNsReason(rawValue: "MissingDeviceToken")
  /// 400: the topic is missing.
  public static let missingTopic = APNsReason(rawValue: "MissingTopic")
  /// 400: the request has no body.
  public static let payloadEmpty = APNsReason(rawValue: "PayloadEmpty")
  /// 400: this sender may not use the topic.
  public static let topicDisallowed = APNsReason(rawValue: "TopicDisallowed")
  /// 403: the certificate is bad.
  public static let badCertificate = APNsReason(rawValue: "BadCertificate")
  /// 403: the certificate belongs to the other environment.
  public static let badCertificateEnvironment = APNsReason(rawValue: "BadCertificateEnvironment")
  /// 403: the key belongs to the other environment.
  public static let badEnvironmentKeyIdInToken = APNsReason(rawValue: "BadEnvironmentKeyIdInToken")
  /// 403: the provider token is more than an hour old.
  public static let expiredProviderToken = APNsReason(rawValue: "ExpiredProviderToken")
  /// 403: the action is not allowed.
  public static let forbidden = APNsReason(rawValue: "Forbidden")
  /// 403: signature, key id or team of the provider token is wrong.
  public static let invalidProviderToken = APNsReason(rawValue: "InvalidProviderToken")
  /// 403: the request has no provider token.
  public static let missingProviderToken = APNsReason(rawValue: "MissingProviderToken")
  /// 403: the key is unrelated to the connection's first one.
  public static let unrelatedKeyIdInToken = APNsReason(rawValue: "UnrelatedKeyIdInToken")
  /// 403: the channel belongs to another app.
  public static let topicMismatch = APNsReason(rawValue: "TopicMismatch")
  /// 404: the path is wrong.
  public static let badPath = APNsReason(rawValue: "BadPath")
  /// 405: the method is not POST.
  public static let methodNotAllowed = APNsReason(rawValue: "MethodNotAllowed")
  /// 410: the device token has expired.
  public static let expiredToken = APNsReason(rawValue: "ExpiredToken")
  /// 410: the device token is inactive for the topic.
  public static let unregistered = APNsReason(rawValue: "Unregistered")
  /// 413: the payload is too large.
  public static let payloadTooLarge = APNsReason(rawValue: "PayloadTooLarge")
  /// 429: the provider token changed too often.
  public static let tooManyProviderTokenUpdates = APNsReason(
    rawValue: "TooManyProviderTokenUpdates")
  /// 429: too many pushes to one device.
  public static let tooManyRequests = APNsReason(rawValue: "TooManyRequests")
  /// 500: try again later.
  public static let internalServerError = APNsReason(rawValue: "InternalServerError")
  /// 503: try again later.
  public static let serviceUnavailable = APNsReason(rawValue: "ServiceUnavailable")
  /// 503: the server is closing; connect again.
  public static let shutdown = APNsReason(rawValue: "Shutdown")
}
