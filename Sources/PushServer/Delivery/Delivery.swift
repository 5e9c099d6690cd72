import APNs
import PushPayload
import PushStore

/// One batch on its way: the pushes to make and what their outcomes mean, without IO.
struct Delivery {
  private let batch: Batch
  private(set) var production: [APNsNotification] = []
  private(set) var development: [APNsNotification] = []
  /// What is known without asking Apple, and then what Apple answered.
  private(set) var outcomes: [Outcome] = []
  private var targets: [String: Batch.Target] = [:]
  /// The shortest wait that Apple asks for, where it answered.
  private var advised: APNsRetry?
  /// Whether a push got no answer, so that the wait is this server's to choose.
  private var hasUnanswered = false

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
      let id = Identifiers.apnsID(send: batch.send.id, device: target.id)
      guard let token = target.token else {
        add(target, .rejected, reason: "NoToken", apnsID: id, at: now)
        continue
      }
      let push = APNsNotification(
        deviceToken: token, topic: topic, pushType: content.pushType, priority: content.priority,
        collapseID: content.collapseKey ?? batch.send.id, id: id, payload: payload)
      targets[id] = target
      if target.isDevelopment { development.append(push) } else { production.append(push) }
    }
  }

  /// Takes what became of pushes; those to be sent again leave nothing.
  mutating func take(_ answers: [APNsOutcome], to pushes: [APNsNotification], at now: Timestamp) {
    for (push, answer) in zip(pushes, answers) {
      guard let target = targets[push.id] else { continue }
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
          reason: answer.reason?.rawValue ?? (answer.isFlawed ? answer.message : nil),
          apnsID: push.id, time: now, token: target.token,
          goneSince: answer.timestamp.map(Timestamp.init(milliseconds:))))
    }
  }

  /// Ends every device of the batch without sending.
  mutating func refuseAll(_ reason: String, at now: Timestamp) {
    production = []
    development = []
    outcomes = []
    for target in batch.targets {
      let id = Identifiers.apnsID(send: batch.send.id, device: target.id)
      add(target, .rejected, reason: reason, apnsID: id, at: now)
    }
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

  private mutating func add(
    _ target: Batch.Target, _ result: Outcome.Result, reason: String, apnsID: String,
    at now: Timestamp
  ) {
    outcomes.append(
      Outcome(
        device: target.number, result: result, status: nil, reason: reason, apnsID: apnsID,
        time: now, token: target.token))
  }
}
