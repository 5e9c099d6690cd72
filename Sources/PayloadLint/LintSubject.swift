import PushPayload

/// A payload to be linted, read once for all rules.
package struct LintSubject: Sendable {
  /// A file larger than this is no push: it is measured and not read.
  package static let maximumBytes = 65_536
  /// What names the app in an `.apns` file of the Simulator; APNs never sees it.
  static let simulatorKey = "Simulator Target Bundle"

  let bytes: [UInt8]
  let headers: LintHeaders
  let scan: JSONScan
  /// The payload as APNs would get it; `nil` where the bytes are no JSON or no object.
  let json: JSONValue?
  /// Whether the file is for the Simulator.
  let isSimulatorFile: Bool
  /// Any value at the top, objects included.
  let document: JSONValue?
  /// What PushPayload says of Apple's part.
  let findings: [PayloadFinding]
  /// What the vendors' keys mean.
  let content: PayloadRequest

  package init(_ bytes: some Sequence<UInt8>, headers: LintHeaders = LintHeaders()) {
    self.bytes = Array(bytes)
    self.headers = headers
    scan = JSONScan(self.bytes.count > Self.maximumBytes ? [] : self.bytes)
    let isReadable = scan.fault == nil && self.bytes.count <= Self.maximumBytes
    let text = self.bytes.dropFirst(scan.hasByteOrderMark ? 3 : 0)
    document = isReadable ? try? JSONValue(parsing: String(decoding: text, as: UTF8.self)) : nil
    var members = document?.object
    isSimulatorFile = members?.removeValue(forKey: Self.simulatorKey) != nil
    json = members.map(JSONValue.object)
    findings = json.map { APNsPayload($0).findings(maximumBytes: .max) } ?? []
    content = json.map { DialectTable.standard.read($0) } ?? PayloadRequest(dialect: .none)
  }

  /// The members at the top; empty where there are none.
  var top: [String: JSONValue] { json?.object ?? [:] }

  /// The `aps` dictionary, if there is one.
  var aps: [String: JSONValue]? { json?["aps"]?.object }

  /// The `alert` as an object; a text is its body.
  var alert: [String: JSONValue]? {
    switch aps?["alert"] {
    case .string(let text): ["body": .string(text)]
    case .object(let members): members
    default: nil
    }
  }

  /// Whether some text would show.
  var hasAlertText: Bool {
    guard let alert else { return false }
    return ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"].contains {
      switch alert[$0] {
      case .string(let text): text.contains { !$0.isWhitespace }
      case .object(let members): !members.isEmpty  // a Live Activity's
      default: false
      }
    }
  }

  var hasBadge: Bool { !(aps?["badge"] ?? .null).isNull }
  var hasSound: Bool { !(aps?["sound"] ?? .null).isNull }
  var isMutable: Bool { isOn("mutable-content") }
  var isContentAvailable: Bool { isOn("content-available") }

  /// Whether it is a Live Activity's.
  var isLiveActivity: Bool { headers.pushType == "liveactivity" || aps?["event"] != nil }

  /// The `apns-push-type` that was given, or `background` where the payload can be nothing else: it
  /// wakes the app and shows, plays and counts nothing.
  var pushType: String? {
    if let given = headers.pushType { return given }
    let isSilent = aps?["alert"] == nil && !hasBadge && !hasSound
    return isSilent && isContentAvailable && !isLiveActivity ? "background" : nil
  }

  /// As the phone reads it: a number above 0, or anything that is no number.
  private func isOn(_ key: String) -> Bool {
    guard let value = aps?[key], !value.isNull else { return false }
    return value.number.map { $0 > 0 } ?? true
  }
}

extension LintSubject {
  /// What PushPayload found at a path, in its own words.
  func findings(_ code: PayloadFinding.Code, at paths: String...) -> [LintFinding] {
    findings.filter { $0.code == code && paths.contains($0.path) }
      .map { LintFinding($0.path, $0.message) }
  }

  /// The texts that a person would see, with their paths.
  var shownTexts: [(path: String, text: String)] {
    guard let alert else { return [] }
    if let text = aps?["alert"]?.string { return [("$.aps.alert", text)] }
    return ["title", "subtitle", "body"].compactMap { key in
      alert[key]?.string.map { ("$.aps.alert.\(key)", $0) }
    }
  }
}
