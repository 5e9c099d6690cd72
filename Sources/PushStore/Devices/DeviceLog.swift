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
