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

/// Devices by their numbers, and every change of one in order: what an index is built from.
package protocol DeviceLog: Sendable {
  /// Up to `limit` devices with numbers above one, in their order; erased ones too.
  func devices(
    app: String, above number: UInt32?, limit: Int
  ) async throws(StoreError) -> [Device]
  /// Those of some numbers, in their order.
  func devices(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [Device]
  /// The number of the last change: read before a scan, it is where to go on after it.
  func lastChange(app: String) async throws(StoreError) -> Int64
  /// The changes after one, in an order in which none appears behind one that was read.
  ///
  /// - Returns: `nil` where older ones were trimmed: scan the devices anew.
  func changes(
    app: String, after sequence: Int64, limit: Int
  ) async throws(StoreError) -> DeviceChanges?
  /// Forgets changes up to one, which every reader has seen; the last is always kept.
  func trimChanges(app: String, through sequence: Int64) async throws(StoreError)
}

/// A stretch of the log of changes.
package struct DeviceChanges: Hashable, Sendable {
  /// The devices that changed; each once.
  package var devices: DeviceNumbers
  /// Where to go on; what was asked for where nothing has changed.
  package var last: Int64

  package init(devices: DeviceNumbers, last: Int64) {
    self.devices = devices
    self.last = last
  }
}

/// Users: the people behind devices, by the id an app gives them.
package protocol UserStore: Sendable {
  /// Merges attributes into every device of a user; returns how many those are.
  @discardableResult
  func update(
    user id: String, app: String, attributes: [String: Attribute?], at now: Timestamp
  ) async throws(StoreError) -> Int
  /// Credits events to every device of a user; returns how many those are.
  @discardableResult
  func record(
    _ events: [DeviceEvent], user id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Int
}
