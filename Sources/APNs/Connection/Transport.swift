import Synchronization
import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// Runs the queue and its connections on the event loop's thread.
///
/// Nothing on a push's way waits for the shared pool of threads: connecting, answers and time-outs are
/// handlers of the loop, and the caller alone is resumed by it. A connection that APNs is closing lives on
/// beside the others until its last answer.
actor Transport {
  /// After as many connections that refused the credentials, what waits is given up.
  static let maxFruitless = 3

  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let configuration: APNsClient.Configuration
  var identity: PoolIdentity
  let rule: PoolRule
  var queue: SendQueue
  var callers: [Int: Caller] = [:]
  /// Those who wait for the answer to a call, by its batch.
  var calls: [Int: (PushResult) -> Void] = [:]
  /// Pushes of no caller that waits, until the loop comes to them.
  nonisolated let inbox = Mutex<[Posted]>([])
  var connections: [Int: Connection] = [:]
  let numbers: ConnectionNumbers
  /// The attempt to connect that is under way.
  var attempt: ConnectAttempt?
  /// How many attempts in a row failed.
  var failedAttempts = 0
  /// Why the last one failed, or the last connection ended without an answer; `nil` once one is open.
  var lastFailure: String?
  /// How many connections in a row answered nothing but a refusal of the credentials.
  var fruitless = 0
  /// At which of a host's addresses the next attempt begins.
  var nextAddress = 0
  /// A TLS session to go on with, so that the next handshake is shorter.
  var resumption: TLSSession?
  var rate = AnswerRate()
  /// Pushes that were refused, until they are tried again.
  var deferred: [PushKey: Deferred] = [:]
  var isResumeScheduled = false
  private var isPumpDue = false
  private var headers = HeaderBlock()
  private var pushHeaders: PushHeaders
  var isClosed = false
  var closers: [CheckedContinuation<Void, Never>] = []
  /// Those who wait for the end of connections with other credentials.
  var leavers: [Leaver] = []
  var deadlineTimer: EventLoop.Registration?
  var heartbeat: (timer: EventLoop.Registration, isFast: Bool)?

  init(
    _ configuration: APNsClient.Configuration, loop: EventLoop, identity: PoolIdentity,
    numbers: ConnectionNumbers
  ) {
    self.configuration = configuration
    self.loop = loop
    self.numbers = numbers
    self.identity = identity
    queue = SendQueue(limit: configuration.queueLimit)
    rule = PoolRule(
      maxConnections: max(1, configuration.maxConnections), idleLimit: configuration.idleLimit)
    let host = configuration.endpoint.host
    let name = host.contains(":") ? "[\(host)]" : host
    let port = configuration.endpoint.port
    pushHeaders = PushHeaders(authority: port == 443 ? name : "\(name):\(port)")
  }

  func send(_ notifications: [APNsNotification]) async -> [APNsOutcome] {
    guard !notifications.isEmpty else { return [] }
    if let refusal {
      return notifications.map { PushResult.neverSent(refusal).outcome(ofID: $0.id) }
    }
    let room = room
    let batch = queue.add(
      .pushes(notifications), deadline: .now + configuration.requestTimeout, upTo: room)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        callers[batch] = Caller { caller.resume(returning: $0) }
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
      await withCheckedContinuation { caller in
        calls[batch] = { caller.resume(returning: $0) }
        begin(batch, .call(call), upTo: room)
      }
    } onCancel: {
      run { $0.giveUp($0.queue.open(in: batch), "the task was cancelled") }
    }
  }

  /// Why nothing can be sent by the task that asks.
  private var refusal: String? {
    isClosed ? "the client is closed" : Task.isCancelled ? "the task was cancelled" : nil
  }

  /// How many pushes are taken: all, where those without room may wait for it.
  private var room: Int { configuration.whenQueueIsFull == .wait ? .max : queue.room }

  private func begin(_ batch: Int, _ requests: Requests, upTo room: Int) {
    refuse(requests, in: batch, upTo: room)
    startDeadlineTimer()
    pumpSoon()
  }

  /// Ends those of a batch that would not be taken, or for which there is no room.
  func refuse(_ requests: Requests, in batch: Int, upTo room: Int = .max) {
    for (index, problem) in requests.problems(withToken: identity.tokens != nil) {
      finish(PushReference(batch: batch, index: index), .invalid(problem))
    }
    for index in min(room, requests.count)..<requests.count {
      finish(
        PushReference(batch: batch, index: index),
        .neverSent("\(configuration.queueLimit) pushes wait already"))
    }
  }

  /// Does something on the loop's thread, from any.
  nonisolated func run(_ body: @escaping @Sendable (isolated Transport) -> Void) {
    _ = loop.schedule(at: .now) { [weak self] in self?.assumeIsolated { body($0) } }
  }
}

