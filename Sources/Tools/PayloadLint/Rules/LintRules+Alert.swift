import PushPayload

extension LintRules {
  /// Rules about the alert, its text and how it is shown.
  static let alert: [LintRule] = [
    LintRule(
      "M301", .error, summary: "a text of the alert is not a string",
      why:
        "iOS ignores a title, subtitle or body that is a number, and shows nothing in its place.",
      bad: #"{"aps": {"alert": {"title": 2026, "body": "Happy new year"}}}"#,
      good: #"{"aps": {"alert": {"title": "2026", "body": "Happy new year"}}}"#,
      fix: "write it as a string"
    ) { subject in
      subject.findings(
        .wrongType, at: "$.aps.alert.title", "$.aps.alert.subtitle", "$.aps.alert.body",
        "$.aps.alert.launch-image"
      ).filter { finding in
        // In a Live Activity's alert, this may be an object with loc-key and loc-args.
        let key = finding.path.split(separator: ".").last.map { String($0) } ?? ""
        return !(subject.isLiveActivity && subject.alert?[key]?.object != nil)
      }
    },
    LintRule(
      "M302", .error, summary: "a localization key or its arguments have a wrong type",
      why: """
        `loc-key` must be a string, `loc-args` an array of strings. iOS ignores other types, and shows an \
        argument that is neither a string nor a number as an empty text.
        """,
      bad: #"{"aps": {"alert": {"loc-key": "INVITED_%@", "loc-args": "Ada"}}}"#,
      good: #"{"aps": {"alert": {"loc-key": "INVITED_%@", "loc-args": ["Ada"]}}}"#,
      fix: "write the key as a string and the arguments as an array of strings"
    ) {
      $0.findings(
        .wrongType, at: "$.aps.alert.loc-key", "$.aps.alert.loc-args", "$.aps.alert.title-loc-key",
        "$.aps.alert.title-loc-args", "$.aps.alert.subtitle-loc-key",
        "$.aps.alert.subtitle-loc-args")
    },
    LintRule(
      "M303", .error, summary: "the alert has no text",
      why: """
        Title, subtitle and body are all absent, empty or blank. iOS shows no banner and runs no service \
        extension, whatever else the payload has.
        """,
      bad: #"{"aps": {"alert": {"title": "", "body": ""}, "sound": "default"}}"#,
      good:
        #"{"aps": {"alert": {"title": "Tonight", "body": "Doors open at nine"}, "sound": "default"}}"#,
      fix: "fill in a title or a body, or leave the alert out"
    ) { subject in
      guard let alert = subject.alert, !subject.hasAlertText else { return [] }
      // M301 or M302 reports a text of a wrong type.
      let hasWrongType = subject.findings.contains { $0.path.hasPrefix("$.aps.alert.") }
      return hasWrongType && !alert.isEmpty
        ? [] : [LintFinding("$.aps.alert", "has no text to show")]
    },
    LintRule(
      "M304", .warning, summary: "localization arguments have no key",
      why:
        "The arguments fill the placeholders of the text that the key names. Without the key they are ignored.",
      bad: #"{"aps": {"alert": {"body": "%@ invites you", "loc-args": ["Ada"]}}}"#,
      good: #"{"aps": {"alert": {"loc-key": "INVITED", "loc-args": ["Ada"]}}}"#,
      fix: "add the key, or write the complete text as the body"
    ) { subject in
      guard let alert = subject.aps?["alert"]?.object else { return [] }
      return ["loc", "title-loc", "subtitle-loc"]
        .filter { alert["\($0)-args"] != nil && alert["\($0)-key"] == nil }
        .map { LintFinding("$.aps.alert.\($0)-args", "has no \($0)-key beside it") }
    },
    LintRule(
      "M305", .note, summary: "a doubled percent sign is shown doubled",
      why: """
        iOS 10 and later show a text as it is written: “50% off” needs no escape, and `%%` is shown as two signs. Apple's \
        page of `UNNotificationContent.body` still asks for `%%`, as `UILocalNotification` did; the apps that followed \
        it showed two signs (Signal-iOS issue 4195, wire-ios-sync-engine pull request 903).
        """,
      bad: #"{"aps": {"alert": "Today 50%% off all shoes"}}"#,
      good: #"{"aps": {"alert": "Today 50% off all shoes"}}"#,
      fix: "write one percent sign"
    ) { subject in
      subject.shownTexts.filter { $0.text.contains("%%") && !$0.text.hasPlaceholder }
        .map { LintFinding($0.path, "contains a doubled percent sign, which iOS shows as two") }
    },
    LintRule(
      "M306", .warning, summary: "a key of the alert is not one of Apple's",
      why: "iOS ignores it. `message` and `text` are the words of other push services for `body`.",
      bad: #"{"aps": {"alert": {"title": "Tonight", "message": "Doors open at nine"}}}"#,
      good: #"{"aps": {"alert": {"title": "Tonight", "body": "Doors open at nine"}}}"#,
      fix: "use title, subtitle and body, and put the app's own data beside aps"
    ) { subject in
      var known = AppleKeys.alert.union(AppleKeys.legacyAlert)
      if subject.isLiveActivity { known.insert("sound") }
      return subject.members("$.aps.alert", of: subject.aps?["alert"]?.object)
        .filter { !known.contains($0.key) && subject.alertKey($0.key) == nil }
        .map { LintFinding($0.path, "is not a key that Apple documents") }
    },
    LintRule(
      "M307", .warning, summary: "a placeholder was not filled in",
      why: "iOS does not replace placeholders: people read “Hello {{first_name}}”.",
      bad: #"{"aps": {"alert": "Hello {{first_name}}, your order is here"}}"#,
      good: #"{"aps": {"alert": "Hello Ada, your order is here"}}"#,
      fix: "render the template before sending, with a default if the value is missing"
    ) { subject in
      subject.shownTexts.filter { $0.text.hasPlaceholder }
        .map { LintFinding($0.path, "contains a placeholder of a template") }
    },
    LintRule(
      "M308", .warning, summary: "the text has characters of a wrong encoding",
      why: """
        U+FFFD replaces bytes that could not be decoded; “Ã¼” is an umlaut in UTF-8 that was decoded as \
        Latin-1. Control characters are not drawn. All of them come from a wrong conversion before \
        this payload was made.
        """,
      bad: #"{"aps": {"alert": "TÃ¼r auf um neun"}}"#,
      good: #"{"aps": {"alert": "Tür auf um neun"}}"#,
      fix: "decode the source of the text as UTF-8"
    ) { subject in
      subject.shownTexts.filter { $0.text.isDamaged }
        .map {
          LintFinding($0.path, "contains characters of a wrong encoding, or control characters")
        }
    },
  ]
}

extension String {
  /// Whether it has a placeholder of a common template language.
  var hasPlaceholder: Bool {
    // Azure Notification Hubs write `$(name)`.
    let marks = [
      ("{{", "}}"), ("${", "}"), ("$(", ")"), ("{%", "%}"), ("<%", "%>"), ("%%", "%%"),
      ("*|", "|*"),
    ]
    return marks.contains { open, close in
      guard let start = firstRange(of: open) else { return false }
      let inside = self[start.upperBound...]
      guard let end = inside.firstRange(of: close) else { return false }
      let name = inside[..<end.lowerBound]
      return !name.isEmpty && name.count <= 60
        && (!["%%", "$("].contains(open)
          || name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  fileprivate var isDamaged: Bool {
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      if scalar == "\u{FFFD}" || scalar == "\u{7F}" { return true }
      if scalar.value < 0x20, scalar != "\n", scalar != "\t", scalar != "\r" { return true }
      // These are the first byte of a two-byte UTF-8 sequence and a continuation byte, each read as Latin-1.
      if previous == "\u{C3}" || previous == "\u{C2}", (0x80...0xBF).contains(scalar.value) {
        return true
      }
      previous = scalar
    }
    return false
  }
}
