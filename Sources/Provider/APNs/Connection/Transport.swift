import _EventLoop
import _HTTP2Channel

/// The pool of one host: sends the pushes of a queue over its connections, on the event loop's thread.
///
/// Each part of the state is a value of its own, and the transport performs their decisions. Nothing on a push's
/// path waits for the shared pool of threads: connecting, answers and timeouts are handlers of the loop, and only
/// the caller is resumed on that pool. A connection that APNs is closing stays beside the others until its last
/// answer.
actor Transport {
  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let configuration: APNsClient.Configuration
  let numbers: ConnectionNumbers
  /// Pushes of sequences that the loop's thread has not taken yet.
  nonisolated let inbox = PushInbox()
  var queue: SendQueue
  var waitingBatches = WaitingBatches()
  /// Refused pushes that wait before they are sent again.
  var deferred = DeferredPushes()
  var pool: ConnectionPool
  var connector = Connector()
  var credentials: PoolCredentials
  var requestWriter: RequestWriter
  var timers = TransportTimers()
  var closing = ClosingState()
  /// Whether ``pump()`` is about to run for callers that have added pushes.
  var isPumpScheduled = false

  init(
    _ configuration: APNsClient.Configuration, loop: EventLoop, identity: PoolIdentity,
    numbers: ConnectionNumbers
  ) {
    self.configuration = configuration
    self.loop = loop
    self.numbers = numbers
    credentials = PoolCredentials(identity)
    queue = SendQueue(limit: configuration.queueLimit)
    pool = ConnectionPool(configuration)
    requestWriter = RequestWriter(configuration.endpoint)
  }

  /// Sends pushes and waits for all outcomes, which are in the same order.
  func send(_ notifications: [APNsNotification]) async -> [APNsOutcome] {
    guard !notifications.isEmpty else { return [] }
    if let refusal {
      return notifications.map { PushResult.neverSent(refusal).outcome(ofID: $0.id) }
    }
    let room = room
    let batch = queue.add(
      .pushes(notifications), deadline: .now + configuration.requestTimeout, upTo: room)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waitingBatches.add(batch) { continuation.resume(returning: $0) }
        begin(batch, .pushes(notifications), upTo: room)
      }
    } onCancel: {
      run { $0.giveUp($0.queue.open(in: batch), "the task was cancelled") }
    }
  }

  /// Makes one call about channels.
  func call(_ call: ChannelCall) async -> PushResult {
    if let refusal { return .neverSent(refusal) }
    let room = room
    let batch = queue.add(
      .call(call), deadline: .now + configuration.requestTimeout, upTo: room)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waitingBatches.addChannelCall(batch) { continuation.resume(returning: $0) }
        begin(batch, .call(call), upTo: room)
      }
    } onCancel: {
      run { $0.giveUp($0.queue.open(in: batch), "the task was cancelled") }
    }
  }

  /// The reason why the current task cannot send anything; `nil` if it can.
  private var refusal: String? {
    closing.isClosed ? "the client is closed" : Task.isCancelled ? "the task was cancelled" : nil
  }

  /// The number of pushes that are accepted: all of them if pushes without room may wait for it.
  private var room: Int { configuration.whenQueueIsFull == .wait ? .max : queue.room }

  private func begin(_ batch: Int, _ requests: Requests, upTo room: Int) {
    refuse(requests, in: batch, upTo: room)
    startDeadlineTimer()
    schedulePump()
  }

  /// Settles the pushes of a batch that APNs would refuse, and those that find no room.
  func refuse(_ requests: Requests, in batch: Int, upTo room: Int = .max) {
    for (index, problem) in requests.problems(withToken: credentials.usesTokens) {
      finish(PushReference(batch: batch, index: index), .invalid(problem))
    }
    for index in min(room, requests.count)..<requests.count {
      finish(
        PushReference(batch: batch, index: index),
        .neverSent("\(configuration.queueLimit) pushes wait already"))
    }
  }

  /// Runs a closure on the loop's thread; callable from any thread.
  nonisolated func run(_ body: @escaping @Sendable (isolated Transport) -> Void) {
    _ = loop.schedule(at: .now) { [weak self] in self?.assumeIsolated { body($0) } }
  }
}
