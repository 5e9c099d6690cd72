import FoundationEssentials
import PushPayload
import _HTTP2

/// How one push ended, before its notification makes an outcome of it.
enum PushResult {
  /// APNs would refuse it.
  case flawed(String)
  case neverSent(String)
  case maybeSent(String)
  case answered(PushAnswer)

  func outcome(of notification: APNsNotification) -> APNsOutcome {
    switch self {
    case .flawed(let message):
      var outcome = APNsOutcome(kind: .neverSent, apnsID: notification.id, message: message)
      outcome.isFlawed = true
      return outcome
    case .neverSent(let message):
      return APNsOutcome(kind: .neverSent, apnsID: notification.id, message: message)
    case .maybeSent(let message):
      return APNsOutcome(kind: .maybeSent, apnsID: notification.id, message: message)
    case .answered(let answer):
      return answer.outcome(of: notification)
    }
  }
}

/// An answer of APNs as it comes in.
struct PushAnswer {
  /// Apple's answers are far smaller; what is beyond is dropped.
  static let maxBody = 4096
  /// All that is read of its header.
  static let fieldNames: [StaticString] = [":status", "apns-id", "apns-unique-id"]

  var status: Int?
  private var apnsID: String?
  private var apnsUniqueID: String?
  private var body: [UInt8] = []
  /// Whether its body was longer than is kept.
  private(set) var isCut = false

  mutating func take(_ fields: [HeaderField]) {
    for field in fields {
      switch field.name {
      case ":status": status = Int(field.value).flatMap { $0 >= 200 ? $0 : nil }
      case "apns-id": apnsID = field.value
      case "apns-unique-id": apnsUniqueID = field.value
      default: break
      }
    }
  }

  mutating func take(_ bytes: [UInt8]) {
    if bytes.count > Self.maxBody - body.count { isCut = true }
    body.append(contentsOf: bytes.prefix(Self.maxBody - body.count))
  }

  /// Apple's word, where there is one.
  var reason: APNsReason? { json?["reason"]?.string.map(APNsReason.init(rawValue:)) }

  private var json: JSONValue? { body.isEmpty ? nil : try? JSONValue(parsing: Data(body)) }

  func outcome(of notification: APNsNotification) -> APNsOutcome {
    var outcome = APNsOutcome(
      kind: .answered, status: status, apnsID: apnsID ?? notification.id,
      apnsUniqueID: apnsUniqueID)
    if let json {
      outcome.reason = json["reason"]?.string.map(APNsReason.init(rawValue:))
      outcome.timestamp = json["timestamp"]?.integer
    }
    return outcome
  }
}
