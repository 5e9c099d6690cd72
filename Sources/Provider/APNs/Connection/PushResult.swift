import FoundationEssentials
import PushPayload
import _HTTP2

/// The result of one push; ``outcome(ofID:)`` turns it into the outcome.
enum PushResult {
  /// APNs would refuse it, so it was not sent.
  case invalid(String)
  case neverSent(String)
  case maybeSent(String)
  case answered(PushAnswer)

  func outcome(ofID id: String) -> APNsOutcome {
    switch self {
    case .invalid(let message):
      var outcome = APNsOutcome(kind: .neverSent, apnsID: id, message: message)
      outcome.isInvalid = true
      return outcome
    case .neverSent(let message):
      return APNsOutcome(kind: .neverSent, apnsID: id, message: message)
    case .maybeSent(let message):
      return APNsOutcome(kind: .maybeSent, apnsID: id, message: message)
    case .answered(let answer):
      return answer.outcome(ofID: id)
    }
  }
}

/// An answer of APNs, while it arrives.
struct PushAnswer {
  /// The most bytes that are kept of the answer to a push; Apple's are far smaller.
  static let maxBody = 4096
  /// The header fields that are read.
  static let fieldNames: [StaticString] = [
    ":status", "apns-id", "apns-unique-id", "apns-channel-id",
  ]

  /// The most bytes that are kept of the body.
  let bodyLimit: Int
  private(set) var status: Int?
  /// The header with the status.
  ///
  /// Its fields are read when they are needed: equal headers share one array, so keeping it costs nothing.
  private var fields: [HeaderField] = []
  private(set) var body: [UInt8] = []
  /// Whether the body was longer than ``bodyLimit``.
  private(set) var isCut = false

  init(bodyLimit: Int = maxBody) { self.bodyLimit = bodyLimit }

  /// Takes the header with the status; a trailer has none, and 1xx leaves the status open.
  mutating func receive(_ fields: [HeaderField]) {
    guard let status = fields.first(where: { $0.name == ":status" }) else { return }
    self.status = Int(status.value).flatMap { $0 >= 200 ? $0 : nil }
    self.fields = fields
  }

  private func value(_ name: String) -> String? { fields.last { $0.name == name }?.value }
  var channelID: String? { value("apns-channel-id") }

  mutating func receive(_ bytes: [UInt8]) {
    if bytes.count > bodyLimit - body.count { isCut = true }
    body.append(contentsOf: bytes.prefix(bodyLimit - body.count))
  }

  /// The `reason` of the body.
  var reason: APNsReason? { json?.reason.map(APNsReason.init(rawValue:)) }

  /// The reason, if it means that the connection must take no more pushes; `nil` for most answers.
  var retiringReason: APNsReason? {
    guard let status, [400, 403, 429, 503].contains(status), let reason else { return nil }
    switch reason {
    case .shutdown, .idleTimeout: return reason
    default: return reason.isAboutCredentials ? reason : nil
    }
  }

  var json: JSONValue? { body.isEmpty ? nil : try? JSONValue(parsing: Data(body)) }

  func outcome(ofID id: String) -> APNsOutcome {
    // Usually a copy of the id that was sent; comparing them releases the copy on the thread that made it.
    let answered = value("apns-id")
    var outcome = APNsOutcome(
      kind: .answered, status: status, apnsID: answered == id ? id : answered ?? id,
      apnsUniqueID: value("apns-unique-id"))
    if status != 200, let json {
      outcome.reason = json.reason.map(APNsReason.init(rawValue:))
      outcome.timestamp = json["timestamp"]?.integer.map {
        Date(timeIntervalSince1970: Double($0) / 1000)
      }
      outcome.message = outcome.reason?.cure
    }
    return outcome
  }
}

extension JSONValue {
  /// The `reason` of an answer or a GOAWAY of APNs.
  ///
  /// It is `nil` unless it is short and printable, because the peer may send anything, and logs and stores keep it.
  var reason: String? {
    guard let reason = self["reason"]?.string, (1...64).contains(reason.utf8.count),
      reason.utf8.allSatisfy({ 0x20...0x7e ~= $0 })
    else { return nil }
    return reason
  }
}
