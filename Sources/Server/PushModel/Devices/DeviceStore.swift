/// The devices of apps.
package protocol DeviceStore: Sendable {
  /// A device by its id; `nil` if the app has no such device. Of an erased device, only its id, its number and the
  /// times of its creation and erasure are left.
  func device(_ id: String, app: String) async throws(StoreError) -> Device?
  /// Merges an update into a device, and creates the device if it does not exist. The token of the update is taken
  /// from the device that had it before.
  ///
  /// - Returns: The device after the update.
  /// - Throws: ``StoreError/Code/erased`` if the device was erased. ``StoreError/Code/forbidden`` if the device's secret is not the one that the caller
  ///   showed. ``StoreError/Code/conflict`` if the app has as many devices as the caller may make.
  func update(
    device id: String, app: String, _ patch: DevicePatch, by caller: DeviceCaller, at now: Timestamp
  ) async throws(StoreError) -> Device
  /// The owners of devices, by the devices' ids; devices that do not exist are left out.
  func owners(of devices: [String], app: String) async throws(StoreError) -> [String: DeviceOwner]
  /// Removes the secret of a device; the next secret that is shown becomes its secret.
  ///
  /// - Returns: `false` if the device does not exist.
  /// - Throws: ``StoreError/Code/erased`` if the device was erased.
  func resetSecret(device id: String, app: String) async throws(StoreError) -> Bool
  /// The number of devices that each app has registered, including erased ones, by the apps' ids.
  func registeredDevices() async throws(StoreError) -> [String: Int]
  /// Merges each line into the device with its id or, if the line names no device, with its token. Missing devices
  /// are created.
  ///
  /// No two lines of an import may have the same token or name the same device.
  ///
  /// `place` is the place after the import's previous lines; `nil` if these lines are the first, or the previous
  /// lines had no place. `step` is noted in the import of an uploaded file; `nil` for any other import.
  ///
  /// - Throws: ``StoreError/Code/notFound`` if the app does not exist, or the import of the file does not run any more
  ///   or has stored other lines than those before the step.
  func importDevices(
    _ devices: [ImportedDevice], app: String, at now: Timestamp, after place: ImportPlace?,
    step: ImportStep?
  ) async throws(StoreError) -> StoredImport
  /// The number of tokens among some that devices of an app have.
  func registeredTokens(among tokens: [String], app: String) async throws(StoreError) -> Int
  /// The ids of the devices with some numbers, including erased devices.
  func deviceIDs(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [UInt32: String]
  /// The number of devices, without erased ones.
  func deviceCount(app: String) async throws(StoreError) -> Int

  /// Counts events of a device, and the conversions of the sends that they are credited to.
  ///
  /// - Returns: `false` if the device does not exist.
  /// - Throws: ``StoreError/Code/erased`` if the device was erased.
  @discardableResult
  func record(
    _ events: [DeviceEvent], device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool

  /// Removes all data of a device except its id, under which it takes no updates from then on.
  ///
  /// - Returns: The erased device; `nil` if the device does not exist.
  func erase(device id: String, app: String, at now: Timestamp) async throws(StoreError) -> Device?

  /// A page of the devices that APNs reported as unregistered in a span of time, the earliest
  /// first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func uninstalled(
    app: String, from: Timestamp, to: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Device>
  /// The devices whose push token has a prefix, ordered by their tokens.
  func devices(
    app: String, tokenPrefix: String, limit: Int
  ) async throws(StoreError) -> [Device]
}

extension DeviceStore {
  /// Imports all lines of an import at once, and returns the ids of the refused lines.
  @discardableResult
  package func importDevices(
    _ devices: [ImportedDevice], app: String, at now: Timestamp
  ) async throws(StoreError) -> [String] {
    try await importDevices(devices, app: app, at: now, after: nil, step: nil).erased
  }

  /// Updates a device for the app's own server.
  package func update(
    device id: String, app: String, _ patch: DevicePatch, at now: Timestamp
  ) async throws(StoreError) -> Device {
    try await update(device: id, app: app, patch, by: .server, at: now)
  }
}
