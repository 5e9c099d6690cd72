import PushModel
import PushPayload
import Synchronization
import _Curl

@testable import PushServer

/// The receiver of the app's webhook: every call that came, and what was wrong with it.
final class SimulatedReceiver: Sendable {
  static let url = "https://hooks.example/martlet"
  /// The events of sends that the webhook gets.
  static let events = WebhookEvent.all.filter { $0.hasPrefix("notification.") }

  struct Call: Sendable {
    /// The number of the call, which its repeats have too.
    var number: String
    /// The id by which a receiver recognizes a call that comes again.
    var id: String
    var event: String
    var body: JSONValue
    /// Whether the signature is that of the secret.
    var isSigned: Bool
  }

  let secret: String
  private let state = Mutex([Call]())

  init(secret: String) { self.secret = secret }

  var calls: [Call] { state.withLock(\.self) }

  func take(_ request: OutgoingRequest) -> Call? {
    guard let bytes = request.body, let body = try? JSONValue(parsing: bytes) else { return nil }
    func field(_ name: String) -> String { request.fields.first { $0.name == name }?.value ?? "" }
    let signature = field(WebhookSignature.field)
    let seconds = signature.dropFirst(2).prefix { $0 != "," }
    let signed = Int64(seconds).map {
      WebhookSignature.value(of: bytes, secret: secret, at: Timestamp(milliseconds: $0 * 1000))
    }
    let call = Call(
      number: field("Martlet-Call"), id: body["id"]?.string ?? "",
      event: body["event"]?.string ?? "", body: body,
      isSigned: signature == signed)
    state.withLock { $0.append(call) }
    return call
  }
}

/// The way between one life of a node and the receiver, which loses calls and answers.
struct WayToReceiver: HTTPClient {
  struct NoAnswer: Error {}

  let life: SimulationNode.Life
  let receiver: SimulatedReceiver
  let scheduler: Scheduler
  let faults: NetworkFaults
  let chance: Chance
  var planted: PlantedFault?
  let note: @Sendable (String) -> Void

  func answer(to request: OutgoingRequest) async throws -> OutgoingRequest.Answer {
    let fate = faults.fate(of: chance)
    try await pass()
    switch fate {
    case .refused, .lost:
      if planted == .failedCallCountsAsDelivered { return OutgoingRequest.Answer(status: 200) }
      throw NoAnswer()
    case .busy(let status, _): return OutgoingRequest.Answer(status: status)
    case .answerLost, .whole:
      let call = receiver.take(request)
      // The id in the body is random, and would not be the same in another run of the seed.
      note("webhook \(call?.event ?? "-") \(call?.number ?? "-")\(fate == .whole ? "" : ", lost")")
      try await pass()
      if fate == .answerLost { throw NoAnswer() }
      return OutgoingRequest.Answer(status: 200)
    }
  }

  /// Lets time pass, after which the node may be dead.
  private func pass() async throws {
    try await scheduler.sleep(
      .milliseconds(chance.number(in: faults.latency)), owner: life.number)
    if life.isOver { throw CancellationError() }
  }
}
