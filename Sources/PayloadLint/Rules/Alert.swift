import PushPayload

extension LintRules {
  /// Whether the text is shown, and as it was meant.
  static let alert: [LintRule] = [
    LintRule(
      "M301", .error, "a text of the alert is not a text",
      why: "A number as title is dropped, and with it the line that was meant.",
      bad: #"{"aps": {"alert": {"title": 2026, "body": "Happy new year"}}}"#,
      good: #"{"aps": {"alert": {"title": "2026", "body": "Happy new year"}}}"#,
      fix: "put it in quotes"
    ) { subject in
      subject.findings(
        .wrongType, at: "$.aps.alert.title", "$.aps.alert.subtitle", "$.aps.alert.body",
        "$.aps.alert.launch-image"
      ).filter { finding in
        // A Live Activity's alert may hold {"loc-key", "loc-args"} there.
        let key = finding.path.split(separator: ".").last.map { String($0) } ?? ""
        return !(subject.isLiveActivity && subject.alert?[key]?.object != nil)
      }
    },
    LintRule(
      "M302", .error, "a localisation key or its arguments have a wrong type",
      why: """
        `loc-key` is a text, `loc-args` an array of texts. The phone drops another type, and an argument \
        that is neither text nor number becomes an empty one.
        """,
      bad: #"{"aps": {"alert": {"loc-key": "INVITED_%@", "loc-args": "Ada"}}}"#,
      good: #"{"aps": {"alert": {"loc-key": "INVITED_%@", "loc-args": ["Ada"]}}}"#,
      fix: "write a text as key and an array of texts as arguments"
    ) {
      $0.findings(
        .wrongType, at: "$.aps.alert.loc-key", "$.aps.alert.loc-args", "$.aps.alert.title-loc-key",
        "$.aps.alert.title-loc-args", "$.aps.alert.subtitle-loc-key",
        "$.aps.alert.subtitle-loc-args")
    },
    LintRule(
      "M303", .error, "the alert has no text",
      why: """
        Title, subtitle and body are all absent, empty or blank: no banner is shown and no extension \
        runs, whatever else the payload asks for.
        """,
      bad: #"{"aps": {"alert": {"title": "", "body": ""}, "sound": "default"}}"#,
      good:
        #"{"aps": {"alert": {"title": "Tonight", "body": "Doors open at nine"}, "sound": "default"}}"#,
      fix: "fill in a title or a body, or leave the alert out"
    ) { subject in
      guard let alert = subject.alert, !subject.hasAlertText else { return [] }
      // A text of a wrong type was meant to be one; that is M301's or M302's.
      let isMeant = subject.findings.contains { $0.path.hasPrefix("$.aps.alert.") }
      return isMeant && !alert.isEmpty ? [] : [LintFinding("$.aps.alert", "has no text to show")]
    },
    LintRule(
      "M304", .warning, "arguments stand without a localisation key",
      why:
        "They fill the placeholders of the text that the key names. Without it nobody reads them.",
      bad: #"{"aps": {"alert": {"body": "%@ invites you", "loc-args": ["Ada"]}}}"#,
      good: #"{"aps": {"alert": {"loc-key": "INVITED", "loc-args": ["Ada"]}}}"#,
      fix: "add the key, or put the finished text into the body"
    ) { subject in
      guard let alert = subject.aps?["alert"]?.object else { return [] }
      return ["loc", "title-loc", "subtitle-loc"]
        .filter { alert["\($0)-args"] != nil && alert["\($0)-key"] == nil }
        .map { LintFinding("$.aps.alert.\($0)-args", "has no \($0)-key beside it") }
    },
    LintRule(
      "M305", .note, "a percent sign in the text may vanish",
      why: """
        Apple on `UNNotificationContent.body`: printf-style escapes are stripped before the text is \
        shown; `%%` gives a percent sign. “100% sure” holds the escape `% s`.
        """,
      bad: #"{"aps": {"alert": "Today 50% off all shoes"}}"#,
      good: #"{"aps": {"alert": "Today 50%% off all shoes"}}"#,
      fix: "write %% for a percent sign"
    ) { subject in
      subject.shownTexts.filter { $0.text.hasPrintfEscape }
        .map { LintFinding($0.path, "holds a percent sign that reads as an escape") }
    },
    LintRule(
      "M306", .warning, "a key of the alert is not Apple's",
      why: "The phone does not know it. `message` and `text` are other systems' words for `body`.",
      bad: #"{"aps": {"alert": {"title": "Tonight", "message": "Doors open at nine"}}}"#,
      good: #"{"aps": {"alert": {"title": "Tonight", "body": "Doors open at nine"}}}"#,
      fix: "use title, subtitle and body; put data beside aps"
    ) { subject in
      var known = AppleKeys.alert.union(AppleKeys.legacyAlert)
      if subject.isLiveActivity { known.insert("sound") }
      return subject.members("$.aps.alert", of: subject.aps?["alert"]?.object)
        .filter { key, _ in
          !known.contains(key) && AppleKeys.meant(by: key, among: AppleKeys.alert) == nil
        }.map { LintFinding($0.path, "is no key of Apple's") }
    },
    LintRule(
      "M307", .warning, "a placeholder was not filled in",
      why: "The phone fills nothing in: people read “Hello {{first_name}}”.",
      bad: #"{"aps": {"alert": "Hello {{first_name}}, your order is here"}}"#,
      good: #"{"aps": {"alert": "Hello Ada, your order is here"}}"#,
      fix: "fill in templates before sending, with a word for those who gave no name"
    ) { subject in
      let marks = [
        ("{{", "}}"), ("${", "}"), ("{%", "%}"), ("<%", "%>"), ("%%", "%%"), ("*|", "|*"),
      ]
      return subject.shownTexts.filter { shown in
        marks.contains { open, close in
          guard let start = shown.text.firstRange(of: open) else { return false }
          let inside = shown.text[start.upperBound...]
          guard let end = inside.firstRange(of: close) else { return false }
          let name = inside[..<end.lowerBound]
          return !name.isEmpty && name.count <= 60
            && (open != "%%" || name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" })
        }
      }.map { LintFinding($0.path, "still holds a template's placeholder") }
    },
    LintRule(
      "M308", .warning, "the text was damaged on the way",
      why: """
        U+FFFD stands where bytes could not be read; “Ã¼” is an umlaut that was read as Latin-1. Control \
        characters are not drawn. All of them come from a converter before this payload.
        """,
      bad: #"{"aps": {"alert": "TÃ¼r auf um neun"}}"#,
      good: #"{"aps": {"alert": "Tür auf um neun"}}"#,
      fix: "read the source of the text as UTF-8"
    ) { subject in
      subject.shownTexts.filter { $0.text.isDamaged }
        .map { LintFinding($0.path, "holds characters of a wrong encoding, or control characters") }
    },
  ]
}

extension String {
  fileprivate var hasPrintfEscape: Bool {
    var rest = Substring(self).unicodeScalars
    while let percent = rest.firstIndex(of: "%") {
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        rest.removeFirst()
        continue
      }
      let conversion = rest.drop { " +-#0123456789.$".unicodeScalars.contains($0) }.first
      if let conversion, "@aAcCdDeEfFgGiosSuUxXp".unicodeScalars.contains(conversion) {
        return true
      }
    }
    return false
  }

  fileprivate var isDamaged: Bool {
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      if scalar == "\u{FFFD}" || scalar == "\u{7F}" { return true }
      if scalar.value < 0x20, scalar != "\n", scalar != "\t", scalar != "\r" { return true }
      // The first byte of two in UTF-8, then a continuation, each read as Latin-1.
      if previous == "\u{C3}" || previous == "\u{C2}", (0x80...0xBF).contains(scalar.value) {
        return true
      }
      previous = scalar
    }
    return false
  }
}
