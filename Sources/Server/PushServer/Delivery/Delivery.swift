import APNs
import PushModel
import PushPayload

/// The delivery of one batch: its pushes and the results of their answers, as a value without I/O.
struct Delivery {
  private let batch: Batch
  private var waiting: Hosts = (Pushes(), Pushes())
  /// The outcomes so far.
  private(set) var outcomes: [Outcome] = []
  /// The number of devices whose token belonged to the other host.
  private(set) var otherHostCount = 0
  private var retryPlan = RetryPlan()
  /// The reason to pause the send; `nil` if it continues.
  private(set) var pauseReason: String?

  /// The number of payloads that are composed in a row.
  private static let turn = 100

  /// Composes a batch's pushes.
  ///
  /// `recipients` are the devices whose values the composer needs, in the order of the targets.
  init(
    _ batch: Batch, composer: Composer, recipients: [Recipient] = [], topic: String,
    at now: Timestamp
  ) async {
    self.batch = batch
    let sharedBadge = composer.badge(for: nil)
    var ids = PushIdentifiers(send: batch.send.id)
    var next = 0
    let targets = batch.targets
    waiting.production.reserveCapacity(targets.count)
    // The pushes share one copy of these values for each batch, because counting references is
    // slower if the connection's thread counts references to the same object at the same time.
    let (topic, collapseID) = (topic.ownCopy, composer.collapseID.ownCopy)
    let shared = composer.shared?.ownCopy
    // Fields are read one by one, because a target as a whole would be copied.
    for index in targets.indices {
      if let limit = targets[index].limit {
        reject(targets[index], limit.reason, at: now)
        continue
      }
      guard let token = targets[index].token else {
        reject(targets[index], "NoToken", at: now)
        continue
      }
      let payload: [UInt8]
      var badge = sharedBadge
      if !composer.needsRecipient(hasKeys: targets[index].hasKeys), let shared {
        payload = shared
      } else {
        guard next < recipients.count, recipients[next].number == targets[index].number else {
          reject(targets[index], "NoToken", at: now)
          continue
        }
        let recipient = recipients[next]
        next += 1
        // A template may take long for each of thousands of devices, and other requests wait for this thread.
        if next.isMultiple(of: Self.turn) { await Task.yield() }
        do throws(ComposeError) {
          payload = try composer.payload(for: recipient, at: now)
          badge = composer.badge(for: recipient)
        } catch {
          reject(targets[index], error.reason, at: now)
          continue
        }
      }
      let push = APNsNotification(
        deviceToken: token, topic: topic, pushType: composer.pushType, priority: composer.priority,
        expiration: composer.expiration.map(APNsExpiration.init(seconds:)), collapseID: collapseID,
        id: ids.apnsID(device: targets[index].id), payload: payload)
      let addressee = Addressee(index: index, badge: badge)
      if targets[index].isDevelopment {
        waiting.development.append(push, addressee)
      } else {
        waiting.production.append(push, addressee)
      }
    }
  }

  /// Makes a batch's pushes to a Live Activity, or its one push to a channel.
  init(
    _ batch: Batch, to push: ActivityPush, payload: ActivityPayload, of app: App, at now: Timestamp
  ) {
    self.batch = batch
    var ids = PushIdentifiers(send: batch.send.id)
    let bytes = payload.bytes
    let expiration = batch.send.expiresAt.map { APNsExpiration(seconds: $0.milliseconds / 1000) }
    for (index, target) in batch.targets.enumerated() {
      guard let token = target.token else {
        reject(target, push.broadcastChannel == nil ? "NoToken" : "ChannelNotRegistered", at: now)
        continue
      }
      let id = ids.apnsID(device: target.id)
      let addressee = Addressee(index: index, badge: nil)
      if push.broadcastChannel != nil {
        let broadcast = APNsBroadcast(
          to: APNsChannel(id: token),
          expiration: push.isStored ? expiration ?? .oneAttempt : .oneAttempt,
          priority: push.priority, id: id, payload: bytes)
        if target.isDevelopment {
          waiting.development.set(broadcast, addressee)
        } else {
          waiting.production.set(broadcast, addressee)
        }
        continue
      }
      let notification = APNsNotification(
        deviceToken: token, topic: PushType.liveActivity.topic(forBundleID: app.bundleID),
        pushType: .liveActivity, priority: push.priority, expiration: expiration, id: id,
        payload: bytes)
      if target.isDevelopment {
        waiting.development.append(notification, addressee)
      } else {
        waiting.production.append(notification, addressee)
      }
    }
  }

