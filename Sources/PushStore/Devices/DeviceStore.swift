/// Devices: what is known of each, their events, and who has gone.
package protocol DeviceStore: Sendable {
  /// An erased device is returned, with nothing but the time it was erased.
  func device(_ id: String, app: String) async throws(StoreError) -> Device?
  /// Merges an update into a device, which is made where it is absent, and returns what it became.
  /// A token belongs to the device that named it last.
  ///
  /// - Throws: ``StoreError/Code/erased`` where the device was erased.
  func update(
    device id: String, app: String, _ patch: DevicePatch, at now: Timestamp
  ) async throws(StoreError) -> Device
  /// Merges each line into the device with its name or, without one, its token, which is made where
  /// it is absent; no token is on two of the lines.
  ///
  /// - Returns: The names of those that were not taken, for they were erased.
  @discardableResult
  func importDevices(
    _ devices: [ImportedDevice], app: String, at now: Timestamp
  ) async throws(StoreError) -> [String]
  /// Those that were not erased.
  func deviceCount(app: String) async throws(StoreError) -> Int

  /// Counts events of a device, and the conversions of the sends that they name.
  ///
  /// - Returns: `false` where there is no such device.
  /// - Throws: ``StoreError/Code/erased`` where the device was erased.
  @discardableResult
  func record(
    _ events: [DeviceEvent], device id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Bool

  /// Forgets all about a device but its id, for good; `nil` where there is none.
  func erase(device id: String, app: String, at now: Timestamp) async throws(StoreError) -> Device?

  /// The devices that Apple reported gone in a span of time, the earliest first.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor``.
  func uninstalled(
    app: String, from: Timestamp, to: Timestamp, after cursor: String?, limit: Int
  ) async throws(StoreError) -> Page<Device>
  /// Those whose push token begins so, in the order of their tokens.
  func devices(
    app: String, tokenPrefix: String, limit: Int
  ) async throws(StoreError) -> [Device]
}
