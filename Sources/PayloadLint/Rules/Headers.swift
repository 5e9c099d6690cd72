import PushPayload

extension LintRules {
  /// Whether the headers of the request are ones that APNs takes; silent about those not given.
  static let headers: [LintRule] = [
    LintRule(
      "M601", .error, "the push type is unknown",
      why: "APNs answers 400 `InvalidPushType`. The values are lower case, without hyphens.",
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(pushType: "Alert")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(pushType: "alert")),
      fix: "use one of \(PushTypes.all.joined(separator: ", "))"
    ) { subject in
      guard let type = subject.headers.pushType, PushTypes.topicSuffixes[type] == nil else {
        return []
      }
      return [LintFinding("apns-push-type", "is none that APNs knows")]
    },
    LintRule(
      "M602", .error, "the priority is not 10, 5 or 1",
      why: "APNs answers 400 `BadPriority`. Words such as `high` are another system's.",
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(priority: "high")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(priority: "10")),
      fix: "use 10 for at once, 5 for a moment that suits the battery, 1 to never wake the device"
    ) { subject in
      guard let priority = subject.headers.priority,
        !PushTypes.priorities(of: nil).contains(priority)
      else { return [] }
      return [LintFinding("apns-priority", "takes 10, 5 or 1")]
    },
    LintRule(
      "M603", .error, "a background push has priority 10",
      why: """
        Apple: a background push has priority 5; 10 is an error, and APNs answers 400 `BadPriority`. Where \
        no push type is given, a payload that only wakes the app counts as one.
        """,
      bad: .init(
        #"{"aps": {"content-available": 1}}"#, .init(pushType: "background", priority: "10")),
      good: .init(
        #"{"aps": {"content-available": 1}}"#, .init(pushType: "background", priority: "5")),
      fix: "send it with apns-priority 5"
    ) { subject in
      guard subject.pushType == "background", let priority = subject.headers.priority,
        PushTypes.priorities(of: nil).contains(priority),
        !PushTypes.priorities(of: "background").contains(priority)
      else { return [] }
      return [LintFinding("apns-priority", "is \(priority); a background push has 5")]
    },
    LintRule(
      "M604", .error, "the expiry is not a whole number of seconds",
      why: """
        `apns-expiration` is a UNIX time in seconds, or 0 for one attempt. APNs answers 400 \
        `BadExpirationDate` to dates, fractions and negative numbers.
        """,
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "2026-12-24T18:00:00Z")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "1798135200")),
      fix: "send the seconds since 1970"
    ) { subject in
      guard let text = subject.headers.expiration, Int64(text).map({ $0 < 0 }) ?? true else {
        return []
      }
      return [LintFinding("apns-expiration", "takes UNIX seconds, or 0")]
    },
    LintRule(
      "M605", .warning, "the expiry is in milliseconds",
      why:
        "Read as seconds it lies thousands of years ahead: the push is stored as long as APNs stores any.",
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "1798135200000")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "1798135200")),
      fix: "divide by 1000"
    ) { subject in
      guard let time = subject.headers.expirationTime, UnixTime.isMilliseconds(time) else {
        return []
      }
      return [LintFinding("apns-expiration", "lies beyond the year 5000")]
    },
    LintRule(
      "M606", .warning, "the expiry is a duration",
      why: """
        3600 is no hour but one o'clock on 1 January 1970. What has expired is tried once and not stored: \
        a phone that is off never gets it.
        """,
      bad: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "3600")),
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(expiration: "1798135200")),
      fix: "add the time of sending; 0 says “try once” openly"
    ) { subject in
      guard let time = subject.headers.expirationTime, UnixTime.isDuration(time) else { return [] }
      return [LintFinding("apns-expiration", "lies long ago")]
    },
    LintRule(
      "M607", .error, "the collapse identifier is longer than 64 bytes",
      why: """
        APNs answers 400 `BadCollapseId`. Counted are bytes: an umlaut is two, an emoji four.
        """,
      bad: .init(
        #"{"aps": {"alert": "2:1"}}"#,
        .init(collapseID: "match-4711-of-the-second-division-on-the-second-sunday-of-november")),
      good: .init(#"{"aps": {"alert": "2:1"}}"#, .init(collapseID: "match-4711")),
      fix: "shorten it, or send a hash of it"
    ) { subject in
      guard let id = subject.headers.collapseID, id.utf8.count > 64 else { return [] }
      return [LintFinding("apns-collapse-id", "has \(id.utf8.count) bytes; APNs takes 64")]
    },
    LintRule(
      "M608", .error, "a Live Activity has priority 1",
      why: "Live Activities take 5, which is outside their hourly budget, and 10, which counts.",
      bad: .init(
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
        .init(pushType: "liveactivity", priority: "1")),
      good: .init(
        #"{"aps": {"timestamp": 1798135200, "event": "update", "content-state": {"laps": 3}}}"#,
        .init(pushType: "liveactivity", priority: "5")),
      fix: "send it with priority 5 or 10"
    ) { subject in
      guard subject.isLiveActivity, let priority = subject.headers.priority,
        PushTypes.priorities(of: nil).contains(priority),
        !PushTypes.priorities(of: "liveactivity").contains(priority)
      else { return [] }
      return [LintFinding("apns-priority", "is \(priority); a Live Activity takes 10 or 5")]
    },
  ]
}

/// What a number of seconds since 1970 looks like.
enum UnixTime {
  /// Past the year 5138 as seconds, which is 1973 as milliseconds.
  static func isMilliseconds(_ time: Int64) -> Bool { time >= 100_000_000_000 }
  /// Before September 2001: no push of today means that.
  static func isDuration(_ time: Int64) -> Bool { (1..<1_000_000_000).contains(time) }
}

extension LintHeaders {
  fileprivate var expirationTime: Int64? { expiration.flatMap { Int64($0) } }
}
