import Foundation

/// Sends until nothing is left or a wait is needed, one request at a time.
actor SendLoop {
  private let outbox: Outbox
  private let environment: PushEnvironment
  private let log: @Sendable (String) -> Void
  /// Writes the changes that wait in memory.
  private let flush: @Sendable () throws -> Void
  /// Whether a start waits for the end of an erasure.
  private let isStartWaiting: @Sendable () -> Bool
  private let publish: @Sendable (PushStatus.State, PushStatus.Problem?) -> Void

  private var running: Task<Void, Never>?
  private var isWanted = false
  private var ignoresWait = false
  private var limits: [RetryTable.Kind: Int] = [:]
  /// Whether the server has refused to take everything in one request, until all is sent.
  private var isDivided = false
  private var failures = 0
  /// The time of the last failure, and that of the next try.
  private var wait: (from: Int64, until: Int64)?
  private var refusal: PushStatus.State?

  init(
    _ outbox: Outbox, log: @escaping @Sendable (String) -> Void,
    flush: @escaping @Sendable () throws -> Void,
    isStartWaiting: @escaping @Sendable () -> Bool,
    publish: @escaping @Sendable (PushStatus.State, PushStatus.Problem?) -> Void
  ) {
    self.outbox = outbox
    environment = outbox.environment
    self.log = log
    self.flush = flush
    self.isStartWaiting = isStartWaiting
    self.publish = publish
  }

  /// Sends everything that waits, and returns when that is done or must wait.
  ///
  /// - Parameter ignoringWait: Whether to try now after a failure or a refusal, as when the app starts.
  func run(ignoringWait: Bool = false) async {
    isWanted = true
    if ignoringWait { ignoresWait = true }
    if let running { return await running.value }
    let task = Task { await self.repeatWhileWanted() }
    running = task
    await task.value
  }

  /// The time of the next run; `nil` if only a change starts one.
  var nextRun: Int64? { wait?.until }

  private func repeatWhileWanted() async {
    while isWanted {
      isWanted = false
      if ignoresWait {
        ignoresWait = false
        (wait, refusal, failures) = (nil, nil, 0)
      }
      await sendAll()
    }
    running = nil
  }

  /// The steps that are taken at most once in a run.
  private struct Tries {
    var hasRegisteredAgain = false
    var hasAsked = false
    /// Whether the next request asks whether the server knows the device.
    var isAsking = false
  }

  private func sendAll() async {
    if let refusal { return publish(refusal, nil) }
    let now = environment.now()
    // A clock that was set back to before the failure would make the wait longer.
    if let wait, wait.from <= now, now < wait.until { return }
    wait = nil
    var tries = Tries()
    while true {
      let step: Outbox.Step
      do {
        try flush()
        step =
          tries.isAsking
          ? try outbox.question() : try outbox.next(limits: limits, isDivided: isDivided)
        tries.isAsking = false
      } catch let error as PushError where error.code == .damaged {
        log(error.message)
        return publish(.damaged, nil)
      } catch {
        log("the files cannot be read or written: \(error)")
        return pause(.waitingForStorage, for: 5000)
      }
      switch step {
      case .done(let state):
        (failures, isDivided) = (0, false)
        return publish(state, nil)
      case .wait(let until):
        return pause(.retrying(at: Milliseconds(until).date), for: until - environment.now())
      case .send(let delivery):
        publish(.pending, nil)
        guard await send(delivery, &tries) else { return }
      }
    }
  }

  /// Sends one request; returns `false` if nothing more must be sent now.
  private func send(_ delivery: Outbox.Delivery, _ tries: inout Tries) async -> Bool {
    let answer = await answer(to: delivery.request)
    let consequence: Outbox.Consequence
    do {
      consequence = try outbox.apply(answer, to: delivery)
    } catch {
      log("the answer cannot be stored: \(error)")
      pause(.waitingForStorage, for: 5000)
      return false
    }
    switch consequence {
    case .accepted(let problems):
      for problem in problems { publish(.pending, problem) }
      failures = 0
      limits[delivery.kind] = limits[delivery.kind].map { $0 > 1000 ? nil : $0 * 2 } ?? nil
    case .divide: isDivided = true
    case .narrow(let count): limits[delivery.kind] = count
    case .dropped(let problem): publish(.pending, problem)
    case .registerAgain where !tries.hasRegisteredAgain: tries.hasRegisteredAgain = true
    case .registerAgain: return retry(afterSeconds: nil)
    case .retry(let seconds): return retry(afterSeconds: seconds)
    case .ask where !tries.hasAsked: (tries.hasAsked, tries.isAsking) = (true, true)
    // The next flush makes the next device.
    case .ended(let state) where state == .erased && isStartWaiting(): return true
    case .ended(let state), .ask(let state):
      if state.kind == .refused { refusal = state }
      publish(state, nil)
      return false
    }
    return true
  }

  private func answer(
    to request: PushRequest
  ) async -> Result<PushResponse, PushTransportError> {
    do {
      let response = try await environment.transport.send(request)
      log("\(request): status \(response.status)")
      return .success(response)
    } catch {
      log("\(request): \(error.message)")
      return .failure(error)
    }
  }

  private func retry(afterSeconds seconds: Int?) -> Bool {
    failures += 1
    let wait = RetryTable.wait(
      failures: failures, retryAfter: seconds, jitter: environment.jitter())
    pause(.retrying(at: Milliseconds(environment.now() + wait).date), for: wait)
    return false
  }

  private func pause(_ state: PushStatus.State, for duration: Int64) {
    let now = environment.now()
    wait = (now, now + max(duration, 1))
    publish(state, nil)
  }
}
