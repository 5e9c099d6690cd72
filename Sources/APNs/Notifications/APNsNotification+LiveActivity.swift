public import PushPayload

extension APNsNotification {
  /// Makes the push of a Live Activity to one device, with its topic and type.
  ///
  /// - Parameters:
  ///   - activity: A start to the token for starting, an update or an end to the activity's own.
  ///   - deviceToken: That token in hexadecimal.
  ///   - bundleID: The app's bundle id, without a suffix.
  ///   - alert: What is shown beside the activity; a start needs one.
  ///   - sound: The sound of the alert.
  ///   - relevanceScore: Which activity goes first; any number.
  ///   - priority: 10 at once, which counts against the device's budget, or 5.
  /// - Returns: The push.
  /// - Throws: ``APNsError`` with ``APNsError/Code/badPayload`` where the system would drop it, or APNs refuse it
  ///   for its size.
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
  /// Makes the push of a Live Activity to all who follow a channel.
  ///
  /// - Parameters:
  ///   - activity: An update or an end.
  ///   - channel: Where it goes.
  ///   - alert: What is shown beside the activity.
  ///   - sound: The sound of the alert.
  ///   - expiration: Seconds since 1970; 0 is one attempt.
  ///   - priority: 10, 5 or 1.
  /// - Returns: The push.
  /// - Throws: ``APNsError`` with ``APNsError/Code/badPayload`` where the system would drop it, or APNs refuse it
  ///   for its size.
  public static func liveActivity(
    _ activity: LiveActivity, to channel: APNsChannel, alert: Alert? = nil, sound: String? = nil,
    expiration: Int64 = 0, priority: Int = 10
  ) throws(APNsError) -> APNsBroadcast {
    let payload = APNsPayload(activity, alert: alert, sound: sound)
    return APNsBroadcast(
      to: channel, expiration: expiration, priority: priority,
      payload: try payload.checked(isBroadcast: true))
  }
}

extension APNsPayload {
  fileprivate func checked(isBroadcast: Bool) throws(APNsError) -> [UInt8] {
    if let problem = aps.liveActivity?.problem(hasAlert: aps.alert != nil, isBroadcast: isBroadcast)
    {
      throw APNsError(.badPayload, problem)
    }
    let bytes = Array(encoded())
    let limit = isBroadcast ? ChannelCall.payloadLimit : PushType.liveActivity.payloadLimit
    guard bytes.count <= limit else {
      throw APNsError(
        .badPayload, "the payload has \(bytes.count) bytes; \(limit) is the most")
    }
    return bytes
  }
}
