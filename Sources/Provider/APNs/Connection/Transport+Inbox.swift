import _EventLoop

/// The pushes of sequences; no task waits for them.
extension Transport {
  /// Sends a push; the completion is called with its outcome on the loop's thread.
  ///
  /// If the queue is full, the push waits for room, whatever the configuration says, because a sequence has its own
  /// limit.
  nonisolated func post(
    _ push: APNsNotification, of sequence: ObjectIdentifier? = nil,
    _ completion: @escaping @Sendable (APNsOutcome) -> Void
  ) {
    let wasEmpty = inbox.add(PostedPush(push: push, sequence: sequence, completion: completion))
    if wasEmpty { run { $0.takeInbox() } }
  }

  /// Moves the pushes of the inbox to the queue.
  func takeInbox() {
    let posted = inbox.takeAll()
    let deadline = ContinuousClock.now + configuration.requestTimeout
    for post in posted {
      guard !closing.isClosed else {
        post.completion(PushResult.neverSent("the client is closed").outcome(ofID: post.push.id))
        continue
      }
      let batch = queue.add(.pushes([post.push]), deadline: deadline)
      waitingBatches.add(batch, of: post.sequence) { post.completion($0[0]) }
      refuse(.pushes([post.push]), in: batch)
    }
    startDeadlineTimer()
    pump()
  }

  /// Settles the pushes of a sequence that wait as never sent; those in flight may still be answered.
  nonisolated func withdraw(_ sequence: ObjectIdentifier) {
    run { $0.withdrawWaiting(sequence) }
  }

  private func withdrawWaiting(_ sequence: ObjectIdentifier) {
    let pushes = waitingBatches.batches(of: sequence).flatMap { queue.open(in: $0) }
    let inFlight = pool.inFlight
    for push in pushes where !inFlight.contains(PushKey(push)) {
      finish(push, .neverSent("its sequence was left"))
    }
    pump()
  }
}