// MARK: Running

extension Transport {
  /// The socket of a connection is ready.
  func ready(_ id: Int) {
    guard let connection = connections[id] else { return }
    do {
      apply(try connection.receive(), of: connection)
      if connection.channel.isOpen { opened(id, connection) }
      if connection.channel.isLost {
        lose(id, TLSError(.closed, connection.state.retirement ?? "APNs closed the connection"))
      }
    } catch { lose(id, error) }
    pump()
  }

  /// Pumps once for all callers that are in line now, so that their pushes share a write.
  private func pumpSoon() {
    guard !isPumpDue else { return }
    isPumpDue = true
    Task { pump() }
  }

  /// Puts what waits on free streams, and writes.
  func pump() {
    isPumpDue = false
    var usable: [(id: Int, connection: Connection)] = []
    for (id, connection) in connections where connection.takesPushes {
      usable.append((id, connection))
    }
    fill(usable)
    configuration.metrics?.load(
      inFlight: connections.values.reduce(0) { $0 + $1.state.inFlightCount },
      waiting: queue.waitingCount)
    for (id, connection) in connections {
      flush(id, connection)
      if connections[id] != nil { tidy(id, connection) }
    }
    if rule.wantsAnother(load(at: .now)) { connect() }
    if connections.values.allSatisfy(\.state.isIdle) { rate.pause() }
    startHeartbeat()
    closeIfDone()
  }

  private func fill(_ usable: [(id: Int, connection: Connection)]) {
    guard !usable.isEmpty, queue.hasWaiting else { return }
    let time = configuration.now()
    var now = PushReference.Sent.epoch.duration(to: .now)
    while let size = queue.nextSize,
      let (id, connection) = usable.lazy.filter({ $0.connection.hasRoom })
        .min(by: { PoolRule.prefers($0.connection.room, to: $1.connection.room, for: size) })
    {
      connection.token = identity.tokens?.token(after: connection.token, now: time)
      let authorization = connection.token?.authorization
      // A run of pushes to the connection with most room: written in parts, so that APNs works on the
      // first while the next is made.
      guard let (requests, pushes) = queue.next(upTo: min(100, connection.state.freeStreams))
      else { return }
      send(requests, pushes, authorization, on: connection, .init(connection: id, at: now))
      now = PushReference.Sent.epoch.duration(to: .now)
      flush(id, connection)
    }
  }

  private func send(
    _ requests: Requests, _ pushes: [PushReference], _ authorization: String?,
    on connection: Connection, _ sent: PushReference.Sent
  ) {
    // Taken out of the actor while they are used: each access to a property of a class is checked.
    var (block, writer) = (HeaderBlock(), PushHeaders(authority: pushHeaders.authority))
    swap(&block, &headers)
    swap(&writer, &pushHeaders)
    defer {
      swap(&block, &headers)
      swap(&writer, &pushHeaders)
    }
    for (place, reference) in pushes.enumerated() {
      // The first was chosen for, and the others go where they find room whole.
      let size = place == 0 ? 1 : requests.size(reference.index)
      guard connection.hasRoom(for: size) else { return queue.restore(pushes[place...]) }
      var push = reference
      push.sent = sent
      do {
        switch requests {
        case .pushes(let notifications):
          writer.write(push.index, of: notifications, authorization: authorization, to: &block)
          try connection.send(push, block, body: notifications[push.index].payload)
        case .call(let call):
          block.write(call, authority: writer.authority, authorization: authorization)
          try connection.send(push, block, body: call.body, answerLimit: call.answerLimit)
        }
      } catch {
        // The session opens no stream any more: another connection takes these.
        connection.retire(error)
        putBack(push)
        return queue.restore(pushes[(place + 1)...])
      }
    }
  }

