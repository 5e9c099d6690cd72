import FoundationEssentials
import PushPayload
import _HTTP2

/// How one push ended, before its notification makes an outcome of it.
enum PushResult {
  /// APNs would refuse it.
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

/// An answer of APNs as it comes in.
struct PushAnswer {
  /// Apple's answers to pushes are far smaller; what is beyond is dropped.
  static let maxBody = 4096
  /// All that is read of its header.
  static let fieldNames: [StaticString] = [
    ":status", "apns-id", "apns-unique-id", "apns-channel-id",
  ]

  /// The most that is kept of its body.
  let bodyLimit: Int
  private(set) var status: Int?
  /// Those that came with the status, read late: answers are alike, and share theirs.
  private var fields: [HeaderField] = []
  private(set) var body: [UInt8] = []
  /// Whether its body was longer than is kept.
  private(set) var isCut = false

  init(bodyLimit: Int = maxBody) { self.bodyLimit = bodyLimit }

  mutating func take(_ fields: [HeaderField]) {
    guard let status = fields.first(where: { $0.name == ":status" }) else { return }
    self.status = Int(status.value).flatMap { $0 >= 200 ? $0 : nil }
    self.fields = fields
  }

  private func value(_ name: String) -> String? { fields.last { $0.name == name }?.value }
  var channelID: String? { value("apns-channel-id") }

  mutating func take(_ bytes: [UInt8]) {
    if bytes.count > bodyLimit - body.count { isCut = true }
    body.append(contentsOf: bytes.prefix(bodyLimit - body.count))
  }

  /// Apple's word, where there is one.
  var reason: APNsReason? { json?["reason"]?.string.map(APNsReason.init(rawValue:)) }

  /// Apple's word where no further push shall go on the connection; `nil` for most answers.
  var reasonToLeave: APNsReason? {
    guard let status, [400, 403, 429, 503].contains(status), let reason else { return nil }
    switch reason {
    case .shutdown, .idleTimeout: return reason
    default: return reason.isAboutCredentials ? reason : nil
    }
  }

  var json: JSONValue? { body.isEmpty ? nil : try? JSONValue(parsing: Data(body)) }

  func outcome(ofID id: String) -> APNsOutcome {
    // As a rule a copy of the id that was sent, which is let go here, on the thread that made it.
    let answered = value("apns-id")
    var outcome = APNsOutcome(
      kind: .answered, status: status, apnsID: answered == id ? id : answered ?? id,
      apnsUniqueID: value("apns-unique-id"))
    if status != 200, let json {
      outcome.reason = json["reason"]?.string.map(APNsReason.init(rawValue:))
      outcome.timestamp = json["timestamp"]?.integer
      outcome.message = outcome.reason?.cure
    }
    return outcome
  }
}
