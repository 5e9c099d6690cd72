import PushPayload

extension LintRules {
  /// Whether a push that wakes the app is one that does only that.
  static let background: [LintRule] = [
    LintRule(
      "M501", .error, "a background push carries alert text",
      why: """
        With `apns-push-type: background` the phone shows nothing, alert or not; APNs may delay or drop \
        what does not match its type.
        """,
      bad: .init(
        #"{"aps": {"content-available": 1, "alert": "Hello"}}"#,
        .init(pushType: "background", priority: "5")),
      good: .init(
        #"{"aps": {"content-available": 1, "alert": "Hello"}}"#, .init(pushType: "alert")),
      fix: "send it as alert, or leave the text out"
    ) { subject in
      guard subject.headers.pushType == "background", subject.hasAlertText else { return [] }
      return [LintFinding("$.aps.alert", "is not shown by a push of type background")]
    },
    LintRule(
      "M502", .warning, "a background update has a sound or a badge",
      why: """
        A silent push has `content-available` and no alert, sound or badge. With one of them it is a \
        notification, needs the user's permission, and is no longer one the phone may batch.
        """,
      bad: #"{"aps": {"content-available": 1, "sound": ""}}"#,
      good: #"{"aps": {"content-available": 1}}"#,
      fix: "leave sound and badge out, or add an alert"
    ) { subject in
      guard let aps = subject.aps, subject.isContentAvailable, !subject.hasAlertText,
        aps["alert"] == nil
      else { return [] }
      return ["sound", "badge"].filter { !(aps[$0] ?? .null).isNull }
        .map { LintFinding("$.aps.\($0)", "makes a background update a notification") }
    },
    LintRule(
      "M503", .error, "a background push does not wake the app",
      why:
        "The push type `background` says what `content-available` does. Without that key nothing happens.",
      bad: .init(
        #"{"aps": {"badge": 3}, "sync": true}"#, .init(pushType: "background", priority: "5")),
      good: .init(
        #"{"aps": {"content-available": 1}, "sync": true}"#,
        .init(pushType: "background", priority: "5")),
      fix: "add \"content-available\": 1"
    ) { subject in
      guard subject.headers.pushType == "background", let aps = subject.aps,
        !subject.isContentAvailable
      else { return [] }
      return [
        LintFinding(
          aps["content-available"] == nil ? "$.aps" : "$.aps.content-available",
          "has no \"content-available\": 1, which a background push needs")
      ]
    },
    LintRule(
      "M504", .warning, "a silent push is sent as an alert",
      why: """
        Apple: the push type must say what the payload does; where they differ, APNs may answer with an \
        error, delay the push or drop it.
        """,
      bad: .init(#"{"aps": {"content-available": 1}}"#, .init(pushType: "alert")),
      good: .init(
        #"{"aps": {"content-available": 1}}"#, .init(pushType: "background", priority: "5")),
      fix: "send it as background, with priority 5"
    ) { subject in
      guard subject.headers.pushType == "alert", subject.isContentAvailable,
        subject.aps?["alert"] == nil, !subject.hasBadge, !subject.hasSound
      else { return [] }
      return [LintFinding("apns-push-type", "is alert, and there is nothing to show")]
    },
  ]
}
