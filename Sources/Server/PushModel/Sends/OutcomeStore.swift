/// A push that is not sent yet.
package struct WaitingPush: Hashable, Sendable {
  /// The due time of the push's segment; `nil` if all of its devices are in batches.
  package var dueAt: Timestamp?
  /// The times in which nothing is sent to the device; `nil` if the send obeys no quiet hours.
  package var quiet: QuietWindows?

  /// The next attempt; `nil` if none has failed.
  package var retry: Retry?

  package init(dueAt: Timestamp?, quiet: QuietWindows?, retry: Retry? = nil) {
    (self.dueAt, self.quiet, self.retry) = (dueAt, quiet, retry)
  }
}

extension Outcome {
  /// The most outcomes in a page of ``OutcomeStore/outcomes(of:app:after:)``.
  package static let pageSize = 1000
}

/// What became of a send on one device.
package struct DeviceDelivery: Hashable, Sendable {
  /// The id of the send, and the number of the device.
  package var send: String
  package var device: UInt32
  /// The outcome; `nil` if only reports of the device are stored.
  package var outcome: Outcome?
  /// The device's reports, the earliest first.
  package var receipts: [Receipt] = []

  package init(send: String, device: UInt32) { (self.send, self.device) = (send, device) }
}

/// The outcomes of sends for single devices.
package protocol OutcomeStore: Sendable {
  /// The outcome for one device; `nil` if the device was not targeted or has no outcome yet.
  func outcome(
    of send: String, app: String, device number: UInt32
  ) async throws(StoreError) -> Outcome?
  /// The outcomes and reports of some sends on some devices, without sends that have neither on a device.
  func deliveries(
    of sends: [String], to devices: [Device], app: String
  ) async throws(StoreError) -> [DeviceDelivery]
  /// Whether a send was accepted for a device; `nil` if the send's devices are no longer stored.
  func isTargeted(
    _ device: UInt32, by send: String, app: String
  ) async throws(StoreError) -> Bool?
  /// The waiting push of a send to a device; `nil` if the send has no push for the device, or its devices are no
  /// longer stored.
  func waitingPush(
    to device: UInt32, of send: String, app: String
  ) async throws(StoreError) -> WaitingPush?
  /// A page of at most ``Outcome/pageSize`` outcomes, ordered by batch and device.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` if the cursor is not one of this list.
  func outcomes(
    of send: String, app: String, after cursor: String?
  ) async throws(StoreError) -> Page<Outcome>
  /// The devices for which APNs has accepted a send, or the sends of a campaign or a run.
  ///
  /// `id` is the id of a notification, of its message, of a campaign or of a run. `opened` keeps only the devices
  /// that opened it, or only those that did not; `nil` keeps both.
  ///
  /// - Returns: `nil` if the app has no send with the id.
  /// - Throws: ``StoreError/Code/conflict`` if the outcomes or receipts are no longer stored.
  func received(
    _ id: String, app: String, opened: Bool?
  ) async throws(StoreError) -> DeviceNumbers?
  /// The number of devices by result, status and reason.
  func reasons(of send: String, app: String) async throws(StoreError) -> [OutcomeReason: Int]
}
