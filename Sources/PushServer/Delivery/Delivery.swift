import APNs
import PushStore

/// One batch on its way: the pushes to make and what their outcomes mean, without IO.
struct Delivery {
  /// What goes to one of Apple's hosts, each push with its device at the same place.
  struct Pushes {
    fileprivate(set) var notifications: [APNsNotification] = []
    fileprivate var addressees: [Addressee] = []
    /// Whether the other host knew the devices' tokens not.
    fileprivate var isSecondTry = false

    fileprivate mutating func append(_ push: APNsNotification, _ addressee: Addressee) {
      notifications.append(push)
      addressees.append(addressee)
    }
  }

  fileprivate struct Addressee {
    var target: Batch.Target
    /// What the push says that the app's icon shows.
    var badge: Int64?
  }

  /// Both of Apple's hosts.
  typealias Hosts = (production: Pushes, development: Pushes)

  private let batch: Batch
  private var waiting: Hosts = (Pushes(), Pushes())
  /// What is known without asking Apple, and then what Apple answered.
  private(set) var outcomes: [Outcome] = []
  /// Devices whose token turned out to be the other host's.
  private(set) var moved = 0
  /// The shortest wait that Apple asks for, where it answered.
  private var advised: APNsRetry?
  /// Whether a push got no answer, so that the wait is this server's to choose.
  private var hasUnanswered = false

  /// Composes for each device; `recipients` has those for which the composer needs more than a batch tells.
  init(
    _ batch: Batch, composer: Composer, recipients: [UInt32: Recipient] = [:], topic: String,
    at now: Timestamp
  ) {
    self.batch = batch
    let sharedBadge = composer.badge(for: nil)
    for target in batch.targets {
      guard let token = target.token else {
        reject(target, "NoToken", at: now)
        continue
      }
      let payload: [UInt8]
      var badge = sharedBadge
      if !composer.needsRecipient(hasKeys: target.hasKeys), let shared = composer.shared {
        payload = shared
      } else {
        guard let recipient = recipients[target.number] else {
          reject(target, "NoToken", at: now)
          continue
        }
        do throws(ComposeError) {
          payload = try composer.payload(for: recipient, at: now)
          badge = composer.badge(for: recipient)
        } catch {
          reject(target, error.reason, at: now)
          continue
        }
      }
      let push = APNsNotification(
        deviceToken: token, topic: topic, pushType: composer.pushType, priority: composer.priority,
        expiration: composer.expiration, collapseID: composer.collapseID,
        id: Identifiers.apnsID(send: batch.send.id, device: target.id), payload: payload)
      let addressee = Addressee(target: target, badge: badge)
      if target.isDevelopment {
        waiting.development.append(push, addressee)
      } else {
        waiting.production.append(push, addressee)
      }
    }
  }

  /// A batch of a send that cannot be composed for anyone.
  init(refusing batch: Batch, at now: Timestamp) {
    self.batch = batch
    refuseAll("PayloadRefused", at: now)
  }

  /// What is to be sent now; `nil` once everything has been.
  ///
  /// There are two rounds at most: what one host does not know is tried once on the other.
  mutating func next() -> Hosts? {
    defer { waiting = (Pushes(), Pushes()) }
    guard !waiting.production.notifications.isEmpty || !waiting.development.notifications.isEmpty
    else { return nil }
    return waiting
  }

  /// Takes what became of pushes; those to be sent again leave nothing.
  mutating func take(_ answers: [APNsOutcome], to pushes: Pushes, at now: Timestamp) {
    for (place, answer) in answers.enumerated() where place < pushes.addressees.count {
      let addressee = pushes.addressees[place]
      if pushes.isSecondTry {
        takeSecond(answer, addressee, at: now)
      } else if answer.reason == .badDeviceToken {
        let push = pushes.notifications[place]
        if addressee.target.isDevelopment {
          waiting.production.isSecondTry = true
          waiting.production.append(push, addressee)
        } else {
          waiting.development.isSecondTry = true
          waiting.development.append(push, addressee)
        }
      } else {
        switch Verdict(answer) {
        case .ended(let result): end(addressee, result, answer, at: now)
        case .again(let retry):
          if answer.kind != .answered { hasUnanswered = true }
          advised = [advised, retry].compactMap(\.self).min { $0.delay < $1.delay }
        }
      }
    }
  }

  /// The other host settles whose token it is, or it is nobody's.
  private mutating func takeSecond(
    _ answer: APNsOutcome, _ addressee: Addressee, at now: Timestamp
  ) {
    guard case .ended(let result) = Verdict(answer), result != .rejected else {
      // Also where that host is out of reach: one that it knows is found at the next send.
      let first = APNsOutcome(
        kind: .answered, status: 400, reason: .badDeviceToken, apnsID: answer.apnsID)
      end(addressee, .rejected, first, at: now)
      return
    }
    moved += 1
    end(addressee, result, answer, learned: !addressee.target.isDevelopment, at: now)
  }

  private mutating func end(
    _ addressee: Addressee, _ result: Outcome.Result, _ answer: APNsOutcome, learned: Bool? = nil,
    at now: Timestamp
  ) {
    var outcome = Outcome(
      device: addressee.target.number, result: result, status: answer.status,
      reason: answer.reason?.rawValue ?? (answer.isFlawed ? answer.message : nil), time: now,
      token: addressee.target.token,
      goneSince: answer.timestamp.map(Timestamp.init(milliseconds:)))
    outcome.learnedDevelopment = learned
    outcome.badge = addressee.badge
    outcomes.append(outcome)
  }

  /// Ends every device of the batch without sending.
  mutating func refuseAll(_ reason: String, at now: Timestamp) {
    waiting = (Pushes(), Pushes())
    outcomes = []
    for target in batch.targets { reject(target, reason, at: now) }
  }

  /// Keeps devices registered that Apple says are gone; Apple's answers stay as they are.
  mutating func withholdMarks() {
    for place in outcomes.indices where outcomes[place].result == .uninstalled {
      outcomes[place].result = .rejected
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

  private mutating func reject(_ target: Batch.Target, _ reason: String, at now: Timestamp) {
    outcomes.append(
      Outcome(
        device: target.number, result: .rejected, status: nil, reason: reason, time: now,
        token: target.token))
  }
}

extension ComposeError {
  /// The reason of an outcome where one device's payload could not be made.
  fileprivate var reason: String {
    switch code {
    case .tooLarge: "PayloadTooLarge"
    case .template: "TemplateFailed"
    case .badKey: "BadDeviceKey"
    default: "PayloadRefused"
    }
  }
}
