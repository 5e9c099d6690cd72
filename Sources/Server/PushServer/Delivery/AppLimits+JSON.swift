import PushModel
import PushPayload
import _OpenSSLCrypto

extension AppLimits {
  /// The members of the limits in requests and answers.
  var members: [String: JSONValue] {
    let holdout: JSONValue? = holdout.map { holdout in
      ["percent": .integer(Int64(holdout.percent)), "since": .string(holdout.since.iso8601)]
    }
    return [
      "holdout": holdout ?? .null, "quiet": quiet?.json ?? .null,
      "caps": .array(caps.map(\.json)), "approval": .string(approval.rawValue),
      "version": .string(version),
    ]
  }

  /// A hash of the limits, which differs if any of them differs.
  var version: String {
    let quiet = quiet.map { String(decoding: $0.json.serialized(), as: UTF8.self) } ?? ""
    // Older nodes do not know the approval of every send. With their words both compute the same hash.
    let words: [Approval: String] = [.none: "false", .required: "true"]
    var texts: [String] = [quiet, words[approval] ?? approval.rawValue] + caps.map(\.text)
    if let holdout { texts += ["\(holdout.percent)", holdout.salt] }
    let bytes = texts.flatMap { text -> [UInt8] in Array(text.utf8) + [0] }
    return Identifiers.hex(Array(OpenSSLCrypto.sha256(bytes).prefix(8)))
  }
}
