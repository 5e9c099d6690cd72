import PushModel
import PushPayload

/// The reports of devices: events, receipts, and the marks of messages.
extension Actions {
  /// Counts events on a device.
  func recordEvents(
    _ events: [DeviceEvent], ofDevice id: String, claim: DeviceClaim?, by actor: Actor
  ) async throws {
    try actor.requireDevice(id, by: claim, or: .write, to: "record events")
    let isKnown = try await store.record(
      events, device: id, app: actor.ownApp(), at: clock.now())
    guard isKnown else { throw RequestError.notFound("device with this id") }
  }

  /// Counts events on every device of a user.
  func recordEvents(_ events: [DeviceEvent], ofUser id: String, by actor: Actor) async throws {
    try actor.require(.write, to: "record events")
    try await store.record(events, user: id, app: actor.ownApp(), at: clock.now())
  }

  /// Records receipts, each id once, so that a repeated request changes nothing.
  func recordReceipts(
    _ receipts: ValidElements<Receipt>, claim: DeviceClaim?, by actor: Actor
  ) async throws {
    for receipt in receipts.values {
      try actor.requireDevice(receipt.device, by: claim, or: .manage, to: "record receipts")
    }
    let app = try actor.ownApp()
    // The store notifies webhooks only if a receipt is new.
    let notice = notice(
      of: WebhookEvent.receipts, app: app, data: ["receipts": .array(receipts.sources)])
    try await store.recording(ChangeRecord(notice: notice)).record(
      receipts.values, app: app, at: clock.now())
  }

  /// Marks messages in the inbox of a device as read or hidden.
  func markInbox(
    _ marks: InboxMarks, ofDevice id: String, claim: DeviceClaim?, by actor: Actor
  ) async throws -> MarkedInbox {
    try actor.requireOwner(of: id, by: claim, or: .write, to: "mark messages")
    let app = try actor.ownApp()
    try await requireDevice(id, app: app)
    return try await store.mark(marks, device: id, app: app, at: clock.now())
  }

  /// - Throws: ``RequestError`` `.notFound` if an app has no device with an id.
  func requireDevice(_ id: String, app: String) async throws {
    guard try await store.owners(of: [id], app: app)[id] != nil else {
      throw RequestError.notFound("device with this id")
    }
  }
}
