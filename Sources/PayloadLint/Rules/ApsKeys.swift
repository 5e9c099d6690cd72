import PushPayload

/// Apple's keys, by where they belong.
enum AppleKeys {
  static let aps: Set = [
    "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
    "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "timestamp",
    "event", "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes",
    "input-push-token", "input-push-channel", "content-changed",
  ]
  static let alert: Set = [
    "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args",
    "subtitle-loc-key", "subtitle-loc-args", "loc-key", "loc-args",
  ]
  static let legacyAps: Set = ["url-args"]
  static let legacyAlert: Set = ["action-loc-key", "summary-arg", "summary-arg-count"]
  /// Keys of `aps` that no app names by chance.
  static let unmistakable: Set = [
    "content-available", "mutable-content", "thread-id", "target-content-id", "interruption-level",
    "relevance-score", "filter-criteria", "content-state", "content-changed",
  ]
  static let headers: Set = [
    "apns-id", "apns-expiration", "apns-priority", "apns-topic", "apns-collapse-id",
    "apns-push-type",
  ]

  /// The key that is meant by one written another way: `mutableContent`, `thread_id`.
  static func meant(by key: String, among keys: Set<String>) -> String? {
    let letters = { (text: String) in text.lowercased().filter { $0 != "-" && $0 != "_" } }
    guard !keys.contains(key) else { return nil }
    return keys.sorted().first { letters($0) == letters(key) }
  }
}

