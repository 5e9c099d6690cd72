import PushPayload

extension LintRules {
  /// Rules about the headers of the request; a header that was not given is not checked.
  ///
  /// `PushType.Requirements` has the requirements of each push type.
  static let headers: [LintRule] = [
    LintRule(
      "M601", .error, summary: "the push type is unknown",
      why:
        "APNs answers 400 `InvalidPushType`. The values are in lower case and have no hyphens.",
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(pushType: "Alert")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(pushType: "alert")),
      fix: "use one of \(PushType.all.map(\.rawValue).joined(separator: ", "))"
    ) { subject in
      guard let type = subject.headers.pushType, !PushType.all.contains(.init(rawValue: type))
      else { return [] }
      return [LintFinding("apns-push-type", "is not a push type that APNs knows")]
    },
    LintRule(
      "M602", .error, summary: "the priority is not 10, 5 or 1",
      why: "APNs answers 400 `BadPriority`. Words such as `high` belong to other push services.",
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(priority: "high")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(priority: "10")),
      fix:
        "use 10 to deliver at once, 5 to let the device save power, 1 to never wake the device"
    ) { subject in
      guard let priority = subject.headers.priority, !PushType.alert.takes(priority: priority)
      else { return [] }
      return [LintFinding("apns-priority", "must be 10, 5 or 1")]
    },
    LintRule(
      "M603", .error, summary: "a background push has a priority other than 5",
      why: """
        Apple: always use priority 5 for a background push; using 10 is an error, and APNs answers 400 \
        `BadPriority`. Where no push type is given, a payload that only wakes the app counts as a \
        background push.
        """,
      bad: .init(
        #"{"aps": {"content-available": 1}}"#, .init(pushType: "background", priority: "10")),
      good: .init(
        #"{"aps": {"content-available": 1}}"#, .init(pushType: "background", priority: "5")),
      fix: "send it with apns-priority 5"
    ) { subject in
      guard subject.pushType == "background", let priority = subject.headers.priority,
        PushType.alert.takes(priority: priority), !PushType.background.takes(priority: priority)
      else { return [] }
      return [LintFinding("apns-priority", "is \(priority); it must be 5 for a background push")]
    },
    LintRule(
      "M604", .error, summary: "the expiration is not a whole number of seconds",
      why: """
        `apns-expiration` is a UNIX time in seconds, or 0 for a single attempt. APNs answers 400 \
        `BadExpirationDate` to dates, fractions and negative numbers.
        """,
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "2026-12-24T18:00:00Z")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "1798135200")),
      fix: "send the seconds since 1970"
    ) { subject in
      guard let text = subject.headers.expiration, Int64(text).map({ $0 < 0 }) ?? true else {
        return []
      }
      return [LintFinding("apns-expiration", "must be a UNIX time in seconds, or 0")]
    },
    LintRule(
      "M605", .warning, summary: "the expiration is in milliseconds",
      why: """
        APNs reads it as seconds, thousands of years from now, and keeps the push for as long as it keeps \
        any.
        """,
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "1798135200000")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "1798135200")),
      fix: "divide it by 1000"
    ) { subject in
      guard let time = subject.headers.expirationTime, UnixTime.isMilliseconds(time) else {
        return []
      }
      return [LintFinding("apns-expiration", "is later than the year 5000")]
    },
    LintRule(
      "M606", .warning, summary: "the expiration is a duration",
      why: """
        3600 does not mean one hour, but one o'clock on 1 January 1970. APNs tries an expired push once and \
        does not store it: a phone that is off never gets it.
        """,
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "3600")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "1798135200")),
      fix: "add the duration to the time of sending, or use 0 for a single attempt"
    ) { subject in
      guard let time = subject.headers.expirationTime, UnixTime.isDuration(time) else { return [] }
      return [LintFinding("apns-expiration", "is a time before September 2001")]
    },
    LintRule(
      "M607", .error, summary: "the collapse identifier is longer than 64 bytes",
      why: """
        APNs answers 400 `BadCollapseId`. The limit counts bytes of UTF-8: an umlaut has two, an emoji four.
        """,
      bad: .init(
        #"{"aps": {"alert": "2:1"}}"#,
        .init(collapseID: "match-4711-of-the-second-division-on-the-second-sunday-of-november")),
      good: .init(#"{"aps": {"alert": "2:1"}}"#, .init(collapseID: "match-4711")),
      fix: "shorten it, or send a hash of it"
    ) { subject in
      guard let id = subject.headers.collapseID, id.utf8.count > PushType.collapseIDLimit
      else { return [] }
      let limit = PushType.collapseIDLimit
      return [LintFinding("apns-collapse-id", "has \(id.utf8.count) bytes; the limit is \(limit)")]
    },
    LintRule(
      "M608", .error, summary: "a Live Activity has priority 1",
      why: """
        Apple: a Live Activity takes priority 5, which does not count against its update budget, or 10, \
        which does.
        """,
      bad: .init(
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
        .init(pushType: "liveactivity", priority: "1")),
      good: .init(
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
        .init(pushType: "liveactivity", priority: "5")),
      fix: "send it with priority 5 or 10"
    ) { subject in
      guard subject.isLiveActivity, let priority = subject.headers.priority,
        PushType.alert.takes(priority: priority), !PushType.liveActivity.takes(priority: priority)
      else { return [] }
      return [
        LintFinding("apns-priority", "is \(priority); it must be 10 or 5 for a Live Activity")
      ]
    },
    LintRule(
      "M609", .error, summary: "the collapse identifier is not a valid HTTP header value",
      why: """
        HTTP/2 forbids control characters in a header's value, and spaces at its start and end (RFC 9113 \
        section 8.2.1). Such a request never reaches APNs.
        """,
      bad: .init(#"{"aps": {"alert": "2:1"}}"#, .init(collapseID: "match-4711 ")),
      good: .init(#"{"aps": {"alert": "2:1"}}"#, .init(collapseID: "match-4711")),
      fix: "remove the spaces around it and any control character in it"
    ) { subject in
      guard let id = subject.headers.collapseID, !PushType.isFieldValue(id) else { return [] }
      return [
        LintFinding("apns-collapse-id", "has a control character, or a space at its start or end")
      ]
    },
  ]
}

/// The probable meaning of a number of seconds since 1970.
enum UnixTime {
  /// Whether it is a time in milliseconds, because as seconds it would be later than the year 5138.
  static func isMilliseconds(_ time: Int64) -> Bool { time >= 100_000_000_000 }
  /// Whether it is a duration, because as a time it would be before September 2001.
  static func isDuration(_ time: Int64) -> Bool { (1..<1_000_000_000).contains(time) }
}

extension PushType {
  /// Whether requests of this type can have an `apns-priority`, written as in the header.
  fileprivate func takes(priority: String) -> Bool {
    requirements.priorities.contains { String($0) == priority }
  }
}

extension LintHeaders {
  fileprivate var expirationTime: Int64? { expiration.flatMap { Int64($0) } }
}
