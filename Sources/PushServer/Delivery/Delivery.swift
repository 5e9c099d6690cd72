import APNs
import PushPayload
import PushStore

/// One batch on its way: the pushes to make and what their outcomes mean, without IO.
struct Delivery {
  private let batch: Batch
  private(set) var production = Pushes()
  private(set) var development = Pushes()
  /// What is known without asking Apple, and then what Apple answered.
  private(set) var outcomes: [Outcome] = []
  /// The shortest wait that Apple asks for, where it answered.
  private var advised: APNsRetry?
  /// Whether a push got no answer, so that the wait is this server's to choose.
  private var hasUnanswered = false

  /// What goes to one of Apple's hosts, each push with its device at the same place.
  struct Pushes {
    fileprivate(set) var notifications: [APNsNotification] = []
    fileprivate var targets: [Batch.Target] = []
  }

  init(_ batch: Batch, topic: String, at now: Timestamp) {
    self.batch = batch
    let content: PushContent
    let payload: [UInt8]
    do throws(APIError) {
      content = try PushContent(BodyValue(batch.send.payload))
      payload = try content.encoded(notification: batch.send.id, path: "$")
    } catch {
      // It was checked when it was accepted, by an older version perhaps.
      refuseAll("PayloadRefused", at: now)
      return
    }
    for target in batch.targets {
      guard let token = target.token else {
        reject(target, "NoToken", at: now)
        continue
      }
      let id = Identifiers.apnsID(send: batch.send.id, device: target.id)
      let push = APNsNotification(
        deviceToken: token, topic: topic, pushType: content.pushType, priority: content.priority,
        collapseID: content.collapseKey ?? batch.send.id, id: id, payload: payload)
      if target.isDevelopment {
        development.notifications.append(push)
        development.targets.append(target)
      } else {
        production.notifications.append(push)
        production.targets.append(target)
      }
    }
  }

  /// Takes what became of pushes; those to be sent again leave nothing.
  mutating func take(_ answers: [APNsOutcome], to pushes: Pushes, at now: Timestamp) {
    for (target, answer) in zip(pushes.targets, answers) {
      let result: Outcome.Result
      switch Verdict(answer) {
      case .ended(let ended): result = ended
      case .again(let retry):
        if answer.kind != .answered { hasUnanswered = true }
        advised = [advised, retry].compactMap(\.self).min { $0.delay < $1.delay }
        continue
      }
      outcomes.append(
        Outcome(
          device: target.number, result: result, status: answer.status,
          reason: answer.reason?.rawValue ?? (answer.isFlawed ? answer.message : nil), time: now,
          token: target.token,
          goneSince: answer.timestamp.map(Timestamp.init(milliseconds:))))
    }
  }

  /// Ends every device of the batch without sending.
  mutating func refuseAll(_ reason: String, at now: Timestamp) {
    production = Pushes()
    development = Pushes()
    outcomes = []
    for target in batch.targets { reject(target, reason, at: now) }
  }

  /// When what is left is due again.
  ///
  /// A batch has one time for all: that of the push which may go first. APNs out of reach is tried soon,
  /// though others of the batch were told to come later; those are few, and told again.
  func retryTime(at now: Timestamp) -> Timestamp {
    let attempts = outcomes.isEmpty ? batch.fruitlessAttempts : 0
    guard !hasUnanswered, let advised else { return now + Verdict.delay(afterFruitless: attempts) }
    return now + advised.delay(afterAttempts: attempts + 1)
  }

  private mutating func reject(_ target: Batch.Target, _ reason: String, at now: Timestamp) {
    outcomes.append(
      Outcome(
        device: target.number, result: .rejected, status: nil, reason: reason, time: now,
        token: target.token))
  }
}
