#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension LiveActivity {
  /// Starts an activity on a device (iOS 17.2), with a push to the app's push-to-start token.
  ///
  /// The push must show an alert. Set ``inputPushToken`` for a push token of the new activity, or
  /// ``inputPushChannel`` to make it follow a broadcast channel instead (iOS 18).
  ///
  /// - Parameters:
  ///   - attributesType: The name of the `ActivityAttributes` type.
  ///   - attributes: An object that decodes to that type.
  ///   - contentState: An object that decodes to its `ContentState`.
  ///   - timestamp: The time of sending.
  /// - Returns: The keys of the event.
  public static func start(
    _ attributesType: String, attributes: JSONValue, contentState: JSONValue, at timestamp: Date
  ) -> LiveActivity {
    var activity = LiveActivity(event: "start")
    activity.attributesType = attributesType
    activity.attributes = attributes
    activity.contentState = contentState
    activity.timestamp = timestamp
    return activity
  }

  /// Updates the content of an activity.
  ///
  /// - Parameters:
  ///   - contentState: An object that decodes to the activity's `ContentState`.
  ///   - timestamp: The time of sending; the system ignores a push that is older than the
  ///     last.
  ///   - staleDate: The time at which the content is outdated.
  /// - Returns: The keys of the event.
  public static func update(
    contentState: JSONValue, at timestamp: Date, staleDate: Date? = nil
  ) -> LiveActivity {
    var activity = LiveActivity(event: "update")
    activity.contentState = contentState
    activity.timestamp = timestamp
    activity.staleDate = staleDate
    return activity
  }

  /// Ends an activity.
  ///
  /// - Parameters:
  ///   - contentState: The final content; `nil` keeps the content that is shown.
  ///   - timestamp: The time of sending.
  ///   - dismissalDate: The time at which it leaves the lock screen. A time in the past
  ///     removes it at once; `nil` keeps it for up to four hours.
  /// - Returns: The keys of the event.
  public static func end(
    contentState: JSONValue? = nil, at timestamp: Date, dismissalDate: Date? = nil
  ) -> LiveActivity {
    var activity = LiveActivity(event: "end")
    activity.contentState = contentState
    activity.timestamp = timestamp
    activity.dismissalDate = dismissalDate
    return activity
  }

  /// Returns the reason why the system would ignore the event; `nil` if no problem is known.
  ///
  /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
  ///
  /// - Parameters:
  ///   - hasAlert: Whether the push has an alert.
  ///   - isBroadcast: Whether the push goes to a broadcast channel.
  /// - Returns: The first problem, with the key that has it.
  public func problem(hasAlert: Bool, isBroadcast: Bool) -> String? {
    if timestamp == nil { return "timestamp is missing; a Live Activity push needs it" }
    for (key, value) in [("content-state", contentState), ("attributes", attributes)] {
      if let value, value.object == nil { return "\(key) is \(value.typeName); it takes an object" }
    }
    switch event {
    case "start":
      if isBroadcast { return "event start cannot be broadcast; a channel takes update and end" }
      if (attributesType ?? "").isEmpty { return "event start needs attributes-type" }
      if attributes == nil { return "event start needs attributes" }
      if contentState == nil { return "event start needs content-state" }
      if !hasAlert { return "event start needs an alert" }
      if inputPushToken, inputPushChannel != nil {
        return "event start takes input-push-token or input-push-channel, not both"
      }
    case "update", "end":
      if event == "update", contentState == nil { return "event update needs content-state" }
      if attributesType != nil || attributes != nil || inputPushToken || inputPushChannel != nil {
        return
          "attributes, attributes-type, input-push-token and input-push-channel need event start"
      }
    default: return "event must be start, update or end"
    }
    if event != "end", dismissalDate != nil { return "dismissal-date needs event end" }
    return nil
  }
}

extension APNsPayload {
  /// Makes the payload of a Live Activity push.
  ///
  /// - Parameters:
  ///   - activity: The event.
  ///   - alert: The alert that is shown with the event; `start` needs one.
  ///   - sound: The sound of the alert, which in such a push is a key of the alert.
  ///   - relevanceScore: The rank among the activities of the app: the one with the highest number comes first.
  public init(
    _ activity: LiveActivity, alert: Alert? = nil, sound: String? = nil,
    relevanceScore: Double? = nil
  ) {
    var aps = APS()
    aps.liveActivity = activity
    aps.alert = alert
    if let sound { aps.alert?.unknown["sound"] = .string(sound) }
    aps.relevanceScore = relevanceScore
    self.init(aps: aps)
  }
}
