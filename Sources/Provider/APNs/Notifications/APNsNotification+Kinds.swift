public import PushPayload

/// Pushes of types whose payload or headers Apple prescribes.
extension APNsNotification {
  /// Makes a background push, which wakes the app for up to 30 seconds without showing anything.
  ///
  /// A device delivers two or three an hour, keeps only the newest, and delivers none after the user has closed the app
  /// in the app switcher.
  ///
  /// - Parameters:
  ///   - deviceToken: The device token in hexadecimal.
  ///   - bundleID: The app's bundle id.
  /// - Returns: The push; its payload may be replaced by one with keys for the app.
  public static func background(to deviceToken: String, bundleID: String) -> APNsNotification {
    APNsNotification(
      deviceToken: deviceToken, topic: bundleID, pushType: .background, priority: 5,
      payload: Array(#"{"aps":{"content-available":1}}"#.utf8))
  }

  /// Makes a push that has the system reload the app's widgets or controls.
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

  /// Makes a Push to Talk push, which APNs delivers immediately or not at all.
  ///
  /// - Parameters:
  ///   - deviceToken: The ephemeral push token of the channel in hexadecimal.
  ///   - bundleID: The app's bundle id, without a suffix.
  ///   - payload: The encoded JSON, which tells the app the active participant.
  /// - Returns: The push.
  public static func pushToTalk(
    to deviceToken: String, bundleID: String, payload: [UInt8]
  ) -> APNsNotification {
    APNsNotification(
      deviceToken: deviceToken, topic: PushType.pushToTalk.topic(forBundleID: bundleID),
      pushType: .pushToTalk, priority: 10, expiration: .oneAttempt, payload: payload)
  }

  /// Makes a VoIP push, which APNs delivers immediately or not at all.
  ///
  /// - Parameters:
  ///   - deviceToken: The PushKit token in hexadecimal.
  ///   - bundleID: The app's bundle id, without a suffix.
  ///   - payload: The encoded JSON, which describes the call to the app; at most 5120 bytes.
  /// - Returns: The push.
  public static func voip(
    to deviceToken: String, bundleID: String, payload: [UInt8]
  ) -> APNsNotification {
    APNsNotification(
      deviceToken: deviceToken, topic: PushType.voip.topic(forBundleID: bundleID),
      pushType: .voip, priority: 10, expiration: .oneAttempt, payload: payload)
  }

  /// Makes an MDM push, which has a managed device contact its server.
  ///
  /// The client needs the MDM push certificate. Source: Apple, "Sending MDM commands to a device".
  ///
  /// - Parameters:
  ///   - deviceToken: The token of the device's check-in, in hexadecimal.
  ///   - topic: The topic of the check-in, which is the `UID` of the certificate's subject.
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
