import PushPayload

extension LintRules {
  /// Whether topic, push type and payload belong together; silent about headers not given.
  static let topic: [LintRule] = [
    LintRule(
      "M621", .error, "the topic is empty or holds odd characters",
      why: """
        The topic is the app's bundle id, for some push types with a suffix: letters, digits, hyphens and \
        dots. APNs answers 400 `MissingTopic` or `BadTopic`.
        """,
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(topic: "com.example.my app")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(topic: "com.example.my-app")),
      fix: "copy the bundle id from Xcode"
    ) { subject in
      guard let topic = subject.headers.topic else { return [] }
      let isFine =
        (1...255).contains(topic.utf8.count) && topic.utf8.allSatisfy { 0x21...0x7E ~= $0 }
      return isFine ? [] : [LintFinding("apns-topic", "is no bundle id")]
    },
    LintRule(
      "M622", .error, "the topic does not fit the push type",
      why: """
        Each push type has its own end of the topic: none for alerts, `.voip` for calls, \
        `.push-type.liveactivity` for Live Activities. APNs answers 400 `DeviceTokenNotForTopic` or \
        `TopicDisallowed`.
        """,
      bad: .init(
        #"{"aps": {"alert": "Hello"}}"#,
        .init(pushType: "alert", topic: "com.example.app.voip")),
      good: .init(
        #"{"aps": {"alert": "Hello"}}"#, .init(pushType: "alert", topic: "com.example.app")),
      fix: "end the topic as the push type asks"
    ) { subject in
      guard let topic = subject.headers.topic, let type = subject.pushType, type != "mdm",
        let suffix = PushTypes.topicSuffixes[type]
      else { return [] }
      let others = PushTypes.topicSuffixes.values.filter { !$0.isEmpty && topic.hasSuffix($0) }
      if suffix.isEmpty ? others.isEmpty : topic.hasSuffix(suffix) { return [] }
      let end = suffix.isEmpty ? "is the bundle id alone" : "ends in \(suffix)"
      return [LintFinding("apns-topic", "for the push type \(type) the topic \(end)")]
    },
    LintRule(
      "M623", .error, "push type and payload disagree about a Live Activity",
      why: """
        A payload with `event` starts, updates or ends a Live Activity, and only the push type \
        `liveactivity` delivers it; that type delivers nothing else.
        """,
      bad: .init(
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
        .init(pushType: "alert")),
      good: .init(
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
        .init(pushType: "liveactivity")),
      fix: "send Live Activities, and nothing else, as liveactivity"
    ) { subject in
      guard let type = subject.headers.pushType, let aps = subject.aps else { return [] }
      if aps["event"]?.string != nil, type != "liveactivity" {
        return [LintFinding("$.aps.event", "needs the push type liveactivity")]
      }
      return type == "liveactivity" && aps["event"] == nil
        ? [LintFinding("$.aps", "has no event, which the push type liveactivity needs")] : []
    },
  ]
}
