/// The rules as text, for `martlet lint --explain` and `docs/provider/lint.md`.
package enum LintManual {
  /// A rule as plain text, as a terminal shows it.
  package static func text(_ rule: LintRule) -> String {
    """
    \(rule.code) \(rule.severity.rawValue): \(rule.summary)

    \(rule.why)

    fires on     \(text(rule.bad))
    does not on  \(text(rule.good))

    fix: \(rule.fix)
    """
  }

  private static func text(_ example: LintRule.Example) -> String {
    let options = example.headers.options.map { "  \($0.name) \($0.value)" }.joined()
    return example.json + options
  }

  /// All rules in Markdown: the text of `docs/provider/lint.md`.
  package static var markdown: String {
    let counts = LintRule.Severity.allCases.map { severity in
      "\(LintRules.all.count { $0.severity == severity }) \(severity.rawValue)s"
    }.joined(separator: ", ")
    return """
      # martlet lint

      <!-- Generated from the rules themselves: martlet lint --rules > docs/provider/lint.md -->

      `martlet lint PAYLOAD…` finds the problems of a payload before it is sent. Most of them cause no error
      later: iOS ignores the key, or shows nothing. The command takes files, folders (every `*.json` and `*.apns`
      file below) and patterns in quotes (`'payloads/**/*.json'`). It exits with 1 if it finds an error (or a
      finding of the severity that `--fail-on` names), with 2 if it cannot read an input, and with 0 otherwise.

      `--push-type`, `--priority`, `--expiration`, `--collapse-id` and `--topic` name the headers that the
      payload will be sent with, as for `martlet send`. A rule about a header does not apply where the header
      is not given. Without `--push-type`, a payload with `content-available` and no alert, sound or badge
      counts as a background push. `--format json` and `--format sarif` are for programs, and
      `--explain CODE` prints one rule.

      An **error** keeps the push, or a part of it, from the device or from being shown. With a **warning**
      something is shown in another way than intended, or relies on undocumented behavior. A **note** is
      worth knowing. Codes never change their meaning.

      \(LintRules.all.count) rules: \(counts).

      ## Settings

      A file `.martlet-lint.json` beside a payload, or in the nearest folder above it, turns rules off or
      changes their severity. `rules` holds for all payloads below its folder, `files` for those that a
      pattern matches: one without a slash a file's name in any folder, one with a slash the path from the
      settings' folder. `*` stands for any part of a name, `?` for a character, `[a-z]` for one of some, and
      `**` for any folders. A later pattern wins over an earlier one. An unknown key or code is an error.

      ```json
      {
        "rules": {"M123": "off", "M521": "warning"},
        "files": [{"pattern": "drafts/**", "rules": {"M101": "note"}}]
      }
      ```

      """ + LintRules.subjects.map(section).joined()
  }

  private static func section(_ digit: Character, _ title: String) -> String {
    let rules = LintRules.all.filter { $0.code.dropFirst().first == digit }
    let table = rules.map {
      "| [\($0.code)](#\(anchor($0))) | \($0.severity.rawValue) | \($0.summary) |"
    }
    return """

      ## \(title)

      | Code | Severity | Finds that |
      |---|---|---|
      \(table.joined(separator: "\n"))

      """ + rules.map(entry).joined()
  }

  private static func anchor(_ rule: LintRule) -> String { rule.code.lowercased() }

  private static func entry(_ rule: LintRule) -> String {
    """

    <a id="\(anchor(rule))"></a>
    ### \(rule.code): \(rule.summary)

    \(rule.why)

    Fires on\(headers(rule.bad)):

    ```json
    \(rule.bad.json)
    ```

    Does not fire on\(headers(rule.good)):

    ```json
    \(rule.good.json)
    ```

    Fix: \(rule.fix).

    """
  }

  private static func headers(_ example: LintRule.Example) -> String {
    let options = example.headers.options
    if options.isEmpty { return "" }
    return ", with `" + options.map { "\($0.name) \($0.value)" }.joined(separator: " ") + "`"
  }
}
