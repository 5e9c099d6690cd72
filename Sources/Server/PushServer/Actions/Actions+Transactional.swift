import PushModel

extension Actions {
  /// Sends to one user or device, and waits for the outcomes.
  ///
  /// `body` is that of a request. `isJudged` says whether what `martlet lint` calls an error is refused.
  func sendTransactional(
    _ body: BodyValue, isJudged: Bool, repeating key: IdempotencyKey?, by actor: Actor
  ) async throws -> TransactionalOutcome {
    try actor.requireSending()
    let (app, now) = (try actor.ownApp(), clock.now())
    let new = try NewTransactional(body, at: now, isJudged: isJudged)
    let audience = Audience(
      id: Identifiers.makeObjectID(), app: app, filters: new.filters, createdAt: now)
    var send = Send(
      id: Identifiers.makeObjectID(), messageID: Identifiers.makeObjectID(), app: app,
      audience: audience.id, payload: new.payload.value, createdAt: now)
    send.group = new.group
    send.namedClass = .transactional
    let devices = try await audiences.devices(of: audience, at: now)
    let accepted = try await accept(
      send, to: audience, devices: devices, isForced: new.isForced, repeating: key, by: actor)
    let ended: Send
    do {
      ended = try await watch(accepted).wait(within: NewTransactional.timeout) { $0.state.isOver }
    } catch {
      // Nothing is sent after an answer that says that it failed, also if the server ends: then this task is canceled, and what
      // it would wait for as well.
      await Task { try? await StoreDeadline.perCall { try await cancelUnsent(accepted) } }.value
      throw error
    }
    // A late transactional push is useless, and would contradict the answer.
    if !ended.state.isOver { try await cancelUnsent(ended) }
    return try await TransactionalOutcome(of: ended, to: devices, store)
  }

  /// Cancels a send, and returns when none of its pushes is in flight.
  private func cancelUnsent(_ send: Send) async throws {
    func order(_ order: SendLifecycle.Order) async throws -> Send? {
      do throws(StoreError) {
        return try await store.order(order, send: send.id, app: send.app, at: clock.now())
      } catch {
        // The send completed meanwhile.
        guard error.code == .conflict else { throw error }
        return nil
      }
    }
    // A send is `paused` only when no push is in flight and every outcome is stored.
    guard let pausing = try await order(.pause) else { return }
    let paused = try await watch(pausing).wait(within: NewTransactional.inFlightTimeout) {
      $0.state != .pausing
    }
    if !paused.state.isOver { _ = try await order(.cancel) }
  }

  private func watch(_ send: Send) -> SendWatch {
    SendWatch(send: send, store: store, clock: clock)
  }
}
