import PushPayload

extension LintRules {
  /// Rules about the keys of `aps`: their place and their spelling.
  static let apsKeys: [LintRule] = [
    LintRule(
      "M221", .error, summary: "a key of aps is misspelled",
      why: """
        Apple's keys are in lower case with hyphens, and iOS ignores any other spelling. `mutable_content` and \
        `contentAvailable` are those of other push services; `badges` and `events` are slips.
        """,
      bad: #"{"aps": {"alert": "Hello", "mutable_content": 1}}"#,
      good: #"{"aps": {"alert": "Hello", "mutable-content": 1}}"#,
      fix: "write the key as Apple spells it"
    ) { subject in
      let aps = subject.members("$.aps", of: subject.aps).map { ($0.path, subject.apsKey($0.key)) }
      let alert = subject.members("$.aps.alert", of: subject.aps?["alert"]?.object)
        .map { ($0.path, subject.alertKey($0.key)) }
      return (aps + alert).compactMap { path, key in
        key.map { LintFinding(path, "must be spelled \($0)") }
      }
    },
    LintRule(
      "M222", .error, summary: "a key of aps is beside aps",
      why: """
        iOS reads it only inside `aps`. Beside `aps` it is one of the app's own keys and has no effect: no \
        extension runs, no sound is played, no badge is set. Keys that a known vendor reads there are not \
        reported.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "mutable-content": 1}"#,
      good: #"{"aps": {"alert": "Hello", "mutable-content": 1}}"#,
      fix: "move it into aps"
    ) { subject in
      let mayBeAlone =
        subject.top["aps"] == nil && !subject.needsNoAps
        && subject.foreignRequest == nil && subject.json?.pathOfNestedAps == nil
      guard subject.aps != nil || mayBeAlone else { return [] }
      return subject.top.sorted { $0.key < $1.key }
        .filter { key, value in
          guard subject.aps?[key] == nil, !value.isNull else { return false }
          return AppleKeys.unmistakable.contains(key)
            || (AppleKeys.common.contains(key) && AppleKeys.isTaken(value, by: key)
              && !subject.isReadBesideAps(key))
        }
        .map { LintFinding("$" + JSONScan.step($0.key), "belongs inside aps") }
    },
    LintRule(
      "M223", .warning, summary: "a key inside aps is not one of Apple's",
      why: """
        Apple: an app's own keys belong beside `aps`; those inside are ignored. Whether they reach \
        `userInfo` is not documented, and a later iOS may give the key a meaning. Keys that a known \
        vendor reads there, such as Pushwoosh's `pw_badge`, are not reported.
        """,
      bad: #"{"aps": {"alert": "Hello", "order": 4711}}"#,
      good: #"{"aps": {"alert": "Hello"}, "order": 4711}"#,
      fix: "move it beside aps"
    ) { subject in
      subject.members("$.aps", of: subject.aps)
        .filter {
          !AppleKeys.knownInAps.contains($0.key) && subject.apsKey($0.key) == nil
            && !subject.isReadInsideAps($0.key)
        }.map { LintFinding($0.path, "is not a key that Apple documents") }
    },
    LintRule(
      "M224", .error, summary: "a text is in aps, outside the alert",
      why: "iOS reads title, subtitle and body from `aps.alert`, and ignores them in `aps`.",
      bad: #"{"aps": {"title": "Tonight", "body": "Doors open at nine", "sound": "default"}}"#,
      good:
        #"{"aps": {"alert": {"title": "Tonight", "body": "Doors open at nine"}, "sound": "default"}}"#,
      fix: "move them into aps.alert"
    ) { subject in
      ["title", "subtitle", "body"].filter { subject.aps?[$0] != nil }
        .map { LintFinding("$.aps.\($0)", "belongs in aps.alert") }
    },
    LintRule(
      "M225", .note, summary: "a key is obsolete",
      why: """
        `summary-arg` and `summary-arg-count` had a meaning on iOS 12 to 14, `action-loc-key` before iOS 8, \
        `url-args` in Safari's website pushes. No current system reads them.
        """,
      bad: #"{"aps": {"alert": {"body": "Hello", "summary-arg": "Ada"}}}"#,
      good: #"{"aps": {"alert": {"body": "Hello"}}}"#,
      fix: "remove it"
    ) { subject in
      let aps = AppleKeys.legacyAps.filter { subject.aps?[$0] != nil }.map { "$.aps.\($0)" }
      let alert = AppleKeys.legacyAlert.filter { subject.aps?["alert"]?[$0] != nil }
        .map { "$.aps.alert.\($0)" }
      return (aps + alert).sorted().map { LintFinding($0, "is not read by any current system") }
    },
    LintRule(
      "M226", .warning, summary: "a header of the request is in the payload",
      why: """
        Priority, expiration, topic, push type and collapse identifier are HTTP headers. In the payload, also \
        in an object such as `headers` or `apns.headers`, they are keys of the app's own, and APNs applies its \
        defaults.
        """,
      bad: #"{"aps": {"alert": "Hello"}, "apns-priority": 5}"#,
      good: .init(#"{"aps": {"alert": "Hello"}}"#, .init(priority: "5")),
      fix: "send it as a header of the request"
    ) { subject in
      let json = subject.json
      let isForeign = subject.foreignRequest != nil
      // In these objects, another service takes the headers of a request to APNs.
      let objects: [(path: String, value: JSONValue?)] =
        isForeign
        ? []
        : [
          ("$.headers", json?["headers"]), ("$.apns", json?["apns"]),
          ("$.apns.headers", json?["apns"]?["headers"]), ("$.data", json?["data"]),
          ("$.data.headers", json?["data"]?["headers"]),
        ]
      let members =
        subject.members("$", of: subject.top) + subject.members("$.aps", of: subject.aps)
        + objects.flatMap { subject.members($0.path, of: $0.value?.object) }
      return members.filter { AppleKeys.headers.contains($0.key.lowercased()) }
        .map { LintFinding($0.path, "must be a header of the request") }
    },
    LintRule(
      "M227", .error, summary: "a key has dots where objects should be nested",
      why: """
        JSON has no paths: `"aps.alert"` is one key of nine characters. Such keys come from flat maps, such \
        as form fields, that were not converted to objects.
        """,
      bad:
        #"{"aps": {"mutable-content": 1, "alert": "Hello"}, "_st.image_url": "https://example.com/a.png"}"#,
      good:
        #"{"aps": {"mutable-content": 1, "alert": "Hello"}, "_st": {"image_url": "https://example.com/a.png"}}"#,
      fix: "nest the objects"
    ) { subject in
      subject.top.keys.sorted().filter { subject.isFlattened($0) }
        .map { LintFinding("$" + JSONScan.step($0), "is a single key; dots do not nest objects") }
    },
  ]
}

extension LintSubject {
  /// A key of an object at a path.
  struct Member {
    var key: String
    var parent: String
    /// The path, which is made only for a finding, because it costs more than the check of a member.
    var path: String { parent + JSONScan.step(key) }
  }

  /// The members of an object with their paths, sorted by key.
  func members(_ path: String, of object: [String: JSONValue]?) -> [Member] {
    (object ?? [:]).keys.sorted().map { Member(key: $0, parent: path) }
  }

  /// The key of `aps` that was misspelled; `nil` if the key is one of Apple's, a vendor's or the app's.
  fileprivate func apsKey(_ key: String) -> String? {
    if let name = AppleKeys.correction(of: key, among: AppleKeys.aps) { return name }
    guard !AppleKeys.knownInAps.contains(key), let aps, let value = aps[key],
      let name = AppleKeys.nearest(to: key, with: value, among: AppleKeys.aps), aps[name] == nil,
      !isReadInsideAps(key)
    else { return nil }
    return name
  }

  /// The key of the alert that was misspelled; `nil` if the key is one of Apple's or unknown.
  func alertKey(_ key: String) -> String? {
    if let name = AppleKeys.correction(of: key, among: AppleKeys.alert) { return name }
    let known = AppleKeys.alert.union(AppleKeys.legacyAlert)
    guard !known.contains(key), let alert = aps?["alert"]?.object, let value = alert[key],
      let name = AppleKeys.nearest(to: key, with: value, among: AppleKeys.alert), alert[name] == nil
    else { return nil }
    return name
  }

  /// Whether a dialect reads a key of `aps`, so that the payload requests something else without the key.
  fileprivate func isReadInsideAps(_ key: String) -> Bool {
    guard var aps, top.count + aps.count <= 200 else { return false }
    aps[key] = nil
    var members = top
    members["aps"] = .object(aps)
    return DialectTable.standard.read(.object(members)) != request
  }

  /// Whether a dialect reads a key beside `aps`.
  fileprivate func isReadBesideAps(_ key: String) -> Bool {
    guard top.count <= 200 else { return false }
    var members = top
    members[key] = nil
    return DialectTable.standard.read(.object(members)) != request
  }

  /// Whether a key with dots should be nested objects, because they begin with `aps`, or because only then a
  /// dialect finds media in them.
  fileprivate func isFlattened(_ key: String) -> Bool {
    let parts = key.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    guard (2...6).contains(parts.count), let value = top[key] else { return false }
    if parts[0] == "aps" { return true }
    guard request.media.isEmpty else { return false }
    let nested = parts.reversed().reduce(value) { .object([$1: $0]) }
    return !DialectTable.standard.read(nested).media.isEmpty
  }
}
