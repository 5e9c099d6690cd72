import Synchronization
import _EventLoop

/// Pushes without a task that waits for them: those of sequences.
extension Transport {
  /// A push that nobody waits for in a call.
  struct Posted: Sendable {
    let push: APNsNotification
    let completion: @Sendable (APNsOutcome) -> Void
  }

  /// Sends a push without a task that waits; the outcome is handed over on the loop's thread.
  nonisolated func post(
    _ push: APNsNotification, _ completion: @escaping @Sendable (APNsOutcome) -> Void
  ) {
    let wasEmpty = inbox.withLock { inbox in
      inbox.append(Posted(push: push, completion: completion))
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
      callers[batch] = { post.completion($0[0]) }
      refuse(.pushes([post.push]), in: batch)
    }
    startDeadlineTimer()
    pump()
  }
}
