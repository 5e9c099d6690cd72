/// The devices of apps.
package protocol DeviceStore: Sendable {
  /// A device by its id; of an erased one only the time of its erasure is left. `nil` where there
  /// is none.
  func device(_ id: String, app: String) async throws(StoreError) -> Device?
  /// Merges an update into a device, which is made where there is none. The token of the update is
  /// taken from the device that had it before.
  ///
  /// `key` is a key of the API that must be stored as it is here, or nothing is changed; `nil` where it is known that
  /// the caller may make the update.
  ///
  /// - Returns: The device after the update.
  /// - Throws: ``StoreError/Code/keyChanged`` if the key is not stored or has changed.
  ///   ``StoreError/Code/erased`` if the device was erased.
  ///   ``StoreError/Code/forbidden`` if the device has another secret than the caller showed.
  ///   ``StoreError/Code/conflict`` if the app has as many devices as the caller may make.
  func update(
    device id: String, app: String, _ patch: DevicePatch, by caller: DeviceCaller,
    with key: APIKey?, at now: Timestamp
  ) async throws(StoreError) -> Device
  /// Who may act for each of some devices, by their ids; devices that do not exist are left out.
  func owners(of devices: [String], app: String) async throws(StoreError) -> [String: DeviceOwner]
  /// Removes the secret of a device, so that the next one that is shown becomes its secret.
  ///
  /// - Returns: `false` where there is no such device.
  /// - Throws: ``StoreError/Code/erased`` where the device was erased.
  func resetSecret(device id: String, app: String) async throws(StoreError) -> Bool
  /// How many devices each app has registered, erased ones included, by the apps' ids.
  func registeredDevices() async throws(StoreError) -> [String: Int]
  /// Merges each line into the device with its id or, without one, its token. A device is made
  /// where there is none.
  ///
  /// No two of the lines of an import have the same token or name the same device.
  ///
  /// `place` is that of the import's lines before these; `nil` where these are its first, or where
  /// those had none.
  func importDevices(
    _ devices: [ImportedDevice], app: String, at now: Timestamp, after place: ImportPlace?
  ) async throws(StoreError) -> StoredImport
  /// The ids of the devices with some numbers, without the rest of their rows; those of erased ones too.
  func deviceIDs(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [UInt32: String]
  /// The number of devices that were not erased.
  func deviceCount(app: String) async throws(StoreError) -> Int

  /// Counts events of a device, and the conversions of the sends that they are credited to.
  ///
  /// - Returns: `false` where there is no such device.
  /// - Throws: ``StoreError/Code/erased`` where the device was erased.
  @discardableResult
  func record(
    _ events: [DeviceEvent], device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool

  /// Removes all that is known of a device except its id, which takes no updates from then on.
  ///
  /// - Returns: The erased device; `nil` where there is none.
  func erase(device id: String, app: String, at now: Timestamp) async throws(StoreError) -> Device?

  /// A page of the devices that APNs reported as unregistered in a span of time, the earliest
  /// first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func uninstalled(
    app: String, from: Timestamp, to: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Device>
  /// The devices whose push token has a prefix, ordered by their tokens.
  func devices(
    app: String, tokenPrefix: String, limit: Int
  ) async throws(StoreError) -> [Device]
}

extension DeviceStore {
  /// Imports all of its lines at once, and returns the ids of those that were refused.
  @discardableResult
  package func importDevices(
    _ devices: [ImportedDevice], app: String, at now: Timestamp
  ) async throws(StoreError) -> [String] {
    try await importDevices(devices, app: app, at: now, after: nil).erased
  }

  /// Updates a device for the app's own server.
  package func update(
    device id: String, app: String, _ patch: DevicePatch, at now: Timestamp
  ) async throws(StoreError) -> Device {
    try await update(device: id, app: app, patch, by: .server, at: now)
  }

  /// Updates a device for a caller that is known to be allowed to.
  package func update(
    device id: String, app: String, _ patch: DevicePatch, by caller: DeviceCaller, at now: Timestamp
  ) async throws(StoreError) -> Device {
    try await update(device: id, app: app, patch, by: caller, with: nil, at: now)
  }
}
