import PushPayload

extension LintRules {
  /// Whether a push for a Live Activity has what its event needs.
  ///
  /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
  static let liveActivity: [LintRule] = [
    LintRule(
      "M901", .error, "the event of a Live Activity is unknown",
      why: "It is `start`, `update` or `end`. The system passes over any other.",
      bad: #"{"aps": {"timestamp": 1798135200, "event": "stop", "content-state": {"laps": 3}}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "end", "content-state": {"laps": 3}}}"#,
      fix: "write start, update or end"
    ) { subject in
      guard let event = subject.aps?["event"] else { return [] }
      return ["start", "update", "end"].contains(event)
        ? [] : [LintFinding("$.aps.event", "takes start, update or end")]
    },
    LintRule(
      "M902", .warning, "a Live Activity's push has no timestamp",
      why: """
        The system passes over updates whose `timestamp` is older than what it shows. Every example of \
        Apple's carries one; what happens without it is not documented.
        """,
      bad: #"{"aps": {"event": "update", "content-state": {"laps": 3}}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "add the time of sending in seconds since 1970"
    ) { subject in
      subject.activity != nil && subject.aps?["timestamp"] == nil
        ? [LintFinding("$.aps.event", "has no timestamp beside it")] : []
    },
    LintRule(
      "M903", .error, "a time is in milliseconds",
      why: """
        `timestamp`, `stale-date` and `dismissal-date` are seconds since 1970. In milliseconds a \
        timestamp lies in the far future, and every later update counts as stale.
        """,
      bad:
        #"{"aps": {"timestamp": 1798135200000, "event": "update", "content-state": {"laps": 3}}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "divide by 1000"
    ) { subject in
      times.filter { subject.aps?[$0]?.integer.map(UnixTime.isMilliseconds) ?? false }
        .map { LintFinding("$.aps.\($0)", "lies beyond the year 5000") }
    },
    LintRule(
      "M904", .error, "a key of a Live Activity has a wrong type",
      why: """
        Times are whole numbers, `content-state` and `attributes` are objects, `attributes-type` is a \
        text. A push that does not decode changes nothing on the lock screen.
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
      "M905", .error, "the start of a Live Activity lacks what it needs",
      why: """
        `start` makes the activity from `attributes-type` and `attributes`, and must show an `alert`.
        """,
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "start", "content-state": {"laps": 0}, "alert": {"title": "Race", "body": "It begins"}}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "event": "start", "attributes-type": "RaceAttributes", "attributes": {"name": "Monza"}, "content-state": {"laps": 0}, "alert": {"title": "Race", "body": "It begins"}}}"#,
      fix: "add what the finding names"
    ) { subject in
      guard let aps = subject.aps, subject.activity == "start" else { return [] }
      return ["attributes-type", "attributes", "alert"].filter { aps[$0] == nil }
        .map { LintFinding("$.aps.event", "is start and has no \($0) beside it") }
    },
    LintRule(
      "M906", .error, "an update of a Live Activity has no content",
      why: "`content-state` is what the update shows; without it there is nothing to decode.",
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "alert": {"title": "Race", "body": "Lap 3"}}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}, "alert": {"title": "Race", "body": "Lap 3"}}}"#,
      fix: "add content-state, complete as the app's ContentState"
    ) { subject in
      guard let aps = subject.aps, subject.activity == "update", aps["content-state"] == nil else {
        return []
      }
      return [LintFinding("$.aps.event", "is update and has no content-state beside it")]
    },
    LintRule(
      "M907", .error, "keys of a Live Activity without an event",
      why: "Without `event` the push is an ordinary notification and these keys mean nothing.",
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
        .map { [LintFinding("$.aps.\($0)", "has no event beside it")] } ?? []
    },
    LintRule(
      "M908", .warning, "the activity is stale before it is shown",
      why: "A `stale-date` at or before `timestamp` draws the update as outdated at once.",
      bad:
        #"{"aps": {"timestamp": 1798135200, "stale-date": 1798131600, "event": "update", "content-state": {"laps": 3}}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "stale-date": 1798138800, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "set it to when the content is outdated, or leave it out"
    ) { subject in
      guard subject.activity != nil, let sent = subject.aps?["timestamp"]?.integer,
        let stale = subject.aps?["stale-date"]?.integer, stale <= sent
      else { return [] }
      return [LintFinding("$.aps.stale-date", "is not after the timestamp")]
    },
    LintRule(
      "M909", .warning, "a dismissal date without an end",
      why:
        "`dismissal-date` says when an *ended* activity leaves the lock screen; other events pass it over.",
      bad:
        #"{"aps": {"timestamp": 1798135200, "dismissal-date": 1798138800, "event": "update", "content-state": {"laps": 3}}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "dismissal-date": 1798138800, "event": "end", "content-state": {"laps": 3}}}"#,
      fix: "send it with the event end"
    ) { subject in
      guard let event = subject.activity, event != "end", subject.aps?["dismissal-date"] != nil
      else { return [] }
      return [LintFinding("$.aps.dismissal-date", "stands beside the event \(event)")]
    },
    LintRule(
      "M910", .warning, "a Live Activity's sound stands beside the alert",
      why: "In these pushes `sound` is a key of `alert`; beside it nothing is played.",
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}, "alert": {"title": "Race", "body": "Lap 3"}, "sound": "horn.caf"}}"#,
      good:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}, "alert": {"title": "Race", "body": "Lap 3", "sound": "horn.caf"}}}"#,
      fix: "move it into alert"
    ) { subject in
      subject.activity != nil && subject.hasSound
        ? [LintFinding("$.aps.sound", "belongs into the alert of a Live Activity")] : []
    },
    LintRule(
      "M911", .warning, "a request for updates without a start",
      why: """
        `input-push-token` and `input-push-channel` say how a *started* activity gets its updates: by a \
        token of its own or by a channel. They count with `start`, one of them.
        """,
      bad:
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}, "input-push-token": 1}}"#,
      good: #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
      fix: "send one of them, with the event start"
    ) { subject in
      guard let event = subject.activity else { return [] }
      let asked = ["input-push-channel", "input-push-token"].filter { subject.aps?[$0] != nil }
      if event != "start" {
        return asked.map { LintFinding("$.aps.\($0)", "stands beside the event \(event)") }
      }
      return asked.count == 2
        ? [LintFinding("$.aps.input-push-channel", "stands beside input-push-token")] : []
    },
  ]

  private static let times = ["timestamp", "stale-date", "dismissal-date"]
}

extension LintSubject {
  /// The event of a Live Activity, as far as it is a text.
  fileprivate var activity: String? { aps?["event"]?.string }
}
