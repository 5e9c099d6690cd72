import Synchronization
import _EventLoop
import _HTTP2
import _HTTP2Channel

// MARK: Requests

extension SandboxWorker {
  /// Answers a complete request that came at a time of the sandbox's clock.
  func handle(
    _ request: SandboxRequest, stream: Int32, id: Int, connection: SandboxConnection,
    at arrival: Duration
  ) {
    guard connection.isServed(stream), !connection.isDead else { return }
    let now = shared.configuration.now()
    let faults = applyFaults(of: request, stream: stream, id: id, connection: connection)
    var delay = shared.delay(by: shared.configuration.latency)
    var scripted: SandboxAnswer?
    for fault in faults {
      switch fault.kind {
      case .latency(let latency): delay += shared.delay(by: latency)
      case .stall:
        return record(request, answer: nil, stream: stream, id: id, now: now)
      case .resetStream(let code):
        connection.channel.session.submitReset(
          stream: stream, code: HTTP2ErrorCode(rawValue: code))
        return record(request, answer: nil, stream: stream, id: id, now: now)
      case .answer(let status, let reason, let timestamp) where scripted == nil:
        // A request about channels that a script answers must not change any channel.
        scripted =
          request.channelPath.map { _ in SandboxAnswer(to: request, status: status, &ids) }
          ?? answer(to: request, on: connection, now: now)
        scripted?.status = status
        scripted?.reason = reason
        scripted?.timestamp = timestamp
        if status != 200 { scripted?.apnsUniqueID = nil }
      default: break
      }
    }
    // A fault may have closed the connection, or sent a GOAWAY that leaves the request unprocessed.
    guard connections[id] != nil, !connection.isDead, connection.isServed(stream) else {
      return record(request, answer: nil, stream: stream, id: id, now: now)
    }
    let ruled = scripted ?? answer(to: request, on: connection, now: now)
    let decided =
      scripted == nil
      ? decide(ruled, about: request, stream: stream, id: id, now: now) : ruled
    guard let answer = decided else {
      return record(request, answer: nil, stream: stream, id: id, now: now)
    }
    guard delay > .zero else {
      record(request, answer: answer, stream: stream, id: id, now: now)
      return connection.answer(stream, answer)
    }
    connection.delay(DelayedAnswer(request: request, answer: answer, time: now), stream)
    scheduleAnswer(stream: stream, id: id, at: arrival + delay)
  }

  /// Schedules the delayed answer of a stream; answers with the same time share a timer.
  private func scheduleAnswer(stream: Int32, id: Int, at deadline: Duration) {
    if scheduled[deadline]?.append((id, stream)) != nil { return }
    scheduled[deadline] = [(id, stream)]
    let remaining = deadline - shared.elapsed()
    // The loop has timers for the system's clock only.
    guard !(shared.configuration.clock is ContinuousClock) else {
      return perform(at: .now + remaining) { $0.sendAnswers(scheduledAt: deadline) }
    }
    Task { [weak self, clock = shared.configuration.clock] in
      try? await clock.sleep(for: remaining)
      await self?.sendAnswers(scheduledAt: deadline)
    }
  }

  /// Sends the answers that were scheduled for a time, with one flush for each connection.
  private func sendAnswers(scheduledAt deadline: Duration) {
    var answered: Set<Int> = []
    for (id, stream) in scheduled.removeValue(forKey: deadline) ?? [] {
      guard let connection = connections[id], let delayed = connection.removeDelayed(stream)
      else { continue }
      record(delayed.request, answer: delayed.answer, stream: stream, id: id, now: delayed.time)
      connection.answer(stream, delayed.answer)
      answered.insert(id)
    }
    for id in answered {
      if let connection = connections[id] { flush(id, connection) }
    }
  }

  /// The answer that the rules give.
  private func answer(
    to request: SandboxRequest, on connection: SandboxConnection, now: Int64
  ) -> SandboxAnswer {
    do throws(SandboxRules.Refusal) {
      defer {
        // The first valid provider token ends the slow start, even if the push itself is refused.
        if shared.configuration.slowStart, connection.provider.tokens.accepted != nil {
          allowAllStreams(connection)
        }
      }
      if !request.isPush, let path = request.channelPath {
        return try answer(to: request, at: path, on: connection, now: now / 1000)
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

  /// The answer to a push that the rules accept, as the configuration's closure decides; `nil` if it sends no answer.
  private func decide(
    _ answer: SandboxAnswer, about request: SandboxRequest, stream: Int32, id: Int, now: Int64
  ) -> SandboxAnswer? {
    guard answer.status == 200, let token = request.token,
      let decision = shared.decision(
        about: delivery(of: request, token, answer, stream: stream, id: id, now: now))
    else { return answer }
    var answer = answer
    switch decision.kind {
    case .accept: break
    case .stall: return nil
    case .refuse(let status, let reason, let timestamp):
      (answer.status, answer.reason, answer.timestamp) = (status, reason, timestamp)
      answer.apnsUniqueID = nil
    }
    return answer
  }

  private func answer(
    to request: SandboxRequest, at path: SandboxChannels.Path, on connection: SandboxConnection,
    now: Int64
  ) throws(SandboxRules.Refusal) -> SandboxAnswer {
    try shared.channels.withLock { channels throws(SandboxRules.Refusal) in
      try channels.answer(
        request, at: path, rules: rules, provider: &connection.provider, ids: &ids, now: now)
    }
  }

  /// Writes a request to the journal and delivers a push that was accepted; `answer` is `nil` if the request gets no
  /// answer.
  func record(
    _ request: SandboxRequest, answer: SandboxAnswer?, stream: Int32, id: Int, now: Int64
  ) {
    guard shared.isObserved else { return }
    let configuration = shared.configuration
    let line = configuration.journal.map { _ in
      request.journalLine(
        time: now, connection: id, stream: stream, status: answer?.status, reason: answer?.reason)
    }
    guard let answer, answer.status == 200, let token = request.token else {
      return shared.report(journalLine: line, delivery: nil)
    }
    shared.report(
      journalLine: line,
      delivery: delivery(of: request, token, answer, stream: stream, id: id, now: now))
  }

  private func delivery(
    of request: SandboxRequest, _ token: String, _ answer: SandboxAnswer, stream: Int32, id: Int,
    now: Int64
  ) -> SandboxDelivery {
    let provider = connections[id]?.provider ?? SandboxProvider()
    let headers = request.headers
    return SandboxDelivery(
      token: token, topic: request.topic(of: provider) ?? "",
      pushType: headers["apns-push-type"] ?? "alert", headers: headers, payload: request.body,
      apnsID: answer.apnsID, collapseID: headers["apns-collapse-id"], time: now, connection: id,
      stream: Int(stream))
  }
}
