import PushPayload

extension LintRules {
  /// Whether there is an `aps` dictionary that does something, and its values have Apple's types.
  static let aps: [LintRule] = [
    LintRule(
      "M201", .error, "there is no aps dictionary",
      why: """
        The phone builds the notification from `aps` alone. Without it nothing is shown, and the app is \
        not woken.
        """,
      bad: #"{"alert": "Hello"}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "put alert, sound and badge into an object named aps"
    ) { subject in
      guard let json = subject.json, subject.top["aps"] == nil, !subject.needsNoAps,
        json.pathOfNestedAps == nil
      else { return [] }
      return [LintFinding("$", "has no aps")]
    },
    LintRule(
      "M202", .error, "aps is not an object",
      why: "A text with JSON inside, as form encoders make it, is a text to the phone.",
      bad: #"{"aps": "{\"alert\": \"Hello\"}"}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "nest the object itself, not its text"
    ) { subject in
      guard let aps = subject.top["aps"], aps.object == nil else { return [] }
      return [LintFinding("$.aps", "is \(aps.typeName); it takes an object")]
    },
    LintRule(
      "M203", .error, "aps stands inside another object",
      why: """
        Requests to Firebase, Expo and other relays wrap the payload: `message.apns.payload.aps`. APNs \
        takes what is inside the wrapping; the rest is the relay's.
        """,
      bad: #"{"message": {"apns": {"payload": {"aps": {"alert": "Hello"}}}}}"#,
      good: #"{"aps": {"alert": "Hello"}}"#,
      fix: "send the object that holds aps"
    ) { subject in
      guard subject.top["aps"] == nil, let path = subject.json?.pathOfNestedAps else { return [] }
      return [LintFinding(path, "stands below the top, where the phone does not look")]
    },
    LintRule(
      "M204", .error, "the payload shows, plays, counts and wakes nothing",
      why: """
        A notification needs alert text, a badge or a sound; a background update needs \
        `content-available`. A payload with neither is dropped by the phone without a trace.
        """,
      bad: #"{"aps": {"category": "INVITE", "thread-id": "party"}}"#,
      good: #"{"aps": {"alert": "You are invited", "category": "INVITE"}}"#,
      fix: "add an alert, or content-available for a background update"
    ) { subject in
      guard let aps = subject.aps, !subject.needsNoAps, !subject.isLiveActivity else { return [] }
      let effects = ["alert", "badge", "sound", "content-available", "content-changed"]
      // A wrong type or an empty alert is another rule's; here nothing was tried at all.
      guard !effects.contains(where: { !(aps[$0] ?? .null).isNull }) else { return [] }
      return [LintFinding("$.aps", "has no alert, badge, sound or content-available")]
    },
    LintRule(
      "M205", .error, "alert is neither a text nor an object",
      why: "The phone takes a text, which is the body, or an object with title, subtitle and body.",
      bad: #"{"aps": {"alert": ["Hello", "World"], "badge": 1}}"#,
      good: #"{"aps": {"alert": {"title": "Hello", "body": "World"}, "badge": 1}}"#,
      fix: "write a text, or an object with title and body"
    ) { $0.findings(.wrongType, at: "$.aps.alert") },
    LintRule(
      "M206", .error, "badge is not a whole number from 0",
      why: """
        A badge in quotes, below zero or with a fraction is dropped. There is no “+1” in Apple's payload: \
        whoever counts, sends the sum, or leaves counting to the extension.
        """,
      bad: #"{"aps": {"alert": "Hello", "badge": "3"}}"#,
      good: #"{"aps": {"alert": "Hello", "badge": 3}}"#,
      fix: "send the number itself, 0 to remove the badge"
    ) { $0.findings(.wrongType, at: "$.aps.badge") },
    LintRule(
      "M207", .error, "sound is neither a text nor an object",
      why: "`true` and `1` play nothing: the phone takes a file's name, `default`, or an object.",
      bad: #"{"aps": {"alert": "Hello", "sound": true}}"#,
      good: #"{"aps": {"alert": "Hello", "sound": "default"}}"#,
      fix: "write \"default\", or the name of a sound file in the app"
    ) { subject in
      subject.aps?["sound"]?.object == nil ? subject.findings(.wrongType, at: "$.aps.sound") : []
    },
    LintRule(
      "M208", .error, "a name in aps is not a text",
      why: """
        `category`, `thread-id`, `target-content-id` and `filter-criteria` are texts. A number there is \
        dropped: no buttons, no grouping.
        """,
      bad: #"{"aps": {"alert": "Hello", "thread-id": 4711}}"#,
      good: #"{"aps": {"alert": "Hello", "thread-id": "4711"}}"#,
      fix: "put it in quotes"
    ) {
      $0.findings(
        .wrongType, at: "$.aps.category", "$.aps.thread-id", "$.aps.target-content-id",
        "$.aps.filter-criteria")
    },
    LintRule(
      "M209", .warning, "mutable-content is not the number 1",
      why: """
        Apple's table asks for the number 1. That phones also take `true` and \"1\" is seen, not promised; \
        relays between here and there may be stricter.
        """,
      bad:
        #"{"aps": {"alert": "Hello", "mutable-content": true}, "attachment": "https://example.com/a.png"}"#,
      good:
        #"{"aps": {"alert": "Hello", "mutable-content": 1}, "attachment": "https://example.com/a.png"}"#,
      fix: "write 1"
    ) { $0.findings(.wrongType, at: "$.aps.mutable-content") },
    LintRule(
      "M210", .warning, "content-available is not the number 1",
      why: """
        Apple's table asks for the number 1. That phones also take `true` and \"1\" is seen, not promised; \
        relays between here and there may be stricter.
        """,
      bad: #"{"aps": {"content-available": "1"}}"#,
      good: #"{"aps": {"content-available": 1}}"#,
      fix: "write 1"
    ) { $0.findings(.wrongType, at: "$.aps.content-available") },
  ]
}

extension LintSubject {
  /// Whether the push is for something else than a notification: MDM, a call, a file provider.
  private static let typesWithoutAps: Set = [
    "complication", "fileprovider", "location", "mdm", "pushtotalk", "voip",
  ]

  fileprivate var needsNoAps: Bool {
    headers.pushType.map { Self.typesWithoutAps.contains($0) } ?? (top["mdm"] != nil)
  }
}

extension JSONValue {
  /// Where an object named `aps` stands below the top, at most six levels down.
  fileprivate var pathOfNestedAps: String? { pathOfAps(from: "$", levels: 6) }

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
