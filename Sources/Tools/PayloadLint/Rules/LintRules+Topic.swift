import PushPayload

extension LintRules {
  /// Rules about the topic, the push type and the payload together; a header that was not given is not checked.
  static let topic: [LintRule] = [
    LintRule(
      "M621", .error, summary: "the topic is empty, too long or has invalid characters",
      why: """
        The topic is the app's bundle ID, for some push types followed by a suffix: letters, digits, hyphens \
        and dots, at most 255 bytes. APNs answers 400 `MissingTopic` or `BadTopic`.
        """,
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(topic: "com.example.my app")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(topic: "com.example.my-app")),
      fix: "copy the bundle ID from Xcode"
    ) { subject in
      guard let topic = subject.headers.topic, !PushType.isTopic(topic) else { return [] }
      return [LintFinding("apns-topic", "is not a bundle ID, with or without a suffix")]
    },
    LintRule(
      "M622", .error, summary: "the topic does not fit the push type",
      why: """
        Apple requires a suffix of its own for most push types: none for alerts, `.voip` for calls, \
        `.push-type.liveactivity` for Live Activities. APNs answers 400 `DeviceTokenNotForTopic` or \
        `TopicDisallowed`.
        """,
      bad: .init(
        #"{"aps": {"alert": "Hello"}}"#,
        .init(pushType: "voip", topic: "com.example.app")),
      good: .init(
        #"{"aps": {"alert": "Hello"}}"#, .init(pushType: "voip", topic: "com.example.app.voip")),
      fix: "end the topic as the push type requires"
    ) { subject in
      guard let topic = subject.headers.topic, PushType.isTopic(topic),
        let type = subject.pushType, PushType.all.contains(.init(rawValue: type)),
        let problem = PushType(rawValue: type).problem(withTopic: topic)
      else { return [] }
      return [LintFinding("apns-topic", String(problem.trimmingPrefix("apns-topic ")))]
    },
    LintRule(
      "M623", .error, summary: "push type and payload disagree about a Live Activity",
      why: """
        A payload with `event` starts, updates or ends a Live Activity, which only the push type \
        `liveactivity` delivers; that type delivers nothing else.
        """,
      bad: .init(
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
        .init(pushType: "alert")),
      good: .init(
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
        .init(pushType: "liveactivity")),
      fix: "send Live Activities, and nothing else, with push type liveactivity"
    ) { subject in
      guard let type = subject.headers.pushType, let aps = subject.aps else { return [] }
      if aps["event"]?.string != nil, type != "liveactivity" {
        return [LintFinding("$.aps.event", "needs push type liveactivity")]
      }
      return type == "liveactivity" && aps["event"] == nil
        ? [LintFinding("$.aps", "needs an event for push type liveactivity")] : []
    },
    LintRule(
      "M624", .warning, summary: "the topic ends like that of another push type",
      why: """
        A push type whose topic is the bundle ID alone is sent to a topic that ends in `.voip` or another \
        suffix that Apple gives a meaning. That is right only for an app whose bundle ID ends so; for any \
        other APNs answers 400 `DeviceTokenNotForTopic`.
        """,
      bad: .init(
        #"{"aps": {"alert": "Hello"}}"#,
        .init(pushType: "alert", topic: "com.example.app.voip")),
      good: .init(
        #"{"aps": {"alert": "Hello"}}"#, .init(pushType: "alert", topic: "com.example.app")),
      fix: "use the bundle ID as the topic, or the push type that the suffix belongs to"
    ) { subject in
      guard let topic = subject.headers.topic, let type = subject.pushType, type != "mdm",
        PushType.all.contains(.init(rawValue: type)),
        PushType(rawValue: type).requirements.topicSuffix.isEmpty,
        let other = PushType.likelyType(ofTopic: topic)
      else { return [] }
      return [LintFinding("apns-topic", "ends like a topic of push type \(other.rawValue)")]
    },
  ]
}
