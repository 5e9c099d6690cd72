import NotificationTemplates
import PushPayload

/// A payload to lint, parsed once for all rules.
package struct LintSubject: Sendable {
  /// The most bytes that are parsed; of a larger file, only the size is checked.
  package static let maximumBytes = 65_536
  /// The key for the app in an `.apns` file of the Simulator, which is never sent to APNs.
  static let simulatorKey = "Simulator Target Bundle"

  let bytes: [UInt8]
  let headers: LintHeaders
  let scan: JSONScan
  /// The payload in the form that is sent to APNs; `nil` if the bytes are not a JSON object.
  let json: JSONValue?
  /// Whether the file is for the Simulator.
  let isSimulatorFile: Bool
  /// The JSON document; `nil` if the bytes are not valid JSON.
  let document: JSONValue?
  /// The findings of `APNsPayload` about the `aps` dictionary.
  let findings: [PayloadFinding]
  /// The content that the vendors' keys request.
  let request: PayloadRequest
  /// The template of the expanded notification, and the parts of it that cannot be read.
  let template: TemplateReading
  /// The request to another push service that the file contains; `nil` if the file is a payload.
  let foreignRequest: ForeignRequest?
  /// The time of sending in seconds since 1970; `nil` if it is unknown.
  let now: Int64?

  /// Parses a payload.
  ///
  /// `now` is the time of sending in seconds since 1970; if it is `nil`, rules about times do not apply.
  package init(
    _ bytes: some Sequence<UInt8>, headers: LintHeaders = LintHeaders(), now: Int64?
  ) {
    self.bytes = Array(bytes)
    self.headers = headers
    self.now = now
    scan = JSONScan(self.bytes.count > Self.maximumBytes ? [] : self.bytes)
    let isReadable = scan.fault == nil && self.bytes.count <= Self.maximumBytes
    let text = self.bytes.dropFirst(scan.hasByteOrderMark ? 3 : 0)
    document = isReadable ? try? JSONValue(parsing: String(decoding: text, as: UTF8.self)) : nil
    var members = document?.object
    isSimulatorFile = members?.removeValue(forKey: Self.simulatorKey) != nil
    json = members.map(JSONValue.object)
    findings = json.map { APNsPayload($0).findings(maximumBytes: .max) } ?? []
    request = json.map { DialectTable.standard.read($0) } ?? PayloadRequest(dialect: .none)
    template = TemplateTable.standard.read(json ?? .object([:]), delivered: Double(now ?? 0))
    foreignRequest = json.flatMap { ForeignRequest($0) }
  }

  /// The payload's members; empty if it is not an object.
  var top: [String: JSONValue] { json?.object ?? [:] }

  /// The `aps` dictionary, if the payload has one.
  var aps: [String: JSONValue]? { json?["aps"]?.object }

  /// The `alert` as an object; a string becomes its body.
  var alert: [String: JSONValue]? {
    switch aps?["alert"] {
    case .string(let text): ["body": .string(text)]
    case .object(let members): members
    default: nil
    }
  }

  /// Whether the alert has any text to show.
  var hasAlertText: Bool {
    guard let alert else { return false }
    return ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"].contains {
      switch alert[$0] {
      case .string(let text): text.contains { !$0.isWhitespace }
      case .object(let members): !members.isEmpty  // Live Activities only
      default: false
      }
    }
  }

  var hasBadge: Bool { !(aps?["badge"] ?? .null).isNull }
  var hasSound: Bool { !(aps?["sound"] ?? .null).isNull }
  var isMutable: Bool { isOn("mutable-content") }
  var isContentAvailable: Bool { isOn("content-available") }

  /// Whether this is a Live Activity push.
  var isLiveActivity: Bool { headers.pushType == "liveactivity" || aps?["event"] != nil }

  /// The given `apns-push-type`.
  ///
  /// By default it is `background` for a payload that has `content-available` and no alert, sound or badge.
  var pushType: String? {
    if let given = headers.pushType { return given }
    let isSilent = aps?["alert"] == nil && !hasBadge && !hasSound
    return isSilent && isContentAvailable && !isLiveActivity ? "background" : nil
  }

  /// Whether iOS reads a key as 1, which it does for a number above 0 and for any value that is not a number.
  private func isOn(_ key: String) -> Bool {
    guard let value = aps?[key], !value.isNull else { return false }
    return value.number.map { $0 > 0 } ?? true
  }
}

extension LintSubject {
  /// The findings of `APNsPayload` with a code at certain paths, as findings of a rule.
  func findings(_ code: PayloadFinding.Code, at paths: String...) -> [LintFinding] {
    findings.filter { $0.code == code && paths.contains($0.path) }
      .map { LintFinding($0.path, $0.message) }
  }

  /// The texts that a person sees, with their paths.
  var shownTexts: [(path: String, text: String)] {
    guard let alert else { return [] }
    if let text = aps?["alert"]?.string { return [("$.aps.alert", text)] }
    return ["title", "subtitle", "body"].compactMap { key in
      alert[key]?.string.map { ("$.aps.alert.\(key)", $0) }
    }
  }
}