extension LintRules {
  /// Whether keys stand where they belong and are spelled as Apple spells them.
  static let apsKeys: [LintRule] = [
    LintRule(
      "M221", .error, "a key of Apple's is misspelled",
      why: """
        Apple's keys are lower case with hyphens, and nothing else counts. `mutable_content` and \
        `contentAvailable` are other systems' spelling; the phone passes them over in silence.
        """,
      bad: #"{"aps": {"alert": "Hello", "mutable_content": 1}}"#,
      good: #"{"aps": {"alert": "Hello", "mutable-content": 1}}"#,
      fix: "spell it with hyphens, in lower case"
    ) { subject in
      let aps = subject.members("$.aps", of: subject.aps).compactMap { key, path in
        AppleKeys.meant(by: key, among: AppleKeys.aps).map { LintFinding(path, "is spelled \($0)") }
      }
      let alert = subject.members("$.aps.alert", of: subject.aps?["alert"]?.object)
        .compactMap { key, path in
          AppleKeys.meant(by: key, among: AppleKeys.alert)
            .map { LintFinding(path, "is spelled \($0)") }
        }
      return aps + alert
    },
    LintRule(
      "M222", .error, "a key of aps stands beside it",
      why: """
        The phone looks for it inside `aps` only. Beside it the key is one of the app's own and has no \
        effect: no extension runs, nothing is grouped.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "mutable-content": 1}"#,
      good: #"{"aps": {"alert": "Hello", "mutable-content": 1}}"#,
      fix: "move it into aps"
    ) { subject in
      guard let aps = subject.aps else { return [] }
      return subject.top.keys.sorted()
        .filter { AppleKeys.unmistakable.contains($0) && aps[$0] == nil }
        .map { LintFinding("$" + JSONScan.step($0), "stands beside aps and belongs inside") }
    },
    LintRule(
      "M223", .warning, "a key inside aps is not Apple's",
      why: """
        Apple: keys of one's own stand beside `aps`; those inside are ignored. Whether they still reach \
        `userInfo` is not promised, and a later iOS may give the name a meaning. Keys that a known vendor \
        reads there, such as Pushwoosh's `pw_badge`, are left alone.
        """,
      bad: #"{"aps": {"alert": "Hello", "order": 4711}}"#,
      good: #"{"aps": {"alert": "Hello"}, "order": 4711}"#,
      fix: "move it beside aps"
    ) { subject in
      let known = AppleKeys.aps.union(AppleKeys.legacyAps).union(["title", "subtitle", "body"])
      return subject.members("$.aps", of: subject.aps)
        .filter { key, _ in
          !known.contains(key) && AppleKeys.meant(by: key, among: AppleKeys.aps) == nil
            && !subject.isReadInsideAps(key)
        }.map { LintFinding($0.path, "is no key of Apple's") }
    },
    LintRule(
      "M224", .error, "text stands in aps, outside the alert",
      why: "Title, subtitle and body are read from `aps.alert`. One level up they are nothing.",
      bad: #"{"aps": {"title": "Tonight", "body": "Doors open at nine", "sound": "default"}}"#,
      good:
        #"{"aps": {"alert": {"title": "Tonight", "body": "Doors open at nine"}, "sound": "default"}}"#,
      fix: "move them into aps.alert"
    ) { subject in
      ["title", "subtitle", "body"].filter { subject.aps?[$0] != nil }
        .map { LintFinding("$.aps.\($0)", "stands in aps and belongs into aps.alert") }
    },
    LintRule(
      "M225", .note, "a key is of an older system",
      why: """
        `summary-arg` and `summary-arg-count` meant something on iOS 12 to 14, `action-loc-key` before \
        iOS 8, `url-args` in Safari's own pushes. Nothing reads them now.
        """,
      bad: #"{"aps": {"alert": {"body": "Hello", "summary-arg": "Ada"}}}"#,
      good: #"{"aps": {"alert": {"body": "Hello"}}}"#,
      fix: "leave it out"
    ) { subject in
      let aps = AppleKeys.legacyAps.filter { subject.aps?[$0] != nil }.map { "$.aps.\($0)" }
      let alert = AppleKeys.legacyAlert.filter { subject.aps?["alert"]?[$0] != nil }
        .map { "$.aps.alert.\($0)" }
      return (aps + alert).sorted().map { LintFinding($0, "is read by no current system") }
    },
    LintRule(
      "M226", .warning, "a header of the request stands in the payload",
      why: """
        Priority, expiry, topic, push type and collapse identifier are HTTP headers. In the payload they \
        are keys of the app's own: the push goes out with the defaults.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "apns-priority": 5}"#,
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(priority: "5")),
      fix: "send it as a header of the request"
    ) { subject in
      let top = subject.members("$", of: subject.top)
      return (top + subject.members("$.aps", of: subject.aps))
        .filter { AppleKeys.headers.contains($0.key.lowercased()) }
        .map { LintFinding($0.path, "is a header of the request") }
    },
    LintRule(
      "M227", .error, "a dot in a key was meant as nesting",
      why: """
        JSON knows no paths: `"aps.alert"` is one key of nine characters. Flat maps of form fields and \
        environment variables end so, where nobody unfolds them.
        """,
      bad:
        #"{"aps": {"mutable-content": 1, "alert": "Hello"}, "_st.image_url": "https://example.com/a.png"}"#,
      good:
        #"{"aps": {"mutable-content": 1, "alert": "Hello"}, "_st": {"image_url": "https://example.com/a.png"}}"#,
      fix: "nest the objects"
    ) { subject in
      subject.top.keys.sorted().filter { subject.isFlattened($0) }
        .map { LintFinding("$" + JSONScan.step($0), "is one key; its dots do not nest") }
    },
  ]
}

extension LintSubject {
  /// The members of an object with their paths, in the order of their keys.
  func members(_ path: String, of object: [String: JSONValue]?) -> [(key: String, path: String)] {
    (object ?? [:]).keys.sorted().map { ($0, path + JSONScan.step($0)) }
  }

  /// Whether some dialect reads a key of `aps`: without it the payload means something else.
  fileprivate func isReadInsideAps(_ key: String) -> Bool {
    guard var aps, top.count + aps.count <= 200 else { return false }
    aps[key] = nil
    var members = top
    members["aps"] = .object(aps)
    return DialectTable.standard.read(.object(members)) != content
  }

  /// Whether a key with dots says more when it is unfolded: it then begins with `aps`, or some
  /// dialect finds media that it does not find now.
  fileprivate func isFlattened(_ key: String) -> Bool {
    let parts = key.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard (2...6).contains(parts.count), let value = top[key] else { return false }
    if parts[0] == "aps" { return true }
    guard content.media.isEmpty else { return false }
    let unfolded = parts.reversed().reduce(value) { .object([$1: $0]) }
    return !DialectTable.standard.read(unfolded).media.isEmpty
  }
}
