import APNs
import PushModel

/// The advice for each reason why a device did not get a push, or its media.
///
/// The reasons of APNs are from Apple's "Handling notification responses from APNs".
package enum FailureAdvice {
  private static let advice: [String: String] = [
    "BadDeviceToken":
      "The token is of another environment or of another app. Register devices of development builds with development: true.",
    "Unregistered":
      "The app was removed from the device, which gets no more pushes until the app registers again.",
    "ExpiredToken": "The token is no longer valid. The app registers a new one when it is opened.",
    "DeviceTokenNotForTopic":
      "The token belongs to another app. Compare the app's bundle id in Settings with the app's own.",
    "BadTopic": "The bundle id is not a valid topic. Correct it in Settings.",
    "TopicDisallowed":
      "The key is not allowed to push to this app. Use a key of the app's team in Settings.",
    "NoToken":
      "The app has to call registerForRemoteNotifications at each start, and pass the token on.",
    "MissingTopic": "The app has no bundle id. Correct it in Settings.",
    "TemplateFailed":
      "A text with {{ }} cannot be rendered for these devices. Give its values a default.",
    "BadDeviceKey":
      "The device's public_key or auth_secret is not valid, so nothing can be encrypted for it. Let the app register new ones.",
    "PayloadRefused":
      "The payload cannot be composed for these devices. Preview it for one of them.",
    "PayloadTooLarge": "Write shorter texts, or let them be shortened (_overflow).",
    "NoAnswer":
      "Apple may have taken the start of the Live Activity. It is not repeated, since the phone would show two.",
    "ReloadBudget":
      "It has had its reloads of the day. WidgetKit reloads a widget 40 to 70 times in 24 hours; send when what it shows has changed.",
    "Unreachable": "Apple did not answer. Reload again; two reloads do no harm.",
    "ChannelNotRegistered":
      "The channel was deleted. Create another one and start activities on it.",
    "TooManyRequests": "Too many pushes went to one device in a short time. Send it fewer.",
    "InternalServerError": "Apple had an internal error. Send to these devices again later.",
    "ServiceUnavailable": "Apple was not available. Send to these devices again later.",
    "Quiet":
      "It was in its quiet hours. Let pushes wait for their end, or give what is urgent the interruption level time-sensitive.",
    "Shutdown": "Apple's server was shutting down. Send to these devices again.",
  ]

  /// Returns the advice for an outcome's reason.
  package static func text(_ reason: String) -> String {
    if SendLimit(reason: reason)?.isCap == true {
      return "It had got as many pushes as the app allows. What must arrive can ignore the caps."
    }
    // A cure is the end of a sentence, and more sentences may follow.
    return advice[reason] ?? APNsReason(rawValue: reason).cure.map { $0 + "." }
      ?? "There is no advice on this reason. Apple can look the push up by the apns-id in the device's trace."
  }

  private static let mediaAdvice: [String: String] = [
    "not-found": "There is no file at the URL. Check the URL.",
    "http-status": "The file's server refused it. Check that the URL opens without signing in.",
    "too-large":
      "The file is larger than iOS attaches: images up to 10 MB, movies up to 50 MB, audio up to 5 MB.",
    "unsupported-type": "iOS does not attach this type of file. Use JPEG, PNG, GIF or MP4.",
    "timeout":
      "The download took too long. Make the file smaller, or serve it from a place near the devices.",
    "not-https": "Devices download over https only. Use an https URL.",
    "network": "The device lost its network connection during the download. No action is needed.",
    "offline": "The device was offline. No action is needed.",
    "other-kind":
      "The file is of another kind than the payload says. Correct the type, or the file.",
    "credentials-in-url": "The URL has a user name or a password. Use a signed URL instead.",
    "host-not-allowed":
      "The app does not load from this host. Add it to the policy, or use another.",
    "private-address":
      "The host has a private address, from which devices load nothing. Use a public one.",
    "too-many-redirects": "The file's server redirects too often. Name the last URL.",
    "sha256-mismatch": "The file is not the one whose SHA-256 the payload names. Send it again.",
    "untrusted":
      "The phone does not trust the certificate of the file's server, or its own clock is wrong.",
    "low-data-mode": "The phone is in Low Data Mode, in which the app loads no media.",
    "budget": "The files together are larger than the app loads. Send fewer or smaller ones.",
    "invalid-url": "The URL cannot be read. Write it with its scheme, and escape spaces.",
    "storage": "The phone's disk was full or locked. No action is needed.",
  ]

  /// Returns the advice for the reason why a device showed a notification without its media.
  static func media(_ reason: String) -> String {
    mediaAdvice[reason] ?? "The notification was shown without its media."
  }
}
