/// Devices by their numbers, and the log of their changes, from which an index is built.
package protocol DeviceLog: Sendable {
  /// Up to `limit` devices with numbers above one, in the order of their numbers; erased ones too.
  func devices(
    app: String, above number: UInt32?, limit: Int
  ) async throws(StoreError) -> [Device]
  /// The devices with some numbers, in the order of their numbers.
  func devices(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [Device]
  /// The sequence number of the last change. Read before a scan of the devices, it is where
  /// ``changes(app:after:limit:)`` continues after the scan.
  func lastChange(app: String) async throws(StoreError) -> Int64
  /// The sequence number of the last change of every app, by the app's id; 0 where there is none.
  func lastChanges() async throws(StoreError) -> [String: Int64]
  /// The changes after one; none is added later before a change that was read.
  ///
  /// - Returns: `nil` where the changes after `sequence` were trimmed, so that the devices must be
  ///   scanned again.
  func changes(
    app: String, after sequence: Int64, limit: Int
  ) async throws(StoreError) -> DeviceChanges?
  /// Removes the changes up to one, which every reader has seen. The last change is always kept.
  func trimChanges(app: String, through sequence: Int64) async throws(StoreError)
}

/// Some consecutive changes of the log.
package struct DeviceChanges: Hashable, Sendable {
  /// The devices that changed.
  package var devices: DeviceNumbers
  /// The sequence number to continue after; the one that was asked for where nothing has changed.
  package var last: Int64

  package init(devices: DeviceNumbers, last: Int64) {
    self.devices = devices
    self.last = last
  }
}