  /// Rejects every device of a batch whose payload cannot be composed for any device.
  init(rejecting batch: Batch, at now: Timestamp) {
    self.batch = batch
    for target in batch.targets { reject(target, "PayloadRefused", at: now) }
  }

  /// Returns the pushes to send now; `nil` if none are left.
  ///
  /// There are at most two rounds: a token that one host does not know is tried once on the other.
  mutating func nextRound() -> Hosts? {
    defer { waiting = (Pushes(), Pushes()) }
    guard !waiting.production.isEmpty || !waiting.development.isEmpty else { return nil }
    return waiting
  }

  /// Records the answers to pushes; a device that is retried gets no outcome.
  ///
  /// `isGivenUp` says whether pushes were given up before their time, for the sake of other answers.
  mutating func record(
    _ answers: [APNsOutcome], to pushes: Pushes, isGivenUp: Bool = false, at now: Timestamp
  ) {
    outcomes.reserveCapacity(outcomes.count + answers.count)
    let isKeyTaken = answers.contains { $0.status == 200 }
    for (index, addressee) in pushes.addressees.enumerated() where index < answers.count {
      if pushes.isSecondTry {
        recordSecondTry(answers[index], of: addressee, isGivenUp: isGivenUp, at: now)
      } else if answers[index].status == 200 {
        // The frequent case does not copy the answer.
        append(addressee, .sent, status: 200, at: now)
      } else if answers[index].reason == .badDeviceToken,
        pushes.notifications.indices.contains(index)
      {
        // A push to a channel has no token that the other host could know.
        let push = pushes.notifications[index]
        if batch.targets[addressee.index].isDevelopment {
          waiting.production.isSecondTry = true
          waiting.production.append(push, addressee)
        } else {
          waiting.development.isSecondTry = true
          waiting.development.append(push, addressee)
        }
      } else {
        record(answers[index], of: addressee, isKeyTaken: isKeyTaken, at: now)
      }
    }
  }

  private mutating func record(
    _ answer: APNsOutcome, of addressee: Addressee, isKeyTaken: Bool, at now: Timestamp
  ) {
    let target = batch.targets[addressee.index]
    switch DeliveryDecision(answer, isRepeatable: isRepeatable) {
    case .finish(let result): finish(addressee, result, answer: answer, at: now)
    case .retry(let retry) where answer.kind == .answered:
      let attempts = target.attempts + 1
      retryPlan.add(
        target, after: retry.delay(afterAttempts: attempts), attempts: attempts)
    case .retry: retryPlan.add(target, unanswered: answer)
    case .keyRefused(let reason): recordKeyRefusal(reason, of: target, isKeyTaken: isKeyTaken)
    }
  }

  /// Whether a push that Apple may have accepted is repeated.
  ///
  /// A start is not, because the phone would show two activities.
  var isRepeatable: Bool { batch.send.activity?.event != .start }

  /// Retries a first refusal of the key; a second one in a row pauses the send until a person
  /// corrects the key.
  ///
  /// Apple sometimes refuses a valid token once, and a token may have just expired. A key that Apple
  /// took for another push at the same time is not at fault.
  private mutating func recordKeyRefusal(
    _ reason: APNsReason, of target: Batch.Target, isKeyTaken: Bool
  ) {
    let isPausing = target.isKeyRefused && !isKeyTaken
    retryPlan.add(
      target, after: isPausing ? .zero : .seconds(1), attempts: target.attempts, isKeyRefused: true)
    guard isPausing else { return }
    pauseReason = """
      Apple refuses the app's key with \(reason): \(FailureAdvice.text(reason.rawValue)) Correct the \
      key, then resume: the devices that were not sent to get their push then
      """
  }

