import APNs
import PushStore
import _Bitmaps

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
    /// Where its device stands in the batch.
    var place: Int
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
  /// Devices that Apple wants to be told later, by how long they wait.
  private var later: [Later: DeviceNumbers] = [:]
  /// How many pushes got no answer, and what the client says of the last one.
  private(set) var unanswered: (count: Int, message: String?) = (0, nil)
  /// Why the send must not go on.
  private(set) var alarm: String?

  private struct Later: Hashable {
    var wait: Duration
    var attempts: Int
  }

  /// Composes for each device; `recipients` has those for which the composer needs more than a batch tells,
  /// in the order of its targets.
  init(
    _ batch: Batch, composer: Composer, recipients: [Recipient] = [], topic: String,
    at now: Timestamp
  ) {
    self.batch = batch
    let sharedBadge = composer.badge(for: nil)
    var ids = PushIdentifiers(send: batch.send.id)
    var next = 0
    for (place, target) in batch.targets.enumerated() {
      guard let token = target.token else {
        reject(target, "NoToken", at: now)
        continue
      }
      let payload: [UInt8]
      var badge = sharedBadge
      if !composer.needsRecipient(hasKeys: target.hasKeys), let shared = composer.shared {
        payload = shared
      } else {
        guard next < recipients.count, recipients[next].number == target.number else {
          reject(target, "NoToken", at: now)
          continue
        }
        let recipient = recipients[next]
        next += 1
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
        id: ids.apnsID(device: target.id), payload: payload)
      let addressee = Addressee(place: place, badge: badge)
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
    outcomes.reserveCapacity(outcomes.count + answers.count)
    for (index, addressee) in pushes.addressees.enumerated() where index < answers.count {
      if pushes.isSecondTry {
        takeSecond(answers[index], addressee, at: now)
      } else if answers[index].status == 200 {
        // Nearly all; of the answer nothing is copied.
        append(addressee, .sent, status: 200, at: now)
      } else if answers[index].reason == .badDeviceToken {
        let push = pushes.notifications[index]
        if batch.targets[addressee.place].isDevelopment {
          waiting.production.isSecondTry = true
          waiting.production.append(push, addressee)
        } else {
          waiting.development.isSecondTry = true
          waiting.development.append(push, addressee)
        }
      } else {
        take(answers[index], of: addressee, at: now)
      }
    }
  }

  private mutating func take(_ answer: APNsOutcome, of addressee: Addressee, at now: Timestamp) {
    let target = batch.targets[addressee.place]
    switch Verdict(answer) {
    case .ended(let result): end(addressee, result, answer, at: now)
    case .again(let retry) where answer.kind == .answered:
      let attempts = target.attempts + 1
      wait(target, retry.delay(afterAttempts: attempts), attempts)
    case .again: unanswered = (unanswered.count + 1, answer.message)
    case .refusedSender(let reason): takeRefusal(reason, target)
    }
  }

  private mutating func wait(_ target: Batch.Target, _ wait: Duration, _ attempts: Int) {
    later[Later(wait: wait, attempts: attempts), default: DeviceNumbers()].append(target.number)
  }

  /// One refusal may pass; after that a person has to mend the key, and the device waits for it.
  private mutating func takeRefusal(_ reason: APNsReason, _ target: Batch.Target) {
    guard target.attempts + 1 >= Verdict.refusalLimit else {
      return wait(target, .seconds(1), target.attempts + 1)
    }
    wait(target, .zero, target.attempts)
    alarm = """
      Apple refuses the app's key with \(reason): \(FailureAdvice.text(reason.rawValue)). The \
      devices it was refused for get their push once the key is mended and this is resumed
      """
  }

  /// Sends nothing more until a person has done something.
  mutating func hold(_ reason: String) {
    waiting = (Pushes(), Pushes())
    alarm = reason
  }

  /// Goes on, since what was wrong has been mended meanwhile.
  mutating func dropAlarm() { alarm = nil }

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
    let learned = !batch.targets[addressee.place].isDevelopment
    end(addressee, result, answer, learned: learned, at: now)
  }

  private mutating func end(
    _ addressee: Addressee, _ result: Outcome.Result, _ answer: APNsOutcome, learned: Bool? = nil,
    at now: Timestamp
  ) {
    append(
      addressee, result, status: answer.status,
      reason: answer.reason?.rawValue ?? (answer.isInvalid ? answer.message : nil),
      goneSince: answer.timestamp.map(Timestamp.init(milliseconds:)), learned: learned, at: now)
  }

  private mutating func append(
    _ addressee: Addressee, _ result: Outcome.Result, status: Int?, reason: String? = nil,
    goneSince: Timestamp? = nil, learned: Bool? = nil, at now: Timestamp
  ) {
    // What Apple took says nothing of its token that the device did not.
    let isNews = result != .sent || learned != nil
    var outcome = Outcome(
      device: batch.targets[addressee.place].number, result: result, status: status,
      reason: reason, time: now, token: isNews ? batch.targets[addressee.place].token : nil,
      goneSince: goneSince)
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

  /// Devices without an outcome.
  var leftCount: Int { batch.targets.count - outcomes.count }

  /// When each device that is left is due again: as Apple says where it answered, else soon, and
  /// less soon while nothing comes of a batch.
  func retries(at now: Timestamp) -> [Retry] {
    guard leftCount > 0 else { return [] }
    var retries = later.map { Retry($1, dueAt: now + $0.wait, attempts: $0.attempts) }
    var settled = DeviceNumbers(outcomes.map(\.device)).bitmap
    for devices in later.values { settled.formUnion(devices.bitmap) }
    let isFruitless = outcomes.isEmpty && later.isEmpty
    let soon = now + Verdict.delay(afterFruitless: isFruitless ? batch.fruitlessAttempts : 0)
    let others = batch.targets.filter { !settled.contains($0.number) }
    for (attempts, targets) in Dictionary(grouping: others, by: \.attempts) {
      retries.append(
        Retry(DeviceNumbers(targets.map(\.number)), dueAt: soon, attempts: attempts))
    }
    return retries
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
