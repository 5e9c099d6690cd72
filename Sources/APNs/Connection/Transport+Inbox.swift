import Synchronization
import _EventLoop

/// Pushes without a task that waits for them: those of sequences.
extension Transport {
  /// A push that nobody waits for in a call.
  struct Posted: Sendable {
    let push: APNsNotification
    let sequence: ObjectIdentifier?
    let completion: @Sendable (APNsOutcome) -> Void
  }

  /// Who is told of a batch's outcomes.
  struct Caller {
    /// The sequence whose push it is.
    var sequence: ObjectIdentifier?
    let resume: ([APNsOutcome]) -> Void

    init(of sequence: ObjectIdentifier? = nil, _ resume: @escaping ([APNsOutcome]) -> Void) {
      self.sequence = sequence
      self.resume = resume
    }
  }

  /// Sends a push without a task that waits; the outcome is handed over on the loop's thread.
  ///
  /// Where the queue is full it waits for room, whatever the configuration says: a sequence has its own
  /// bound, and can wait.
  nonisolated func post(
    _ push: APNsNotification, of sequence: ObjectIdentifier? = nil,
    _ completion: @escaping @Sendable (APNsOutcome) -> Void
  ) {
    let wasEmpty = inbox.withLock { inbox in
      inbox.append(Posted(push: push, sequence: sequence, completion: completion))
      return inbox.count == 1
    }
    if wasEmpty { run { $0.takeInbox() } }
  }

  func takeInbox() {
    let posted = inbox.withLock { inbox in
      defer { inbox = [] }
      return inbox
    }
    let deadline = ContinuousClock.now + configuration.requestTimeout
    for post in posted {
      guard !isClosed else {
        post.completion(PushResult.neverSent("the client is closed").outcome(ofID: post.push.id))
        continue
      }
      let batch = queue.add(.pushes([post.push]), deadline: deadline)
      callers[batch] = Caller(of: post.sequence) { post.completion($0[0]) }
      refuse(.pushes([post.push]), in: batch)
    }
    startDeadlineTimer()
    pump()
  }

  /// Takes back the pushes of a sequence that have not left; those that have may have their answer.
  nonisolated func withdraw(_ sequence: ObjectIdentifier) {
    run { $0.withdrawWaiting(sequence) }
  }

  private func withdrawWaiting(_ sequence: ObjectIdentifier) {
    let batches = callers.filter { $0.value.sequence == sequence }.keys
    let pushes = batches.sorted().flatMap { queue.open(in: $0) }
    let onTheirWay = Set(connections.values.flatMap(\.state.places))
    for push in pushes where !onTheirWay.contains(PushKey(push)) {
      finish(push, .neverSent("its sequence was left"))
    }
    pump()
  }
}
