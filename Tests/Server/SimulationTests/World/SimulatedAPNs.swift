import APNs
import FoundationEssentials
import PushCrypto
import PushModel
import PushPayload
import Synchronization
import _HTTP2

@testable import APNsSandbox

/// Apple's side: the tokens that phones got, the sandbox's rules, and every push that came.
final class SimulatedAPNs: Sendable {
  static let bundleID = "com.example.simulated"

  struct Token: Sendable {
    var device: Int
    var isDevelopment: Bool
    /// The time at which the app was removed, or the phone got another token.
    var goneAt: Timestamp?
  }

  /// A push that came to Apple, and its answer.
  struct Arrival: Sendable {
    var time: Timestamp
    /// The time at which the node gave it to its client.
    var givenAt: Timestamp
    var node: Int
    var push: APNsNotification
    var isDevelopment: Bool
    var status: Int
    var reason: String?
  }

  private struct State {
    var tokens: [String: Token] = [:]
    var arrivals: [Arrival] = []
  }

  private let state = Mutex(State())
  private let rules: SandboxRules

  init() throws {
    rules = try SandboxRules(VirtualAPNs.Configuration(certificatePEM: "", keyPEM: ""))
  }

  var arrivals: [Arrival] { state.withLock(\.arrivals) }

  func token(_ token: String) -> Token? { state.withLock { $0.tokens[token] } }

  /// Gives a token to a phone.
  func register(_ token: String, device: Int, isDevelopment: Bool) {
    state.withLock { $0.tokens[token] = Token(device: device, isDevelopment: isDevelopment) }
  }

  /// Makes a token inactive.
  func expire(_ token: String, at now: Timestamp) {
    state.withLock { state in
      if state.tokens[token]?.goneAt == nil { state.tokens[token]?.goneAt = now }
    }
    rules.markGone(token, at: now.milliseconds)
  }

  /// Takes a push, and answers it by the sandbox's rules.
  ///
  /// - Parameters:
  ///   - arrival: The push, with 200 in place of its answer.
  ///   - busy: An answer that Apple gives in place of judging it; `nil` if it judges.
  func take(_ arrival: Arrival, busy: (status: Int, reason: String)?) -> APNsOutcome {
    var arrival = arrival
    if let busy {
      (arrival.status, arrival.reason) = (busy.status, busy.reason)
      return keep(arrival, timestamp: nil)
    }
    let token = token(arrival.push.deviceToken)
    guard let token, token.isDevelopment == arrival.isDevelopment else {
      (arrival.status, arrival.reason) = (400, "BadDeviceToken")
      return keep(arrival, timestamp: nil)
    }
    do {
      let request = SandboxRequest(fields(of: arrival), arrivedAt: .zero)
      request.receive(arrival.push.payload)
      var provider = SandboxProvider()
      try rules.check(request, &provider, now: arrival.time.milliseconds)
      return keep(arrival, timestamp: nil)
    } catch {
      (arrival.status, arrival.reason) = (error.status, error.reason)
      return keep(arrival, timestamp: error.timestamp)
    }
  }

  private func keep(_ arrival: Arrival, timestamp: Int64?) -> APNsOutcome {
    state.withLock { $0.arrivals.append(arrival) }
    return APNsOutcome(
      kind: .answered, status: arrival.status, reason: arrival.reason.map(APNsReason.init),
      apnsID: arrival.push.id,
      timestamp: timestamp.map { .init(timeIntervalSince1970: Double($0) / 1000) })
  }

  /// The header of a push, as a client writes it.
  private func fields(of arrival: Arrival) -> [HeaderField] {
    func field(_ field: SandboxRequest.Field, _ value: String?) -> HeaderField? {
      value.map { HeaderField("\(field.name)", $0, number: field.rawValue) }
    }
    let push = arrival.push
    return [
      field(.method, "POST"), field(.path, "/3/device/\(push.deviceToken)"),
      field(.authorization, "bearer \(Self.providerToken(at: arrival.time))"),
      field(.apnsID, push.id), field(.topic, push.topic), field(.pushType, push.pushType.rawValue),
      field(.priority, push.priority.map(String.init)),
      field(.expiration, push.expiration.map { "\($0.seconds)" }),
      field(.collapseID, push.collapseID),
    ].compactMap(\.self)
  }

  /// A provider token whose signature the sandbox does not check, as it has no key.
  private static func providerToken(at now: Timestamp) -> String {
    let claims = #"{"iss":"TEAM123456","iat":\#(now.milliseconds / 1000)}"#
    let parts = [Array(#"{"alg":"ES256","kid":"KEY1234567"}"#.utf8), Array(claims.utf8)]
    let signature = [UInt8](repeating: 1, count: 64)
    return (parts + [signature]).map(Base64URL.encode).joined(separator: ".")
  }
}
