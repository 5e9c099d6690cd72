import _EventLoop
import _HTTP2
import _HTTP2Channel
import _TLS

/// Writing requests to connections, and applying their answers.
extension Transport {
  /// The socket of a connection is ready to be read or written.
  func ready(_ id: Int) {
    guard let connection = pool.connections[id] else { return }
    do {
      apply(try connection.receive(), of: connection)
      if connection.channel.isOpen { opened(id, connection) }
      if connection.channel.isLost {
        lose(id, TLSError(.closed, connection.state.retirement ?? "APNs closed the connection"))
      }
    } catch { lose(id, error) }
    pump()
  }

  /// Pumps once for all callers that the executor runs before it, so that their pushes share a write.
  func schedulePump() {
    guard !isPumpScheduled else { return }
    isPumpScheduled = true
    Task { pump() }
  }

  /// Puts waiting pushes on free streams, writes, and opens or closes connections as needed.
  func pump() {
    isPumpScheduled = false
    fill(pool.usable)
    configuration.metrics?.load(inFlight: pool.inFlightCount, waiting: queue.waitingCount)
    for (id, connection) in pool.connections {
      flush(id, connection)
      if pool.connections[id] != nil { closeIfFinished(id, connection) }
    }
    let waiting = queue.hasWaiting ? queue.waitingCount : 0
    if pool.wantsAnother(waiting: waiting, isConnecting: connector.isConnecting, at: .now) {
      connect()
    }
    pool.measureRateWhileBusy()
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
      connection.token = credentials.token(after: connection.token, now: time)
      let authorization = connection.token?.authorization
      // At most 100 pushes before each write, so that APNs works on the first while the next are made.
      guard let (requests, pushes) = queue.next(upTo: min(100, connection.state.freeStreams))
      else { return }
      send(
        pushes, of: requests, authorization: authorization, on: connection,
        sent: .init(connection: id, at: now))
      now = PushReference.Sent.epoch.duration(to: .now)
      flush(id, connection)
    }
  }

  private func send(
    _ pushes: [PushReference], of requests: Requests, authorization: String?,
    on connection: Connection, sent: PushReference.Sent
  ) {
    // Taken out of the actor meanwhile, because each access to a stored property of a class is checked for
    // exclusivity.
    var writer = RequestWriter(authority: requestWriter.authority)
    swap(&writer, &requestWriter)
    defer { swap(&writer, &requestWriter) }
    for (offset, reference) in pushes.enumerated() {
      // The connection was chosen for the first push; the others follow only if the peer's window takes them whole.
      let size = offset == 0 ? 1 : requests.size(reference.index)
      guard connection.hasRoom(for: size) else { return queue.restore(pushes[offset...]) }
      var push = reference
      push.sent = sent
      do {
        try writer.send(push, of: requests, authorization: authorization, on: connection)
      } catch {
        // The session opens no more streams, so another connection takes the rest.
        connection.retire(error)
        putBack(push)
        return queue.restore(pushes[(offset + 1)...])
      }
    }
  }

  private func flush(_ id: Int, _ connection: Connection) {
    do { apply(try connection.flush(), of: connection) } catch {
      apply(connection.receiveRemaining(), of: connection)
      lose(id, error)
    }
  }

  /// Closes a connection that expects nothing more; otherwise watches its socket for the next event.
  private func closeIfFinished(_ id: Int, _ connection: Connection) {
    if connection.isBroken { return lose(id, ProtocolViolation()) }
    guard connection.channel.isOpen, connection.isFinished else {
      return connection.updateInterest(on: loop)
    }
    remove(id)
    let reason = connection.state.retirement ?? "closed by both"
    configuration.metrics?.closed(connection: id, reason: reason)
    connection.channel.close()
  }

  /// Applies the effects of a connection's events to its pushes.
  func apply(_ effects: [ConnectionState.Effect], of connection: Connection) {
    guard !effects.isEmpty else { return }
    let now = PushReference.Sent.epoch.duration(to: .now)
    var answers = 0
    var refusal: APNsReason?
    for effect in effects {
      switch effect {
      case .finished(let push, let result):
        if case .answered(let answer) = result {
          answers += 1
          let reason = answer.retiringReason
          if let reason {
            connection.state.retire("APNs answered \(reason)")
            if !push.isSecondTry,
              credentials.allowsResending(
                after: reason, token: connection.token, now: configuration.now)
            {
              queue.putBackForSecondTry(push)
              continue
            }
          }
          if let reason, reason.isAboutCredentials {
            refusal = reason
          } else {
            credentials.accepted()
          }
        }
        finish(push, result, at: now)
      case .refused(let push): connection.state.retirement == nil ? backOff(push) : putBack(push)
      case .ended: break
      }
    }
    if answers > 0 { pool.addAnswers(answers) }
    if let refusal { settleRefused(refusal) }
  }

  /// Settles one push.
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
    if let resume = waitingBatches.removeChannelCall(push.batch) { resume(result) }
    if let (batch, outcomes) = whole { waitingBatches.remove(batch)?(outcomes) }
  }
}

/// The error of a connection on which the peer broke the protocol.
private struct ProtocolViolation: Error, CustomStringConvertible {
  var description: String { "APNs, or what is between, sent what HTTP/2 forbids" }
}
