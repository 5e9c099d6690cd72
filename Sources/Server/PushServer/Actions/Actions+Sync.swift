import PushModel
import PushPayload

extension Actions {
  /// Stores all that an app reports of its device, each part as its own action would.
  ///
  /// - Returns: The members that were not stored, and the number of unread messages; `nil` if the claim does not show
  ///   the device's secret.
  func syncDevice(
    _ id: String, _ report: DeviceReport, claim: DeviceClaim?, by actor: Actor
  ) async throws -> (dropped: [DroppedMember], unread: Int?) {
    try actor.requireDevice(id, by: claim, or: .manage, to: "report for a device")
    let app = try actor.ownApp()
    var (update, marks, dropped) = (report.update, report.marks, report.dropped)
    if var given = update {
      try await dropUnproven(in: &given, claim: claim, by: actor)
      update = given
    }
    let owner = try await store.owners(of: [id], app: app)[id]
    guard owner != nil || update != nil else { throw RequestError.notFound("device with this id") }
    if owner?.isErased == true { throw RequestError(.erased, "the device \(id) was erased") }
    // A device that has no secret takes this one, as with any other update.
    if owner != nil, owner?.secretHash == nil, claim?.secretHash != nil {
      var empty = try DevicePatchReader(BodyValue([:]))
      _ = try await storeUpdate(&empty, ofDevice: id, claim: claim, by: actor)
    }
    if !marks.isEmpty, let claim, claim.secretHash == nil {
      let reason = "is taken only with the header \(DeviceClaim.secretHeader)"
      dropped += report.markPaths.map { DroppedMember(path: $0, reason: reason) }
      marks = InboxMarks()
    }
    // The marks come before the update, because they belong to the user whom the update may replace.
    if owner != nil { try await mark(marks, device: id, app: app) }
    if var given = update {
      _ = try await storeUpdate(&given, ofDevice: id, claim: claim, by: actor)
      dropped = given.dropped + dropped
    }
    if owner == nil { try await mark(marks, device: id, app: app) }
    // The receipts come before the opening, because the receipt of a tap reports the same opening.
    if let receipts = report.receipts {
      try await recordReceipts(receipts, claim: claim, by: actor)
    }
    if update?.isOpened == true {
      try await store.recordOpen(device: id, app: app, at: clock.now())
    }
    if let events = report.events {
      _ = try await store.record(events.values, device: id, app: app, at: clock.now())
    }
    return (dropped, try await unreadCount(ofDevice: id, claim: claim, app: app))
  }

  private func mark(_ marks: InboxMarks, device id: String, app: String) async throws {
    guard !marks.isEmpty else { return }
    _ = try await store.mark(marks, device: id, app: app, at: clock.now())
  }

  private func unreadCount(
    ofDevice id: String, claim: DeviceClaim?, app: String
  ) async throws(StoreError) -> Int? {
    let now = clock.now()
    guard let claim else {
      return try await store.inbox(device: id, app: app, at: now, after: nil, limit: 0).total
    }
    guard let hash = claim.secretHash else { return nil }
    return try await store.unreadCount(device: id, app: app, provenBy: hash, at: now)
  }
}
