/// A push that is not sent yet.
package struct WaitingPush: Hashable, Sendable {
  /// When the devices that are due with it are; `nil` where all of them are being sent to.
  package var dueAt: Timestamp?
  /// When nothing is sent to the device; `nil` where there are no such times.
  package var quiet: QuietWindows?

  package init(dueAt: Timestamp?, quiet: QuietWindows?) {
    (self.dueAt, self.quiet) = (dueAt, quiet)
  }
}

extension Outcome {
  /// The most outcomes in a page of ``OutcomeStore/outcomes(of:app:after:)``.
  static let pageSize = 1000
}

/// The outcomes of sends for single devices.
package protocol OutcomeStore: Sendable {
  /// The outcome for one device; `nil` where it was not targeted or has no outcome yet.
  func outcome(
    of send: String, app: String, device number: UInt32
  ) async throws(StoreError) -> Outcome?
  /// Whether a device is one of those that a send was accepted for; `nil` where that is not stored any
  /// more.
  func isTargeted(
    _ device: UInt32, by send: String, app: String
  ) async throws(StoreError) -> Bool?
  /// When the push of a send to a device is due; `nil` where it has none, or none that waits.
  func waitingPush(
    to device: UInt32, of send: String, app: String
  ) async throws(StoreError) -> WaitingPush?
  /// A page of at most ``Outcome/pageSize`` outcomes, ordered by batch and device.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func outcomes(
    of send: String, app: String, after cursor: String?
  ) async throws(StoreError) -> Page<Outcome>
  /// The devices for which APNs has accepted a send, or the sends of a campaign or of its run.
  ///
  /// `id` is the id of a notification, of its message, of a campaign or of a run. `opened` keeps
  /// the devices that opened it, or those that did not; `nil` keeps both.
  ///
  /// - Returns: `nil` where the app has nothing with the id that was sent.
  /// - Throws: ``StoreError/Code/conflict`` where the outcomes or receipts are no longer stored.
  func received(
    _ id: String, app: String, opened: Bool?
  ) async throws(StoreError) -> DeviceNumbers?
  /// The number of devices by result, status and reason.
  func reasons(of send: String, app: String) async throws(StoreError) -> [OutcomeReason: Int]
}
