#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A remote notification's whole payload: the `aps` dictionary and what stands beside it.
public struct APNsPayload: Hashable, Sendable {
  /// Apple's part.
  public var aps: APS
  /// Every key beside `aps`, as it came.
  public var custom: [String: JSONValue]

  /// Makes a payload.
  ///
  /// - Parameters:
  ///   - aps: Apple's part.
  ///   - custom: Keys beside `aps`; a key named `aps` among them is ignored when encoding.
  public init(aps: APS = APS(), custom: [String: JSONValue] = [:]) {
    self.aps = aps
    self.custom = custom
  }

  /// Reads a payload leniently, as a phone does.
  ///
  /// Keys of a wrong type are kept in ``APS/unknown``; ``findings(maximumBytes:)`` names them.
  ///
  /// - Parameter json: A JSON object. Anything else has no `aps` and no custom key.
  public init(_ json: JSONValue) {
    var ignored: [PayloadFinding] = []
    self.init(json, noting: &ignored)
  }

  /// Reads a payload from its bytes.
  ///
  /// - Parameter data: UTF-8 JSON.
  /// - Throws: ``JSONError`` where the bytes are no JSON.
  public init(parsing data: Data) throws(JSONError) { self.init(try JSONValue(parsing: data)) }

  private init(_ json: JSONValue, noting findings: inout [PayloadFinding]) {
    var members = json.object ?? [:]
    if json.object == nil {
      findings.append(
        PayloadFinding(
          code: .wrongType, path: "$", message: "is \(json.typeName); a payload is an object"))
    }
    switch members.removeValue(forKey: "aps") {
    case .object(let object)?: aps = APS(object, noting: &findings)
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
  /// What a sender should know about this payload.
  ///
  /// - Parameter maximumBytes: The most bytes it may have; see ``PushType/payloadLimit``.
  /// - Returns: Findings, those of wrong types first; empty where there is nothing to say.
  public func findings(maximumBytes: Int = PushType.alert.payloadLimit) -> [PayloadFinding] {
    var findings: [PayloadFinding] = []
    _ = APNsPayload(json, noting: &findings)
    if let score = aps.relevanceScore, aps.liveActivity == nil, !(0...1).contains(score) {
      findings.append(
        PayloadFinding(
          code: .outOfRange, path: "$.aps.relevance-score", message: "takes a number from 0 to 1"))
    }
    if let level = aps.interruptionLevel, !APS.InterruptionLevel.all.contains(level) {
      let words = APS.InterruptionLevel.all.map(\.rawValue).joined(separator: ", ")
      findings.append(
        PayloadFinding(
          code: .outOfRange, path: "$.aps.interruption-level", message: "takes one of \(words)"))
    }
    if let volume = aps.sound?.volume, !(0...1).contains(volume) {
      findings.append(
        PayloadFinding(
          code: .outOfRange, path: "$.aps.sound.volume", message: "takes a number from 0 to 1"))
    }
    if aps.json.isEmpty {
      findings.append(
        PayloadFinding(
          code: .nothingToShow, path: "$.aps",
          message: "has no alert, badge, sound or content-available; the phone drops it"))
    }
    let size = encoded().count
    if size > maximumBytes {
      findings.append(
        PayloadFinding(
          code: .tooLarge, path: "$", message: "has \(size) bytes; APNs takes \(maximumBytes)"))
    }
    return findings
  }
}
