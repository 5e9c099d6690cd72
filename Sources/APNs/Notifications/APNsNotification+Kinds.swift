public import PushPayload

/// Kinds of push whose payload or headers Apple fixes, so that there is one right way to make them.
extension APNsNotification {
  /// Wakes the app for up to 30 seconds without a person noticing.
  ///
  /// The phone takes two or three an hour, keeps the newest alone, and none where the app was swiped away.
  ///
  /// - Parameters:
  ///   - deviceToken: The device token in hexadecimal.
  ///   - bundleID: The app's bundle id.
  /// - Returns: The push; keys for the app may be put into its payload in place of this one.
  public static func background(to deviceToken: String, bundleID: String) -> APNsNotification {
    APNsNotification(
      deviceToken: deviceToken, topic: bundleID, pushType: .background, priority: 5,
      payload: Array(#"{"aps":{"content-available":1}}"#.utf8))
  }

  /// Tells the app's widgets, or its controls, that there is something new.
  ///
  /// - Parameters:
  ///   - type: `PushType.widgets` or `PushType.controls`.
  ///   - deviceToken: The token that the system gave for such pushes, in hexadecimal.
  ///   - bundleID: The app's bundle id, without a suffix.
  /// - Returns: The push.
  public static func contentChanged(
    _ type: PushType, to deviceToken: String, bundleID: String
  ) -> APNsNotification {
    APNsNotification(
      deviceToken: deviceToken, topic: type.topic(forBundleID: bundleID), pushType: type,
      payload: Array(#"{"aps":{"content-changed":true}}"#.utf8))
  }

  /// Begins push to talk: at once, or never, since what is said is over by then.
  ///
  /// - Parameters:
  ///   - deviceToken: The channel's token in hexadecimal.
  ///   - bundleID: The app's bundle id, without a suffix.
  ///   - payload: The encoded JSON, which the app reads to name who speaks.
  /// - Returns: The push.
  public static func pushToTalk(
    to deviceToken: String, bundleID: String, payload: [UInt8]
  ) -> APNsNotification {
    APNsNotification(
      deviceToken: deviceToken, topic: PushType.pushToTalk.topic(forBundleID: bundleID),
      pushType: .pushToTalk, priority: 10, expiration: 0, payload: payload)
  }

  /// Announces a call: at once, or never, since nobody is calling by then; up to 5120 bytes.
  ///
  /// - Parameters:
  ///   - deviceToken: The token that PushKit gave, in hexadecimal.
  ///   - bundleID: The app's bundle id, without a suffix.
  ///   - payload: The encoded JSON, from which the app reports the call.
  /// - Returns: The push.
  public static func voip(
    to deviceToken: String, bundleID: String, payload: [UInt8]
  ) -> APNsNotification {
    APNsNotification(
      deviceToken: deviceToken, topic: PushType.voip.topic(forBundleID: bundleID),
      pushType: .voip, priority: 10, expiration: 0, payload: payload)
  }

  /// Tells a managed device to contact its server.
  ///
  /// It needs the MDM vendor's push certificate. Source: Apple, "Sending MDM commands to a device".
  ///
  /// - Parameters:
  ///   - deviceToken: The token of the device's check-in, in hexadecimal.
  ///   - topic: The topic of the check-in: the `UID` of the certificate's subject.
  ///   - pushMagic: The `PushMagic` of the check-in.
  /// - Returns: The push.
  public static func mdm(
    to deviceToken: String, topic: String, pushMagic: String
  ) -> APNsNotification {
    let payload: JSONValue = ["mdm": .string(pushMagic)]
    return APNsNotification(
      deviceToken: deviceToken, topic: topic, pushType: .mdm, payload: Array(payload.serialized()))
  }
}
