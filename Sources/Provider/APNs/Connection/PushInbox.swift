import Synchronization

/// A push of a sequence: no task waits for its outcome alone.
struct PostedPush: Sendable {
  let push: APNsNotification
  let sequence: ObjectIdentifier?
  let completion: @Sendable (APNsOutcome) -> Void
}

/// Pushes that any thread adds, and the event loop's thread takes.
struct PushInbox: ~Copyable, Sendable {
  private let posted = Mutex<[PostedPush]>([])

  /// Adds a push, and returns whether the inbox was empty: then the loop's thread has to be woken.
  func add(_ push: PostedPush) -> Bool {
    posted.withLock { posted in
      posted.append(push)
      return posted.count == 1
    }
  }

  func takeAll() -> [PostedPush] {
    posted.withLock { posted in
      defer { posted = [] }
      return posted
    }
  }
}
