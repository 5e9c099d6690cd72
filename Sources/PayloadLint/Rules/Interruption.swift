import PushPayload

extension LintRules {
  /// Whether it interrupts as far as it was meant.
  static let interruption: [LintRule] = [
    LintRule(
      "M421", .error, "the interruption level is not one of four",
      why: """
        Apple knows `passive`, `active`, `time-sensitive` and `critical`. Any other word is `active`: \
        what should break through Focus does not.
        """,
      bad: #"{"aps": {"alert": "Your taxi is here", "interruption-level": "timeSensitive"}}"#,
      good: #"{"aps": {"alert": "Your taxi is here", "interruption-level": "time-sensitive"}}"#,
      fix: "write passive, active, time-sensitive or critical"
    ) {
      $0.findings(.wrongType, at: "$.aps.interruption-level")
        + $0.findings(.outOfRange, at: "$.aps.interruption-level")
    },
    LintRule(
      "M422", .error, "the relevance score is not a number from 0 to 1",
      why: """
        The phone cuts it to that range, so every score above 1 is the same. Only Live Activities take \
        any number.
        """,
      bad: #"{"aps": {"alert": "Hello", "relevance-score": 75}}"#,
      good: #"{"aps": {"alert": "Hello", "relevance-score": 0.75}}"#,
      fix: "divide by the highest score there is"
    ) {
      $0.findings(.wrongType, at: "$.aps.relevance-score")
        + ($0.isLiveActivity ? [] : $0.findings(.outOfRange, at: "$.aps.relevance-score"))
    },
    LintRule(
      "M423", .warning, "a critical sound has a lower interruption level",
      why: """
        `sound.critical` asks to break through silence, the level says it may not. Which of them wins is \
        not documented.
        """,
      bad:
        #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf"}, "interruption-level": "active"}}"#,
      good:
        #"{"aps": {"alert": "Fire", "sound": {"critical": 1, "name": "siren.caf"}, "interruption-level": "critical"}}"#,
      fix: "set the level to critical, or leave it out"
    ) { subject in
      guard subject.aps?["sound"]?["critical"] == 1, let level = subject.level, level != "critical"
      else { return [] }
      return [
        LintFinding("$.aps.interruption-level", "is below critical, which the sound asks for")
      ]
    },
    LintRule(
      "M424", .warning, "a passive notification has a sound",
      why: """
        `passive` adds it to the list without lighting the screen or playing a sound; the sound that was \
        asked for is not heard.
        """,
      bad:
        #"{"aps": {"alert": "New articles", "sound": "default", "interruption-level": "passive"}}"#,
      good: #"{"aps": {"alert": "New articles", "interruption-level": "passive"}}"#,
      fix: "leave the sound out, or use active"
    ) { subject in
      guard subject.level == "passive", subject.hasSound else { return [] }
      return [LintFinding("$.aps.sound", "is not played by a passive notification")]
    },
    LintRule(
      "M425", .note, "the level needs an entitlement",
      why: """
        `critical` works only with an entitlement that Apple grants on request, `time-sensitive` with a \
        capability that is switched on in Xcode. Without them the phone shows an ordinary notification.
        """,
      bad: #"{"aps": {"alert": "Your taxi is here", "interruption-level": "time-sensitive"}}"#,
      good: #"{"aps": {"alert": "Your taxi is here", "interruption-level": "active"}}"#,
      fix: "check the app's entitlements: martlet doctor does it"
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
      "M426", .warning, "what is urgent is sent with a low priority",
      why: """
        `time-sensitive` and `critical` say that minutes matter; the priorities 5 and 1 let the phone \
        wait for a moment that suits its battery.
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
      return [LintFinding("apns-priority", "is \(priority); \(level) asks for 10")]
    },
  ]
}

extension LintSubject {
  fileprivate var level: String? { aps?["interruption-level"]?.string }
}
