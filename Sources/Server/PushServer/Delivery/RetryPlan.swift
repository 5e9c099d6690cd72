import APNs
import PushModel
import _Bitmaps

/// The devices of a batch that get no outcome in this lease, and when they are due again.
struct RetryPlan {
  private struct Asked: Hashable {
    var wait: Duration
    var attempts: Int
    var isKeyRefused: Bool
  }

  private struct Unanswered: Hashable {
    var attempts: Int
    var isKeyRefused: Bool
    var mayHaveArrived: Bool
  }

  /// The devices that Apple has asked to send to later.
  private var asked: [Asked: DeviceNumbers] = [:]
  /// The number of pushes without an answer, and the client's message about the last one.
  private(set) var unanswered: (count: Int, message: String?) = (0, nil)
  /// The devices whose push was sent and not answered.
  private var mayHaveArrived = DeviceNumbers()

  /// Adds a device to which Apple has asked to send after some time, or for which it has refused the app's key.
  mutating func add(
    _ target: Batch.Target, after wait: Duration, attempts: Int, isKeyRefused: Bool = false
  ) {
    let group = Asked(wait: wait, attempts: attempts, isKeyRefused: isKeyRefused)
    asked[group, default: DeviceNumbers()].append(target.number)
  }

  /// Adds a device whose push has no answer.
  mutating func add(_ target: Batch.Target, unanswered answer: APNsOutcome) {
    unanswered = (unanswered.count + 1, answer.message)
    if answer.kind == .maybeSent { mayHaveArrived.append(target.number) }
  }

  /// Returns the time at which each device of a batch without an outcome is due again.
  ///
  /// A device that Apple asked to retry waits as long as the answer says. The others wait 1 s, and
  /// up to 30 s while the batch gets no answers.
  func retries(of batch: Batch, without outcomes: [Outcome], at now: Timestamp) -> [Retry] {
    guard outcomes.count < batch.targets.count else { return [] }
    var retries = asked.map {
      Retry($1, dueAt: now + $0.wait, attempts: $0.attempts, isKeyRefused: $0.isKeyRefused)
    }
    var settled = DeviceNumbers(outcomes.map(\.device)).bitmap
    for devices in asked.values { settled.formUnion(devices.bitmap) }
    let isFruitless = outcomes.isEmpty && asked.isEmpty
    let soon =
      now + DeliveryDecision.delay(afterFruitless: isFruitless ? batch.fruitlessAttempts : 0)
    let others = batch.targets.filter { !settled.contains($0.number) }
    let groups = Dictionary(grouping: others) { target in
      Unanswered(
        attempts: target.attempts, isKeyRefused: target.isKeyRefused,
        mayHaveArrived: mayHaveArrived.contains(target.number))
    }
    for (group, targets) in groups {
      retries.append(
        Retry(
          DeviceNumbers(targets.map(\.number)), dueAt: soon, attempts: group.attempts,
          isKeyRefused: group.isKeyRefused, mayHaveArrived: group.mayHaveArrived))
    }
    return retries
  }
}
