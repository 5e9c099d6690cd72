import PushPayload

extension LintRules {
  /// Rules about the interruption level and the relevance score.
  static let interruption: [LintRule] = [
    LintRule(
      "M421", .error, summary: "the interruption level is unknown",
      why: """
        Apple documents `passive`, `active`, `time-sensitive` and `critical`. iOS treats any other value as \
        `active`, which does not break through Focus.
        """,
      bad: #"{"aps": {"alert": "Your taxi is here", "interruption-level": "timeSensitive"}}"#,
      good: #"{"aps": {"alert": "Your taxi is here", "interruption-level": "time-sensitive"}}"#,
      fix: "write passive, active, time-sensitive or critical"
    ) {
      $0.findings(.wrongType, at: "$.aps.interruption-level")
        + $0.findings(.outOfRange, at: "$.aps.interruption-level")
    },
    LintRule(
      "M422", .error, summary: "the relevance score is not a number from 0 to 1",
      why: """
        iOS clamps it to that range, so every score above 1 is the same. Only Live Activities take any \
        number.
        """,
      bad: #"{"aps": {"alert": "Hello", "relevance-score": 75}}"#,
      good: #"{"aps": {"alert": "Hello", "relevance-score": 0.75}}"#,
      fix: "divide it by the highest possible score"
    ) {
      $0.findings(.wrongType, at: "$.aps.relevance-score")
        + ($0.isLiveActivity ? [] : $0.findings(.outOfRange, at: "$.aps.relevance-score"))
    },
    LintRule(
      "M423", .warning, summary: "a critical sound has a lower interruption level",
      why: """
        `sound.critical` asks to break through silent mode, and the level says not to. Apple does not \
        document which of them applies.
        """,
      bad:
        #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf"}, "interruption-level": "active"}}"#,
      good:
        #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf"}, "interruption-level": "critical"}}"#,
      fix: "set the level to critical, or remove it"
    ) { subject in
      guard subject.aps?["sound"]?["critical"] == 1, let level = subject.level, level != "critical"
      else { return [] }
      return [
        LintFinding("$.aps.interruption-level", "must be critical, as the sound is")
      ]
    },
    LintRule(
      "M424", .warning, summary: "a passive notification has a sound",
      why: """
        `passive` adds the notification to the list without lighting the screen or playing a sound.
        """,
      bad:
        #"{"aps": {"alert": "New articles", "sound": "default", "interruption-level": "passive"}}"#,
      good: #"{"aps": {"alert": "New articles", "interruption-level": "passive"}}"#,
      fix: "remove the sound, or use active"
    ) { subject in
      guard subject.level == "passive", subject.hasSound else { return [] }
      return [LintFinding("$.aps.sound", "is not played with interruption level passive")]
    },
    LintRule(
      "M425", .note, summary: "the interruption level needs an entitlement",
      why: """
        `critical` needs an entitlement that Apple grants on request, `time-sensitive` a capability that is \
        added in Xcode. Without them iOS shows an ordinary notification.
        """,
      bad: #"{"aps": {"alert": "Your taxi is here", "interruption-level": "time-sensitive"}}"#,
      good: #"{"aps": {"alert": "Your taxi is here", "interruption-level": "active"}}"#,
      fix: "check the app's entitlements with martlet doctor"
    ) { subject in
      switch subject.level {
      case "critical":
        return [
          LintFinding("$.aps.interruption-level", "needs Apple's critical-alerts entitlement")
        ]
      case "time-sensitive":
        return [LintFinding("$.aps.interruption-level", "needs the time-sensitive capability")]
      default:
        guard subject.aps?["sound"]?["critical"] == 1 else { return [] }
        return [LintFinding("$.aps.sound.critical", "needs Apple's critical-alerts entitlement")]
      }
    },
    LintRule(
      "M426", .warning, summary: "an urgent notification has a low priority",
      why: """
        `time-sensitive` and `critical` are for notifications that cannot wait; priorities 5 and 1 let the \
        device delay them to save power.
        """,
      bad: .init(
        #"{"aps": {"alert": "Fire", "interruption-level": "time-sensitive"}}"#, .init(priority: "5")
      ),
      good: .init(
        #"{"aps": {"alert": "Fire", "interruption-level": "time-sensitive"}}"#,
        .init(priority: "10")),
      fix: "send it with apns-priority 10"
    ) { subject in
      guard let level = subject.level, ["time-sensitive", "critical"].contains(level),
        let priority = subject.headers.priority, ["5", "1"].contains(priority)
      else { return [] }
      return [
        LintFinding(
          "apns-priority", "is \(priority); it should be 10 for interruption level \(level)")
      ]
    },
  ]
}

extension LintSubject {
  fileprivate var level: String? { aps?["interruption-level"]?.string }
}