  /// Stops the rounds and asks for the send to be paused.
  mutating func pause(_ reason: String) {
    waiting = (Pushes(), Pushes())
    pauseReason = reason
  }

  /// Lets the send continue if the cause of the pause was corrected meanwhile.
  mutating func withdrawPause() { pauseReason = nil }

  /// Records the answer of the other host to a token that the first host did not know.
  private mutating func recordSecondTry(
    _ answer: APNsOutcome, of addressee: Addressee, isGivenUp: Bool, at now: Timestamp
  ) {
    guard case .finish(let result) = DeliveryDecision(answer), result != .rejected else {
      // The other host may have accepted the push, so it is not refused but sent again. One that was
      // given up gets another lease, until a lease brings no outcome.
      let isOpen = isGivenUp && answer.kind == .neverSent && batch.fruitlessAttempts == 0
      if (answer.kind == .maybeSent && isRepeatable) || isOpen {
        return retryPlan.add(batch.targets[addressee.index], unanswered: answer)
      }
      // This includes an unreachable other host, which the next send tries again.
      let first = APNsOutcome(
        kind: .answered, status: 400, reason: .badDeviceToken, apnsID: answer.apnsID)
      let mayBeKnownThere = answer.kind != .answered || answer.reason != .badDeviceToken
      finish(addressee, .rejected, answer: first, isTokenDoubted: mayBeKnownThere, at: now)
      return
    }
    otherHostCount += 1
    let learned = !batch.targets[addressee.index].isDevelopment
    finish(addressee, result, answer: answer, learned: learned, at: now)
  }

  private mutating func finish(
    _ addressee: Addressee, _ result: Outcome.Result, answer: APNsOutcome, learned: Bool? = nil,
    isTokenDoubted: Bool = false, at now: Timestamp
  ) {
    let other = answer.isInvalid ? answer.message : answer.kind == .answered ? nil : "NoAnswer"
    append(
      addressee, result, status: answer.status, reason: answer.reason?.rawValue ?? other,
      goneSince: answer.inactiveSince.map(Timestamp.init(milliseconds:)), learned: learned, at: now)
    if isTokenDoubted { outcomes[outcomes.count - 1].token = nil }
  }

  private mutating func append(
    _ addressee: Addressee, _ result: Outcome.Result, status: Int?, reason: String? = nil,
    goneSince: Timestamp? = nil, learned: Bool? = nil, at now: Timestamp
  ) {
    // The token is stored only if the outcome may change what the store knows about it.
    let concernsToken = result != .sent || learned != nil || batch.send.activity?.event == .end
    // Fields are read one by one, because a target as a whole would be copied.
    let index = addressee.index
    var outcome = Outcome(
      device: batch.targets[index].number, result: result, status: status,
      reason: reason, time: now, token: concernsToken ? batch.targets[index].token : nil,
      goneSince: goneSince)
    outcome.learnedDevelopment = learned
    outcome.badge = addressee.badge
    outcomes.append(outcome)
  }

  /// The number of devices without an outcome.
  var remainingCount: Int { batch.targets.count - outcomes.count }

  /// The number of pushes without an answer, and the client's message about the last one.
  var unanswered: (count: Int, message: String?) { retryPlan.unanswered }

  /// The time at which each device without an outcome is due again.
  func retries(at now: Timestamp) -> [Retry] {
    retryPlan.retries(of: batch, without: outcomes, at: now)
  }

  private mutating func reject(_ target: Batch.Target, _ reason: String, at now: Timestamp) {
    outcomes.append(
      Outcome(
        device: target.number, result: .rejected, status: nil, reason: reason, time: now,
        token: target.token))
  }
}

extension String {
  /// An equal string that shares no memory with this one.
  fileprivate var ownCopy: String { String(decoding: utf8, as: UTF8.self) }
}

extension [UInt8] {
  /// An equal array that shares no memory with this one.
  fileprivate var ownCopy: [UInt8] {
    var copy = self
    copy.reserveCapacity(count)
    return copy
  }
}
