extension LiveActivity {
  /// Begins an activity on a device: iOS 17.2 and later, to the token that the app got for starting.
  ///
  /// Its push must show an alert. ``inputPushToken`` asks for the new activity's own token,
  /// ``inputPushChannel`` makes it follow a channel in its place (iOS 18).
  ///
  /// - Parameters:
  ///   - attributesType: The name of the `ActivityAttributes` type.
  ///   - attributes: An object that decodes to that type.
  ///   - contentState: An object that decodes to its `ContentState`.
  ///   - timestamp: Now, in UNIX seconds.
  /// - Returns: The keys of the event.
  public static func start(
    _ attributesType: String, attributes: JSONValue, contentState: JSONValue, at timestamp: Int64
  ) -> LiveActivity {
    var activity = LiveActivity(event: "start")
    activity.attributesType = attributesType
    activity.attributes = attributes
    activity.contentState = contentState
    activity.timestamp = timestamp
    return activity
  }

  /// Gives an activity new content.
  ///
  /// - Parameters:
  ///   - contentState: An object that decodes to the activity's `ContentState`.
  ///   - timestamp: Now, in UNIX seconds; the system ignores what is older than the last.
  ///   - staleDate: When the content is outdated, in UNIX seconds.
  /// - Returns: The keys of the event.
  public static func update(
    contentState: JSONValue, at timestamp: Int64, staleDate: Int64? = nil
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
  ///   - contentState: The last content; `nil` leaves what is there.
  ///   - timestamp: Now, in UNIX seconds.
  ///   - dismissalDate: When it leaves the lock screen, in UNIX seconds: one that is past is at once, `nil` up
  ///     to four hours.
  /// - Returns: The keys of the event.
  public static func end(
    contentState: JSONValue? = nil, at timestamp: Int64, dismissalDate: Int64? = nil
  ) -> LiveActivity {
    var activity = LiveActivity(event: "end")
    activity.contentState = contentState
    activity.timestamp = timestamp
    activity.dismissalDate = dismissalDate
    return activity
  }

  /// Why the system would drop the event; `nil` where nothing is known to be wrong.
  ///
  /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
  ///
  /// - Parameters:
  ///   - hasAlert: Whether its push has an alert.
  ///   - isBroadcast: Whether it goes to a channel.
  /// - Returns: The first fault, with the key it is in.
  public func problem(hasAlert: Bool, isBroadcast: Bool) -> String? {
    if timestamp == nil { return "a Live Activity push needs its timestamp" }
    for (key, value) in [("content-state", contentState), ("attributes", attributes)] {
      if let value, value.object == nil { return "\(key) is \(value.typeName); it takes an object" }
    }
    switch event {
    case "start":
      if isBroadcast { return "a channel takes update and end; a start goes to a device" }
      if (attributesType ?? "").isEmpty { return "start needs attributes-type" }
      if attributes == nil { return "start needs attributes" }
      if contentState == nil { return "start needs content-state" }
      if !hasAlert { return "start needs an alert" }
      if inputPushToken, inputPushChannel != nil {
        return
          "an activity has a token or follows a channel: not both input-push-token and -channel"
      }
    case "update", "end":
      if event == "update", contentState == nil { return "update needs content-state" }
      if attributesType != nil || attributes != nil || inputPushToken || inputPushChannel != nil {
        return "attributes, input-push-token and input-push-channel go with start only"
      }
    default: return "the event is start, update or end"
    }
    if event != "end", dismissalDate != nil { return "dismissal-date goes with end only" }
    return nil
  }
}

extension APNsPayload {
  /// Makes the payload of a Live Activity push.
  ///
  /// - Parameters:
  ///   - activity: The event.
  ///   - alert: What is shown beside the activity; `start` needs one.
  ///   - sound: The sound of the alert, which stands inside it in such a push.
  ///   - relevanceScore: Which activity goes first where there are several; any number.
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
