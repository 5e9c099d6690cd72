/// Devices by their numbers, and the log of their changes, from which an index is built.
package protocol DeviceLog: Sendable {
  /// Up to `limit` devices with numbers above `number`, in the order of their numbers, including erased ones.
  func devices(
    app: String, above number: UInt32?, limit: Int
  ) async throws(StoreError) -> [Device]
  /// The devices with some numbers, in the order of their numbers.
  func devices(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [Device]
  /// The sequence number of the last change.
  ///
  /// Read it before a scan of the devices: after the scan, ``changes(app:after:limit:)`` continues from it.
  func lastChange(app: String) async throws(StoreError) -> Int64
  /// The sequence number of every app's last change, by the app's id; 0 if an app has no change.
  func lastChanges() async throws(StoreError) -> [String: Int64]
  /// The changes after a sequence number; a change that is added later never precedes a change that was read.
  ///
  /// - Returns: `nil` if changes after `sequence` were trimmed. The devices must then be scanned again.
  func changes(
    app: String, after sequence: Int64, limit: Int
  ) async throws(StoreError) -> DeviceChanges?
  /// Removes the changes up to a sequence number that every reader has seen. The last change is always kept.
  func trimChanges(app: String, through sequence: Int64) async throws(StoreError)
}

/// A number of consecutive changes of the log.
package struct DeviceChanges: Hashable, Sendable {
  /// The devices that changed.
  package var devices: DeviceNumbers
  /// The sequence number to continue after; if nothing has changed, it is the number that was passed.
  package var last: Int64

  package init(devices: DeviceNumbers, last: Int64) {
    self.devices = devices
    self.last = last
  }
}