  private func flush(_ id: Int, _ connection: Connection) {
    do { apply(try connection.flush(), of: connection) } catch {
      apply(connection.receiveRest(), of: connection)
      lose(id, error)
    }
  }

  /// Watches a connection for what it waits for, or ends it where nothing will come any more.
  private func tidy(_ id: Int, _ connection: Connection) {
    if connection.isBroken { return lose(id, BrokenProtocol()) }
    guard connection.channel.isOpen, connection.isFinished else {
      return connection.rewatch(on: loop)
    }
    forget(id)
    let reason = connection.state.retirement ?? "closed by both"
    configuration.metrics?.closed(connection: id, reason: reason)
    connection.channel.close()
  }

  /// A connection is gone: its pushes are settled, and those it did not process wait again.
  func lose(_ id: Int, _ error: any Error) {
    guard let connection = connections[id] else { return }
    let wasOpening = connection.opening != nil
    forget(id)
    apply(connection.state.lost("the connection to APNs was lost: \(error)"), of: connection)
    // After the outcomes of its pushes, which are counted on it.
    if !wasOpening { configuration.metrics?.closed(connection: id, reason: "\(error)") }
    if wasOpening {
      attemptFailed(error)
    } else if fruitless > 0 {
      lastFailure = "APNs closed the last \(fruitless) connections without an answer: \(error)"
    }
  }

  func forget(_ id: Int) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    if let watch = connection.watch { loop.cancel(watch) }
    if let opening = connection.opening { loop.cancel(opening) }
    noteEnd(of: id)
    guard connection.trust === identity.trust else { return }
    if let session = connection.channel.resumableSession { resumption = session }
  }

  /// A TLS session of a connection that is open, else of the last one; it stands for the credentials.
  func sessionToResume() -> TLSSession? {
    for connection in connections.values
    where connection.channel.isOpen && connection.trust === identity.trust {
      if let session = connection.channel.resumableSession { return session }
    }
    return resumption
  }

  /// Begins the next handshake at the beginning.
  func forgetSession() { resumption = nil }

  private func apply(_ effects: [ConnectionState.Effect], of connection: Connection) {
    guard !effects.isEmpty else { return }
    let now = PushReference.Sent.epoch.duration(to: .now)
    var answers = 0
    var refusal: APNsReason?
    for effect in effects {
      switch effect {
      case .finished(let push, let result):
        if case .answered(let answer) = result {
          answers += 1
          let reason = answer.reasonToLeave
          if let reason {
            connection.state.retire("APNs answered \(reason)")
            if !push.isSecondTry, goesRoundOnce(reason, connection.token) {
              queue.putBackOnce(push)
              continue
            }
          }
          if let reason, reason.isAboutCredentials { refusal = reason } else { fruitless = 0 }
        }
        finish(push, result, at: now)
      case .refused(let push): connection.state.retirement == nil ? backOff(push) : putBack(push)
      case .ended: break
      }
    }
    if answers > 0 { rate.add(answers, at: .now) }
    if let refusal { settleRefused(refusal) }
  }

  /// Ends one push.
  func finish(_ push: PushReference, _ result: PushResult) {
    finish(push, result, at: PushReference.Sent.epoch.duration(to: .now))
  }

  private func finish(_ push: PushReference, _ result: PushResult, at now: Duration) {
    let metrics = configuration.metrics
    let whole = queue.finish(push, result) { outcome, topic in
      metrics?.ended(
        outcome, topic: topic, connection: push.sent?.connection,
        duration: push.sent.map { now - $0.at })
    }
    if !calls.isEmpty, let caller = calls.removeValue(forKey: push.batch) { caller(result) }
    if let (batch, outcomes) = whole { callers.removeValue(forKey: batch)?.resume(outcomes) }
  }
}

/// Why a connection is given up on which the peer broke the protocol.
private struct BrokenProtocol: Error, CustomStringConvertible {
  var description: String { "APNs, or what is between, sent what HTTP/2 forbids" }
}
