import PushModel

/// The reasons of failures in words, for the pages that people read; the codes are Apple's and the extension's.
extension FailureAdvice {
  private static let titles = [
    "BadDeviceToken": "Token of another environment or app",
    "Unregistered": "App removed from the device",
    "ExpiredToken": "Token no longer valid",
    "DeviceTokenNotForTopic": "Token of another app",
    "NoToken": "No push token",
    "BadTopic": "Bundle ID is not valid",
    "TopicDisallowed": "APNs key not allowed for this app",
    "MissingTopic": "App without a bundle ID",
    "TemplateFailed": "Personalization failed",
    "BadDeviceKey": "Device's encryption key not valid",
    "PayloadRefused": "Payload cannot be composed",
    "PayloadTooLarge": "Notification too large",
    "NoAnswer": "No answer from APNs",
    "ChannelNotRegistered": "Channel deleted",
    "TooManyRequests": "Too many pushes to one device",
    "InternalServerError": "Error at Apple",
    "ServiceUnavailable": "Apple not available",
    "Quiet": "In quiet hours",
    "Shutdown": "Apple's server shutting down",
    "rejected": "Rejected", "uninstalled": "App removed from the device",
  ]

  /// Returns the words for an outcome's reason; the reason itself if there are none.
  static func title(_ reason: String) -> String {
    SendLimit(reason: reason)?.isCap == true ? "Frequency cap reached" : titles[reason] ?? reason
  }

  private static let mediaTitles = [
    "not-found": "Media not found", "http-status": "Media refused by their server",
    "too-large": "Media too large", "unsupported-type": "Media of an unsupported type",
    "timeout": "Media took too long", "not-https": "Media not over https",
    "network": "Connection lost while loading media", "offline": "Device offline",
    "other-kind": "Media of another kind than announced",
    "credentials-in-url": "Media URL with a password", "invalid-url": "Media URL not valid",
    "host-not-allowed": "Media of a host that the app does not allow",
    "private-address": "Media at a private address",
    "too-many-redirects": "Media redirected too often",
    "sha256-mismatch": "Media changed since they were signed",
    "untrusted": "Certificate of the media's server not trusted",
    "low-data-mode": "Low Data Mode", "budget": "No memory or time left for media",
    "storage": "Device's storage full",
  ]

  /// Returns the words for the reason why media were not shown; the reason itself if there are none.
  static func mediaTitle(_ reason: String) -> String { mediaTitles[reason] ?? reason }
}
