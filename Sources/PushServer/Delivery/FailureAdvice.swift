import APNs

/// What a person can do about each reason for which a device did not get a push.
///
/// Reasons of APNs: Apple, "Handling notification responses from APNs".
enum FailureAdvice {
  private static let advice: [String: String] = [
    "BadDeviceToken":
      "The token is of another environment or of another app. Register devices of development builds with development: true.",
    "Unregistered": "The app was removed from the device. It is left out from now on.",
    "ExpiredToken": "The token is no longer valid. The app registers a new one when it is opened.",
    "DeviceTokenNotForTopic":
      "The token belongs to another app. Compare the app's bundle id in Settings with the app's own.",
    "BadTopic": "The bundle id is no topic. Correct it in Settings.",
    "TopicDisallowed": "The key may not push to this app. Take a key of its team.",
    "MissingTopic": "The app has no bundle id. Correct it in Settings.",
    "TemplateFailed": "A text with {{ }} cannot be made for these devices. Give it a default.",
    "BadDeviceKey": "The device's public key is none, so nothing can be sealed for it.",
    "PayloadRefused": "The payload cannot be made for these devices. Preview it as seen by one.",
    "PayloadTooLarge": "Write less, or let texts be shortened.",
    "TooManyRequests": "Too many pushes to one device in a short time. Send it fewer.",
    "InternalServerError": "Apple had a fault. Send again to these devices later.",
    "ServiceUnavailable": "Apple was not available. Send again to these devices later.",
    "Shutdown": "Apple's server was stopping. Send again to these devices.",
  ]

  static func text(_ reason: String) -> String {
    advice[reason] ?? APNsReason(rawValue: reason).cure
      ?? "See the reason; the device's trace below has its apns-id, which Apple can look up."
  }

  private static let mediaAdvice: [String: String] = [
    "not-found": "The file is not there. Check its URL.",
    "http-status": "The file's server refused it. Open its URL without signing in.",
    "too-large": "The file is larger than iOS attaches: 10 MB pictures, 50 MB films, 5 MB sound.",
    "unsupported-type": "iOS does not attach this kind of file. Take JPEG, PNG, GIF or MP4.",
    "timeout": "The file came too slowly. Make it smaller, or serve it nearer to the phones.",
    "not-https": "Phones fetch over https alone.",
    "network": "The phone lost its network while it fetched. Nothing is to be done.",
    "offline": "The phone was offline.",
  ]

  static func media(_ reason: String) -> String {
    mediaAdvice[reason] ?? "The notification was shown without its picture."
  }
}
