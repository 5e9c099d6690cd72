import PushPayload

extension LintRules {
  /// Rules about background pushes, which must only wake the app.
  static let background: [LintRule] = [
    LintRule(
      "M501", .error, summary: "a background push carries alert text",
      why: """
        With `apns-push-type: background` iOS shows no alert, and APNs may delay or drop a push that does \
        not match its type.
        """,
      bad: .init(
        #"{"aps": {"content-available": 1, "alert": "Hello"}}"#,
        .init(pushType: "background", priority: "5")),
      good: .init(
        #"{"aps": {"content-available": 1, "alert": "Hello"}}"#, .init(pushType: "alert")),
      fix: "send it with push type alert, or remove the text"
    ) { subject in
      guard subject.headers.pushType == "background", subject.hasAlertText else { return [] }
      return [LintFinding("$.aps.alert", "is not shown with push type background")]
    },
    LintRule(
      "M502", .warning, summary: "a background update has a sound or a badge",
      why: """
        A silent push has `content-available` and no alert, sound or badge. With one of them it is a \
        notification, which needs the user's permission.
        """,
      bad: #"{"aps": {"content-available": 1, "sound": ""}}"#,
      good: #"{"aps": {"content-available": 1}}"#,
      fix: "remove sound and badge, or add an alert"
    ) { subject in
      guard let aps = subject.aps, subject.isContentAvailable, !subject.hasAlertText,
        aps["alert"] == nil
      else { return [] }
      return ["sound", "badge"].filter { !(aps[$0] ?? .null).isNull }
        .map { LintFinding("$.aps.\($0)", "makes a notification of a background update") }
    },
    LintRule(
      "M503", .error, summary: "a background push does not wake the app",
      why:
        "The push type `background` goes with `content-available`. Without that key iOS does nothing.",
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
          "needs \"content-available\": 1 for a background push")
      ]
    },
    LintRule(
      "M504", .warning, summary: "a silent push is sent as an alert",
      why: """
        Apple: the push type must say what the payload does; where they differ, APNs may answer with an \
        error, delay the push or drop it.
        """,
      bad: .init(#"{"aps": {"content-available": 1}}"#, .init(pushType: "alert")),
      good: .init(
        #"{"aps": {"content-available": 1}}"#, .init(pushType: "background", priority: "5")),
      fix: "send it with push type background and priority 5"
    ) { subject in
      guard subject.headers.pushType == "alert", subject.isContentAvailable,
        subject.aps?["alert"] == nil, !subject.hasBadge, !subject.hasSound
      else { return [] }
      return [LintFinding("apns-push-type", "is alert, but the payload has nothing to show")]
    },
  ]
}
