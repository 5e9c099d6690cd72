#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The payload of a remote notification: the `aps` dictionary and the app's own keys beside it.
///
/// ```swift
/// let payload = APNsPayload(
///   aps: APS(alert: Alert(title: "Rain", body: "At noon"), mutableContent: true),
///   custom: ["image_url": "https://example.com/rain.png"])
/// let body = payload.encoded()
/// ```
public struct APNsPayload: Hashable, Sendable {
  /// The `aps` dictionary.
  public var aps: APS
  /// Every key beside `aps`, unchanged.
  public var custom: [String: JSONValue]

  /// Makes a payload.
  ///
  /// - Parameters:
  ///   - aps: The `aps` dictionary.
  ///   - custom: The keys beside `aps`; a key named `aps` among them is ignored.
  public init(aps: APS = APS(), custom: [String: JSONValue] = [:]) {
    self.aps = aps
    self.custom = custom
  }

  /// Reads a payload leniently, as iOS does.
  ///
  /// Values of a wrong type are kept in ``APS/unknown``; ``findings(maximumBytes:)`` names them.
  ///
  /// - Parameter json: A JSON object; any other value makes an empty payload.
  public init(_ json: JSONValue) {
    var ignored: [PayloadFinding] = []
    self.init(json, findings: &ignored)
  }

  /// Reads a payload from its bytes.
  ///
  /// - Parameter data: UTF-8 JSON.
  /// - Throws: ``JSONError`` if the bytes are not valid JSON.
  public init(parsing data: Data) throws(JSONError) { self.init(try JSONValue(parsing: data)) }

  private init(_ json: JSONValue, findings: inout [PayloadFinding]) {
    var members = json.object ?? [:]
    if json.object == nil {
      findings.append(
        PayloadFinding(
          code: .wrongType, path: "$", message: "is \(json.typeName); a payload must be an object"))
    }
    switch members.removeValue(forKey: "aps") {
    case .object(let object)?: aps = APS(object, findings: &findings)
    case .null?, nil: aps = APS()
    case let other?:
      aps = APS()
      findings.append(
        PayloadFinding(
          code: .wrongType, path: "$.aps", message: "is \(other.typeName); it takes an object"))
    }
    custom = members
  }

  /// The payload as one JSON object.
  public var json: JSONValue {
    var members = custom
    members["aps"] = .object(aps.json)
    return .object(members)
  }

  /// The bytes to send: compact UTF-8 JSON with sorted keys.
  public func encoded() -> Data { json.serialized() }
}

extension APNsPayload {
  /// Returns the problems of this payload: values of a wrong type or out of range, nothing to show, too many bytes.
  ///
  /// - Parameter maximumBytes: The largest payload in bytes; see ``PushType/payloadLimit``.
  /// - Returns: The findings, those about wrong types first; empty if the payload has no problem.
  public func findings(maximumBytes: Int = PushType.alert.payloadLimit) -> [PayloadFinding] {
    var findings: [PayloadFinding] = []
    _ = APNsPayload(json, findings: &findings)
    if let score = aps.relevanceScore, aps.liveActivity == nil, !(0...1).contains(score) {
      findings.append(
        PayloadFinding(
          code: .outOfRange, path: "$.aps.relevance-score", message: "must be a number from 0 to 1")
      )
    }
    if let level = aps.interruptionLevel, !APS.InterruptionLevel.all.contains(level) {
      let words = APS.InterruptionLevel.all.map(\.rawValue).joined(separator: ", ")
      findings.append(
        PayloadFinding(
          code: .outOfRange, path: "$.aps.interruption-level", message: "must be one of \(words)"))
    }
    if let volume = aps.sound?.volume, !(0...1).contains(volume) {
      findings.append(
        PayloadFinding(
          code: .outOfRange, path: "$.aps.sound.volume", message: "must be a number from 0 to 1"))
    }
    if aps.json.isEmpty {
      findings.append(
        PayloadFinding(
          code: .nothingToShow, path: "$.aps",
          message: "has no alert, badge, sound or content-available, so iOS drops the push"))
    }
    let size = encoded().count
    if size > maximumBytes {
      findings.append(
        PayloadFinding(
          code: .tooLarge, path: "$", message: "has \(size) bytes; the limit is \(maximumBytes)"))
    }
    return findings
  }
}
