import PushModel
import PushPayload

/// The changes of devices.
extension Actions {
  /// Registers a device, or changes it.
  ///
  /// - Parameters:
  ///   - id: The id of the device.
  ///   - update: The members to set.
  ///   - claim: The claim of a device key; `nil` if the actor has another key.
  ///   - actor: Who changes it.
  /// - Returns: The device, and the members that were not stored.
  /// - Throws: ``RequestError`` `.forbidden` if neither the claim nor a permission admits it, `.tooMany` if the address
  ///   has registered too many devices, and ``StoreError``.
  func updateDevice(
    _ id: String, _ update: DevicePatchReader, claim: DeviceClaim?, by actor: Actor
  ) async throws -> (device: Device, dropped: [DroppedMember]) {
    var update = update
    try await dropUnproven(in: &update, claim: claim, by: actor)
    var device = try await storeUpdate(&update, ofDevice: id, claim: claim, by: actor)
    if update.isOpened {
      let now = clock.now()
      try await store.recordOpen(device: id, app: actor.ownApp(), at: now)
      device.lastOpenedAt = now
    }
    return (device, update.dropped)
  }

  /// Drops the members of an update that the claim does not allow to set.
  func dropUnproven(
    in update: inout DevicePatchReader, claim: DeviceClaim?, by actor: Actor
  ) async throws {
    guard let claim else { return }
    if case .key(let key) = actor.identity, !key.isForDevelopment,
      case .set = update.patch.isDevelopment
    {
      update.drop(
        \.isDevelopment, named: "development",
        "is taken only from a push key, or from a device key for development")
    }
    try await dropUserAttribute(in: &update, by: actor)
    guard UserProof.isNeeded(for: update.patch),
      let proof = try await UserProof(claim, app: actor.ownApp(), at: clock.now(), store)
    else { return }
    proof.dropUnproven(in: &update, metrics)
  }

  /// Drops the attribute `sid`, which names a person as `user_id` does, where the app requires a proof of users.
  ///
  /// No user token has it, so no device key can prove it.
  private func dropUserAttribute(in update: inout DevicePatchReader, by actor: Actor) async throws {
    guard let change = update.patch.attributes["sid"], change != nil,
      try await store.app(actor.ownApp())?.identity == .required
    else { return }
    update.dropAttribute("sid", "names a user, and is taken only from a push key")
  }

  /// Stores an update of a device, except for the opening that it may report.
  ///
  /// Keys that the store leaves unchanged are added to the members that the update has dropped.
  func storeUpdate(
    _ update: inout DevicePatchReader, ofDevice id: String, claim: DeviceClaim?,
    by actor: Actor
  ) async throws -> Device {
    guard DeviceID.isValid(id) else {
      throw RequestError(.invalid, "the device id in the path must be \(DeviceID.form)")
    }
    try actor.requireDevice(id, by: claim, or: .write, to: "change a device")
    let app = try actor.ownApp()
    let isNew = claim.map { $0.known[id] == nil } ?? false
    if isNew { try limitNewDevices(from: actor.address) }
    let device: Device
    do throws(StoreError) {
      device = try await store.update(
        device: id, app: app, update.patch, by: caller(claim), at: clock.now())
    } catch {
      if error.code == .conflict { metrics.refusedDevice(.limit) }
      throw error
    }
    if isNew { reportFill(of: app, at: Int(device.number)) }
    update.dropUnchangedKeys(of: device)
    return device
  }

  /// The caller of an update, as the store knows it.
  private func caller(_ claim: DeviceClaim?) -> DeviceCaller {
    guard let claim else { return .server }
    return .app(secretHash: claim.secretHash, deviceLimit: site.deviceLimit)
  }

  /// Removes the secret of a device; the next secret that is shown becomes its secret.
  func resetSecret(ofDevice id: String, by actor: Actor) async throws {
    try actor.require(.erase, to: "reset the secret of a device")
    let store = store(for: actor, "device.reset_secret", id)
    guard try await store.resetSecret(device: id, app: actor.ownApp()) else {
      throw RequestError.notFound("device with this id")
    }
  }

  /// Erases the data of a device except its id, under which it takes no updates from then on.
  func eraseDevice(
    _ id: String, claim: DeviceClaim? = nil, by actor: Actor
  ) async throws -> Device {
    try actor.requireOwner(of: id, by: claim, or: .erase, to: "erase a device")
    let store = store(for: actor, "device.erase", id)
    guard let device = try await store.erase(device: id, app: actor.ownApp(), at: clock.now())
    else { throw RequestError.notFound("device with this id") }
    return device
  }

  /// Sets or removes custom attributes on each device of a user, and returns the number of these devices.
  func updateUser(
    _ id: String, attributes: [String: Attribute?], by actor: Actor
  ) async throws -> Int {
    try actor.require(.write, to: "change a user")
    return try await store.update(
      user: id, app: actor.ownApp(), attributes: attributes, at: clock.now())
  }

  /// Imports devices from a file piece by piece, until `nextPiece` returns `nil`.
  func importDevices(
    as format: DeviceImport.Format, by actor: Actor, _ nextPiece: () async throws -> [UInt8]?
  ) async throws -> DeviceImport.Report {
    try actor.require(.manage, to: "import devices")
    let app = try actor.ownApp()
    guard try await store.app(app) != nil else { throw RequestError.notFound("app with this id") }
    let devices = DeviceImport(store: store, app: app, now: clock.now())
    do {
      let report = try await devices.run(as: format, nextPiece)
      try await finishImport(app: app, by: actor)
      return report
    } catch {
      // The pieces before the failure are imported. If this fails too, the first error says more.
      try? await finishImport(app: app, by: actor)
      throw error
    }
  }

  private func finishImport(app: String, by actor: Actor) async throws {
    try await store.lookSoon(app: app, at: clock.now())
    try await audit("devices.import", object: app, for: actor)
  }
}

extension DevicePatchReader {
  /// Lists the keys for encrypted payloads that the store kept, because the caller did not show the
  /// device's secret.
  fileprivate mutating func dropUnchangedKeys(of device: Device) {
    let reason = "changes only with the header \(DeviceClaim.secretHeader)"
    if case .set(let key) = patch.publicKey, key != device.publicKey {
      drop(\.publicKey, named: "public_key", reason)
    }
    if case .set(let secret) = patch.authSecret, secret != device.authSecret {
      drop(\.authSecret, named: "auth_secret", reason)
    }
  }
}
