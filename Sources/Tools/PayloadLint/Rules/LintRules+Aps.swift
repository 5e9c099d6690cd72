import PushPayload

extension LintRules {
  /// The code of the rule for a payload that has no effect.
  package static let noEffect = "M204"

  /// Rules about the `aps` dictionary: its presence, its effect, and the types of its values.
  static let aps: [LintRule] = [
    LintRule(
      "M201", .error, summary: "there is no aps dictionary",
      why: """
        iOS builds the notification from `aps` alone. Without it, iOS shows nothing and does not wake the \
        app.
        """,
      bad: #"{"alert": "Hello"}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "put alert, sound and badge into an object named aps"
    ) { subject in
      guard let json = subject.json, subject.top["aps"] == nil, !subject.needsNoAps,
        subject.foreignRequest == nil, json.pathOfNestedAps == nil
      else { return [] }
      return [LintFinding("$", "has no aps")]
    },
    LintRule(
      "M202", .error, summary: "aps is not an object",
      why: "iOS does not parse a string that contains JSON, as form encoders make it.",
      bad: #"{"aps": "{\"alert\": \"Hello\"}"}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "nest the object itself, not its JSON as a string"
    ) { subject in
      guard let aps = subject.top["aps"], aps.object == nil else { return [] }
      return [LintFinding("$.aps", "is \(aps.typeName); it takes an object")]
    },
    LintRule(
      "M203", .error, summary: "aps is inside another object",
      why: """
        Requests to Firebase, Expo and other relays wrap the payload: `message.apns.payload.aps`. APNs \
        takes only the payload inside; the rest is for the relay.
        """,
      bad: #"{"message": {"apns": {"payload": {"aps": {"alert": "Hello"}}}}}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "send the object that contains aps"
    ) { subject in
      guard subject.top["aps"] == nil, let path = subject.json?.pathOfNestedAps else { return [] }
      return [LintFinding(path, "is not at the top of the payload, where iOS looks for it")]
    },
    LintRule(
      noEffect, .error, summary: "the payload has no effect",
      why: """
        A notification needs alert text, a badge or a sound; a background update needs \
        `content-available`. iOS drops a payload with neither, without an error.
        """,
      bad: #"{"aps": {"category": "INVITE", "thread-id": "party"}}"#,
      good: #"{"aps": {"alert": "You are invited", "category": "INVITE"}}"#,
      fix: "add an alert, or content-available for a background update"
    ) { subject in
      guard let aps = subject.aps, !subject.needsNoAps, !subject.isLiveActivity else { return [] }
      let effects = ["alert", "badge", "sound", "content-available", "content-changed"]
      // Another rule reports a wrong type or an empty alert.
      guard !effects.contains(where: { !(aps[$0] ?? .null).isNull }) else { return [] }
      return [LintFinding("$.aps", "has no alert, badge, sound or content-available")]
    },
    LintRule(
      "M205", .error, summary: "alert is neither a string nor an object",
      why: "iOS takes a string, which is the body, or an object with title, subtitle and body.",
      bad: #"{"aps": {"alert": ["Hello", "World"], "badge": 1}}"#,
      good: #"{"aps": {"alert": {"title": "Hello", "body": "World"}, "badge": 1}}"#,
      fix: "write a string, or an object with title and body"
    ) { $0.findings(.wrongType, at: "$.aps.alert") },
    LintRule(
      "M206", .error, summary: "badge is not a whole number from 0",
      why: """
        iOS ignores a badge that is a string, negative or a fraction. Apple's payload has no “+1”: the \
        server sends the total, or the service extension counts.
        """,
      bad: #"{"aps": {"alert": "Hello", "badge": "3"}}"#,
      good: #"{"aps": {"alert": "Hello", "badge": 3}}"#,
      fix: "send a number, or 0 to remove the badge"
    ) { $0.findings(.wrongType, at: "$.aps.badge") },
    LintRule(
      "M207", .error, summary: "sound is neither a string nor an object",
      why:
        "iOS takes the name of a file, `default` or an object; for `true` and `1` it plays nothing.",
      bad: #"{"aps": {"alert": "Hello", "sound": true}}"#,
      good: #"{"aps": {"alert": "Hello", "sound": "default"}}"#,
      fix: "write \"default\", or the name of a sound file in the app"
    ) { subject in
      subject.aps?["sound"]?.object == nil ? subject.findings(.wrongType, at: "$.aps.sound") : []
    },
    LintRule(
      "M208", .error, summary: "a name in aps is not a string",
      why: """
        `category`, `thread-id`, `target-content-id` and `filter-criteria` are strings. iOS ignores a \
        number there: no buttons, no grouping.
        """,
      bad: #"{"aps": {"alert": "Hello", "thread-id": 4711}}"#,
      good: #"{"aps": {"alert": "Hello", "thread-id": "4711"}}"#,
      fix: "write it as a string"
    ) {
      $0.findings(
        .wrongType, at: "$.aps.category", "$.aps.thread-id", "$.aps.target-content-id",
        "$.aps.filter-criteria")
    },
    LintRule(
      "M209", .warning, summary: "mutable-content is not the number 1",
      why: """
        Apple's table requires the number 1. iOS has been seen to take `true` and \"1\" too, but Apple does \
        not promise it, and relays may be stricter.
        """,
      bad:
        #"{"aps": {"alert": "Hello", "mutable-content": true}, "attachment": "https://example.com/a.png"}"#,
      good:
        #"{"aps": {"alert": "Hello", "mutable-content": 1}, "attachment": "https://example.com/a.png"}"#,
      fix: "write 1"
    ) { $0.findings(.wrongType, at: "$.aps.mutable-content") },
    LintRule(
      "M210", .warning, summary: "content-available is not the number 1",
      why: """
        Apple's table requires the number 1. iOS has been seen to take `true` and \"1\" too, but Apple does \
        not promise it, and relays may be stricter.
        """,
      bad: #"{"aps": {"content-available": "1"}}"#,
      good: #"{"aps": {"content-available": 1}}"#,
      fix: "write 1"
    ) { $0.findings(.wrongType, at: "$.aps.content-available") },
  ]
}

extension LintSubject {
  /// The push types that need no `aps`, because they do not show a notification.
  private static let typesWithoutAps: Set = [
    "complication", "fileprovider", "location", "mdm", "pushtotalk", "voip",
  ]

  var needsNoAps: Bool {
    // The push that makes Wallet update a pass has an empty payload, and the pass type as its topic.
    if top.isEmpty, headers.topic?.hasPrefix("pass.") ?? false { return true }
    return headers.pushType.map { Self.typesWithoutAps.contains($0) } ?? (top["mdm"] != nil)
  }
}

extension JSONValue {
  /// The path of an object named `aps` below the top, at most six levels deep.
  var pathOfNestedAps: String? { pathOfAps(from: "$", levels: 6) }

  private func pathOfAps(from path: String, levels: Int) -> String? {
    guard levels > 0, let members = object else { return nil }
    if path != "$", members["aps"]?.object != nil { return path + ".aps" }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      if let found = value.pathOfAps(from: path + JSONScan.step(key), levels: levels - 1) {
        return found
      }
    }
    return nil
  }
}
