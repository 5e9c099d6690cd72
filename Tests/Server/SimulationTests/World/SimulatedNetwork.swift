import APNs
import PushModel
import Synchronization

@testable import PushServer

/// The way between a node and Apple: latency, pushes and answers that are lost, and an Apple that is busy.
///
/// A push is one request. Frames, flow control and connections are left out: what they do to a push is one of the three
/// kinds of `APNsOutcome`, and the suites of the client try them on real connections.
final class SimulatedNetwork: PushSender {
  private let scheduler: Scheduler
  private let apns: SimulatedAPNs
  private let faults: NetworkFaults
  private let chance: Chance
  private let life: SimulationNode.Life
  private let planted: PlantedFault?
  private let repeats = Mutex<[String: Int]>([:])
  private let arrived: @Sendable (SimulatedAPNs.Arrival) -> Void
  private let note: @Sendable (String) -> Void

  init(
    of life: SimulationNode.Life, to apns: SimulatedAPNs, in scheduler: Scheduler,
    faults: NetworkFaults, chance: Chance, planted: PlantedFault?,
    arrived: @escaping @Sendable (SimulatedAPNs.Arrival) -> Void,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.arrived = arrived
    (self.life, self.apns, self.scheduler) = (life, apns, scheduler)
    (self.faults, self.chance, self.planted, self.note) = (faults, chance, planted, note)
  }

  /// One push on its way.
  private struct Passage {
    var index: Int
    var fate: NetworkFaults.Fate
    /// The time until it comes to Apple, and until the answer comes back.
    var there: Int
    var back: Int
  }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    let givenAt = scheduler.now
    var outcomes = pushes.map { APNsOutcome(kind: .neverSent, apnsID: $0.id) }
    let passages = pushes.indices.map { index in
      Passage(
        index: index, fate: faults.fate(of: chance), there: chance.number(in: faults.latency),
        back: chance.number(in: faults.latency))
    }
    var passed = 0
    for passage in passages.sorted(by: { ($0.there, $0.index) < ($1.there, $1.index) }) {
      try await pass(passage.there - passed)
      passed = passage.there
      outcomes[passage.index] = outcome(
        of: passage, pushes[passage.index], development: development, givenAt: givenAt)
    }
    try await pass((passages.map { $0.there + $0.back }.max() ?? 0) - passed)
    return outcomes
  }

  /// Lets time pass, after which the node may be dead.
  private func pass(_ milliseconds: Int) async throws {
    if milliseconds > 0 {
      try await scheduler.sleep(.milliseconds(milliseconds), owner: life.number)
    }
    if life.isOver { throw CancellationError() }
  }

  private func outcome(
    of passage: Passage, _ push: APNsNotification, development: Bool, givenAt: Timestamp
  ) -> APNsOutcome {
    switch passage.fate {
    case .refused: return APNsOutcome(kind: .neverSent, apnsID: push.id, message: "refused")
    case .lost: return lost(push)
    case .answerLost:
      _ = take(push, development: development, givenAt: givenAt, isAnswerLost: true)
      return lost(push)
    case .busy(let status, let reason):
      return take(push, development: development, givenAt: givenAt, busy: (status, reason))
    case .whole: return take(push, development: development, givenAt: givenAt)
    }
  }

  /// The outcome of a push without an answer.
  private func lost(_ push: APNsNotification) -> APNsOutcome {
    switch planted {
    case .lostPushCountsAsSent: APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
    case .lostPushCountsAsNeverSent: APNsOutcome(kind: .neverSent, apnsID: push.id)
    default: APNsOutcome(kind: .maybeSent, apnsID: push.id, message: "no answer")
    }
  }

  private func take(
    _ push: APNsNotification, development: Bool, givenAt: Timestamp,
    busy: (status: Int, reason: String)? = nil, isAnswerLost: Bool = false
  ) -> APNsOutcome {
    let push = planted.map { changed(push, by: $0) } ?? push
    var arrival = SimulatedAPNs.Arrival(
      time: scheduler.now, givenAt: givenAt, node: life.number, push: push,
      isDevelopment: development, status: 200)
    let outcome = apns.take(arrival, busy: busy)
    arrival.status = outcome.status ?? 0
    arrived(arrival)
    note(
      "apns \(development ? "development " : "")\(push.deviceToken.suffix(6)) \(push.id.suffix(6))"
        + " of \(push.collapseID?.suffix(6) ?? "-"): \(outcome.status ?? 0)"
        + (outcome.reason.map { " \($0)" } ?? "") + (isAnswerLost ? ", lost" : ""))
    return outcome
  }

  /// A push as a client with a fault sends it.
  private func changed(_ push: APNsNotification, by fault: PlantedFault) -> APNsNotification {
    var push = push
    let earlier = repeats.withLock { repeats in
      defer { repeats[push.id, default: 0] += 1 }
      return repeats[push.id] ?? 0
    }
    if fault == .repeatsHaveNewID, earlier > 0 {
      push.id = String(push.id.dropLast(4)) + "\(1000 + earlier)"
    }
    return push
  }

  func close() async {}
}
