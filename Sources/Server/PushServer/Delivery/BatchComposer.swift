import PushModel
import PushPayload

/// Composes the pushes of batches, with the values of the devices that the store has.
struct BatchComposer: Sendable {
  let store: any PushStore
  let composers: ComposerCache
  let clock: ServerClock
  let log: @Sendable (String) -> Void

  /// Composes the pushes of a batch.
  ///
  /// If the send cannot be composed for any device, or a stored value is damaged, the whole send fails.
  func compose(_ batch: Batch) async throws -> Delivery {
    let now = clock.now()
    if let activity = batch.send.activity {
      return await compose(batch, for: activity, at: now)
    }
    let composer: Composer
    do throws(ComposeError) {
      composer = try composers.composer(of: batch.send, at: now)
    } catch {
      // The payload was valid when the send was accepted, but perhaps for an older version.
      return await fail(batch, error.message, at: now)
    }
    do {
      return try await compose(batch, with: composer, at: now)
    } catch let error as StoreError where error.code == .damaged {
      return await fail(batch, error.message, at: clock.now())
    }
  }

  private func compose(
    _ batch: Batch, with composer: Composer, at now: Timestamp
  ) async throws -> Delivery {
    var numbers = DeviceNumbers()
    // Targets are read by index, because a target as a whole would be copied.
    let targets = batch.targets
    for place in targets.indices
    where composer.needsRecipient(hasKeys: targets[place].hasKeys)
      && targets[place].token != nil && targets[place].limit == nil
    {
      numbers.append(targets[place].number)
    }
    var recipients =
      numbers.isEmpty ? [] : try await store.recipients(app: batch.send.app, numbers: numbers)
    if !recipients.isEmpty, batch.send.origin != nil {
      let data = try await store.eventData(
        ofSend: batch.send.id, app: batch.send.app, devices: numbers)
      for place in recipients.indices { recipients[place].event = data[recipients[place].number] }
    }
    return await Delivery(
      batch, composer: composer, recipients: recipients, topic: batch.app.bundleID, at: now)
  }

  private func compose(
    _ batch: Batch, for activity: ActivityPush, at now: Timestamp
  ) async -> Delivery {
    do throws(RequestError) {
      let payload = try ActivityPayload(BodyValue(batch.send.payload), for: activity)
      return Delivery(batch, to: activity, payload: payload, of: batch.app, at: now)
    } catch {
      return await fail(batch, error.message, at: now)
    }
  }

  /// Ends the send of a batch whose payload cannot be composed for any device.
  private func fail(_ batch: Batch, _ reason: String, at now: Timestamp) async -> Delivery {
    log("notification \(batch.send.id): \(reason)")
    _ = try? await store.order(.fail(reason), send: batch.send.id, app: batch.send.app, at: now)
    return Delivery(rejecting: batch, at: now)
  }
}
