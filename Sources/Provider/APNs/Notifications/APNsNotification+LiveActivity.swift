public import PushPayload

extension APNsNotification {
  /// Makes the push of a Live Activity to one device, with its topic and type.
  ///
  /// - Parameters:
  ///   - activity: The event: a start, an update or an end.
  ///   - deviceToken: The push-to-start token for a start, or else the activity's push token, in hexadecimal.
  ///   - bundleID: The app's bundle id, without a suffix.
  ///   - alert: The alert of the event; a start needs one.
  ///   - sound: The sound of the alert.
  ///   - relevanceScore: The activity's priority among others of the app; any number.
  ///   - priority: 10 immediately, which counts against the device's budget, or 5.
  /// - Returns: The push.
  /// - Throws: ``APNsError`` with ``APNsError/Code/badPayload`` if the system would ignore the event, or APNs would
  ///   refuse its size.
  public static func liveActivity(
    _ activity: LiveActivity, to deviceToken: String, bundleID: String, alert: Alert? = nil,
    sound: String? = nil, relevanceScore: Double? = nil, priority: Int = 10
  ) throws(APNsError) -> APNsNotification {
    let payload = APNsPayload(activity, alert: alert, sound: sound, relevanceScore: relevanceScore)
    return APNsNotification(
      deviceToken: deviceToken, topic: PushType.liveActivity.topic(forBundleID: bundleID),
      pushType: .liveActivity, priority: priority,
      payload: try payload.checked(isBroadcast: false))
  }
}

extension APNsBroadcast {
  /// Makes the push of a Live Activity to all subscribers of a channel.
  ///
  /// - Parameters:
  ///   - activity: The event: an update or an end.
  ///   - channel: The channel.
  ///   - alert: The alert of the event.
  ///   - sound: The sound of the alert.
  ///   - expiration: The time at which APNs stops trying.
  ///   - priority: 10, 5 or 1.
  /// - Returns: The push.
  /// - Throws: ``APNsError`` with ``APNsError/Code/badPayload`` if the system would ignore the event, or APNs would
  ///   refuse its size.
  public static func liveActivity(
    _ activity: LiveActivity, to channel: APNsChannel, alert: Alert? = nil, sound: String? = nil,
    expiration: APNsExpiration = .oneAttempt, priority: Int = 10
  ) throws(APNsError) -> APNsBroadcast {
    let payload = APNsPayload(activity, alert: alert, sound: sound)
    return APNsBroadcast(
      to: channel, expiration: expiration, priority: priority,
      payload: try payload.checked(isBroadcast: true))
  }
}

extension APNsPayload {
  fileprivate func checked(isBroadcast: Bool) throws(APNsError) -> [UInt8] {
    let hasAlert = aps.alert != nil
    if let problem = aps.liveActivity?.problem(hasAlert: hasAlert, isBroadcast: isBroadcast) {
      throw APNsError(.badPayload, problem)
    }
    let bytes = Array(encoded())
    let limit = isBroadcast ? APNsBroadcast.payloadLimit : PushType.liveActivity.payloadLimit
    guard bytes.count <= limit else {
      throw APNsError(
        .badPayload, "the payload has \(bytes.count) bytes; at most \(limit) are allowed")
    }
    return bytes
  }
}
