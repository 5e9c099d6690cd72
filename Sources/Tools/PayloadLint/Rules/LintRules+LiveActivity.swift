import PushPayload

extension LintRules {
  /// Rules about Live Activities, whose pushes must have the members that their event needs.
  ///
  /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
  static let liveActivity: [LintRule] = [
    LintRule(
      "M901", .error, summary: "the event of a Live Activity is unknown",
      why: "The event is `start`, `update` or `end`. The system ignores any other.",
      bad: #"{"aps": {"timestamp": 1798135200, "event": "stop", "content-state": {"laps": 3}}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "end", "content-state": {"laps": 3}}}"#,
      fix: "write start, update or end"
    ) { subject in
      guard let event = subject.aps?["event"] else { return [] }
      return ["start", "update", "end"].contains(event)
        ? [] : [LintFinding("$.aps.event", "must be start, update or end")]
    },
    LintRule(
      "M902", .error, summary: "a Live Activity push has no timestamp",
      why: """
        The system orders the pushes of an activity by their `timestamp`. All of Apple's examples have one, \
        and the model of iOS ignores a push without it.
        """,
      bad: #"{"aps": {"event": "update", "content-state": {"laps": 3}}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "add the time of sending in seconds since 1970"
    ) { subject in
      subject.activity != nil && subject.lacks("timestamp")
        ? [LintFinding("$.aps.event", "needs a timestamp beside it")] : []
    },
    LintRule(
      "M903", .error, summary: "a time is in milliseconds",
      why: """
        `timestamp`, `stale-date` and `dismissal-date` are seconds since 1970. A timestamp in milliseconds \
        is in the far future, so the system ignores every later update.
        """,
      bad:
        #"{"aps": {"timestamp": 1798135200000, "event": "update", "content-state": {"laps": 3}}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "divide it by 1000"
    ) { subject in
      times.filter { subject.aps?[$0]?.integer.map(UnixTime.isMilliseconds) ?? false }
        .map { LintFinding("$.aps.\($0)", "is later than the year 5000") }
    },
    LintRule(
      "M904", .error, summary: "a key of a Live Activity has a wrong type",
      why: """
        Times are whole numbers, `content-state` and `attributes` are objects, `attributes-type` is a string. \
        A push that cannot be decoded changes nothing on the Lock Screen.
        """,
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": "{\"laps\": 3}"}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "give it the type that the finding names"
    ) {
      $0.findings(
        .wrongType, at: "$.aps.timestamp", "$.aps.content-state", "$.aps.stale-date",
        "$.aps.dismissal-date", "$.aps.attributes-type", "$.aps.attributes",
        "$.aps.input-push-token", "$.aps.input-push-channel")
    },
    LintRule(
      "M905", .error, summary: "the start of a Live Activity lacks a key",
      why: """
        `start` creates the activity from `attributes-type`, `attributes` and `content-state`, and must have an `alert`.
        """,
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "start", "content-state": {"laps": 0}, "alert": {"title": "Race", "body": "It begins"}}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "event": "start", "attributes-type": "RaceAttributes", "attributes": {"name": "Monza"}, "content-state": {"laps": 0}, "alert": {"title": "Race", "body": "It begins"}}}"#,
      fix: "add the key that the finding names"
    ) { subject in
      guard subject.activity == "start" else { return [] }
      return ["attributes-type", "attributes", "content-state", "alert"].filter(subject.lacks)
        .map { LintFinding("$.aps.event", "is start and needs \($0) beside it") }
    },
    LintRule(
      "M906", .error, summary: "an update of a Live Activity has no content",
      why: "`content-state` is the content that the update shows.",
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "alert": {"title": "Race", "body": "Lap 3"}}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}, "alert": {"title": "Race", "body": "Lap 3"}}}"#,
      fix: "add content-state with every property of the app's ContentState"
    ) { subject in
      guard subject.activity == "update", subject.lacks("content-state") else { return [] }
      return [LintFinding("$.aps.event", "is update and needs content-state beside it")]
    },
    LintRule(
      "M907", .error, summary: "keys of a Live Activity without an event",
      why:
        "Without `event` the push is an ordinary notification, and the system ignores these keys.",
      bad: #"{"aps": {"alert": "Lap 3", "timestamp": 1798135200, "content-state": {"laps": 3}}}"#,
      good:
        #"{"aps": {"alert": {"title": "Race", "body": "Lap 3"}, "timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "add \"event\": \"update\""
    ) { subject in
      guard let aps = subject.aps, aps["event"] == nil else { return [] }
      let keys = [
        "attributes", "attributes-type", "content-state", "dismissal-date", "input-push-channel",
        "input-push-token", "stale-date", "timestamp",
      ]
      return keys.first { aps[$0] != nil }
        .map { [LintFinding("$.aps.\($0)", "needs an event beside it")] } ?? []
    },
    LintRule(
      "M908", .warning, summary: "the activity is stale before it is shown",
      why:
        "With a `stale-date` at or before `timestamp` the update is outdated as soon as it is shown.",
      bad:
        #"{"aps": {"timestamp": 1798135200, "stale-date": 1798131600, "event": "update", "content-state": {"laps": 3}}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "stale-date": 1798138800, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "set it to the time at which the content is outdated, or remove it"
    ) { subject in
      guard subject.activity != nil, let sent = subject.aps?["timestamp"]?.integer,
        let stale = subject.aps?["stale-date"]?.integer, stale <= sent
      else { return [] }
      return [LintFinding("$.aps.stale-date", "must be after the timestamp")]
    },
    LintRule(
      "M909", .warning, summary: "a dismissal date without an end",
      why:
        "`dismissal-date` is the time at which an *ended* activity leaves the Lock Screen; other events ignore it.",
      bad:
        #"{"aps": {"timestamp": 1798135200, "dismissal-date": 1798138800, "event": "update", "content-state": {"laps": 3}}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "dismissal-date": 1798138800, "event": "end", "content-state": {"laps": 3}}}"#,
      fix: "send it with event end"
    ) { subject in
      guard let event = subject.activity, event != "end", subject.aps?["dismissal-date"] != nil
      else { return [] }
      return [LintFinding("$.aps.dismissal-date", "has no effect with event \(event)")]
    },
    LintRule(
      "M910", .warning, summary: "the sound of a Live Activity is outside the alert",
      why: "In a Live Activity push `sound` is a key of `alert`; outside it is not played.",
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}, "alert": {"title": "Race", "body": "Lap 3"}, "sound": "horn.caf"}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}, "alert": {"title": "Race", "body": "Lap 3", "sound": "horn.caf"}}}"#,
      fix: "move it into alert"
    ) { subject in
      subject.activity != nil && subject.hasSound
        ? [LintFinding("$.aps.sound", "belongs in the alert of a Live Activity")] : []
    },
    LintRule(
      "M911", .warning, summary: "a request for updates without a start",
      why: """
        `input-push-token` and `input-push-channel` say how a *started* activity gets its updates: by a push \
        token of its own or by a broadcast channel. They apply to `start` only, and exclude each other.
        """,
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}, "input-push-token": 1}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "send one of them, with event start"
    ) { subject in
      guard let event = subject.activity else { return [] }
      let asked = ["input-push-channel", "input-push-token"].filter { subject.aps?[$0] != nil }
      if event != "start" {
        return asked.map { LintFinding("$.aps.\($0)", "has no effect with event \(event)") }
      }
      return asked.count == 2
        ? [LintFinding("$.aps.input-push-channel", "excludes input-push-token")] : []
    },
  ]

  private static let times = ["timestamp", "stale-date", "dismissal-date"]
}

extension LintSubject {
  /// The event of a Live Activity; `nil` if it is not a string.
  fileprivate var activity: String? { aps?["event"]?.string }

  /// Returns whether a key of `aps` is absent or null.
  fileprivate func lacks(_ key: String) -> Bool { aps?[key]?.isNull ?? true }
}
