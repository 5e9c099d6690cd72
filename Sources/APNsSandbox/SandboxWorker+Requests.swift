import Synchronization
import _EventLoop
import _HTTP2
import _HTTP2Channel

// MARK: Requests

extension SandboxWorker {
  /// Does what a request asks that came at a time of the clock.
  func handle(
    _ request: SandboxRequest, _ stream: Int32, _ id: Int, _ connection: SandboxConnection,
    at arrival: Duration
  ) {
    guard connection.isServed(stream), !connection.isDead else { return }
    let now = shared.configuration.now()
    let faults = meet(request, stream, id, connection)
    var wait = shared.draw(shared.configuration.latency)
    var given: SandboxAnswer?
    for fault in faults {
      switch fault.kind {
      case .latency(let more): wait += shared.draw(more)
      case .stall:
        return record(request, stream, id, nil, now: now)
      case .resetStream(let code):
        connection.channel.session.submitReset(
          stream: stream, code: HTTP2ErrorCode(rawValue: code))
        return record(request, stream, id, nil, now: now)
      case .answer(let status, let reason, let timestamp) where given == nil:
        // What is refused on purpose changes no channel.
        given =
          request.channelPath.map { _ in SandboxAnswer(to: request, status: status, &ids) }
          ?? judge(request, connection, now: now)
        given?.status = status
        given?.reason = reason
        given?.timestamp = timestamp
        if status != 200 { given?.apnsUniqueID = nil }
      default: break
      }
    }
    // A fault may have taken the connection, or disclaimed the request.
    guard connections[id] != nil, !connection.isDead, connection.isServed(stream) else {
      return record(request, stream, id, nil, now: now)
    }
    let answer = given ?? judge(request, connection, now: now)
    guard wait > .zero else {
      record(request, stream, id, answer, now: now)
      return connection.answer(stream, answer)
    }
    connection.keep(DueAnswer(request: request, answer: answer, time: now), stream)
    keep(stream, id, until: arrival + wait)
  }

  /// Has a stream answered at a time; what came with it, and waits as long, is answered with it.
  private func keep(_ stream: Int32, _ id: Int, until deadline: Duration) {
    if waiting[deadline]?.append((id, stream)) != nil { return }
    waiting[deadline] = [(id, stream)]
    let rest = deadline - shared.elapsed()
    // By the clock that was handed in.
    guard !(shared.configuration.clock is ContinuousClock) else {
      return perform(at: .now + rest) { $0.answerWaiting(until: deadline) }
    }
    Task { [weak self, clock = shared.configuration.clock] in
      try? await clock.sleep(for: rest)
      await self?.answerWaiting(until: deadline)
    }
  }

  /// Gives the answers that waited until then, those of a connection at once.
  private func answerWaiting(until deadline: Duration) {
    var answered: Set<Int> = []
    for (id, stream) in waiting.removeValue(forKey: deadline) ?? [] {
      guard let connection = connections[id], let due = connection.takeDue(stream) else { continue }
      record(due.request, stream, id, due.answer, now: due.time)
      connection.answer(stream, due.answer)
      answered.insert(id)
    }
    for id in answered {
      if let connection = connections[id] { flush(id, connection) }
    }
  }

  private func judge(
    _ request: SandboxRequest, _ connection: SandboxConnection, now: Int64
  ) -> SandboxAnswer {
    do throws(SandboxRules.Refusal) {
      defer {
        // The first good provider token ends the slow start, whatever the push's own fate.
        if shared.configuration.slowStart, connection.provider.tokens.accepted != nil {
          allowAllStreams(connection)
        }
      }
      if !request.isPush, let path = request.channelPath {
        return try answer(request, path, connection, now: now / 1000)
      }
      try rules.check(request, &connection.provider, now: now)
      return SandboxAnswer(
        status: 200, apnsID: request[.apnsID] ?? ids.next().uppercased(),
        apnsUniqueID: ids.next())
    } catch {
      var answer = SandboxAnswer(to: request, status: error.status, &ids)
      answer.reason = error.reason
      answer.timestamp = error.timestamp
      return answer
    }
  }

  private func answer(
    _ request: SandboxRequest, _ path: SandboxChannels.Path, _ connection: SandboxConnection,
    now: Int64
  ) throws(SandboxRules.Refusal) -> SandboxAnswer {
    try shared.channels.withLock { channels throws(SandboxRules.Refusal) in
      try channels.answer(request, path, rules, &connection.provider, &ids, now: now)
    }
  }

  func record(
    _ request: SandboxRequest, _ stream: Int32, _ id: Int, _ answer: SandboxAnswer?, now: Int64
  ) {
    guard shared.hasListener else { return }
    let configuration = shared.configuration
    let line = configuration.journal.map { _ in
      request.journalLine(
        time: now, connection: id, stream: stream, status: answer?.status, reason: answer?.reason)
    }
    guard configuration.onDelivery != nil, let answer, answer.status == 200,
      let token = request.token
    else { return shared.tell(journalLine: line, delivery: nil) }
    let provider = connections[id]?.provider ?? SandboxProvider()
    let headers = request.headers
    let delivery = SandboxDelivery(
      token: token, topic: request.topic(of: provider) ?? "",
      pushType: headers["apns-push-type"] ?? "alert", headers: headers, payload: request.body,
      apnsID: answer.apnsID, collapseID: headers["apns-collapse-id"], time: now, connection: id,
      stream: Int(stream))
    shared.tell(journalLine: line, delivery: delivery)
  }
}
