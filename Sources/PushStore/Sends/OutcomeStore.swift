/// The outcomes of sends for single devices.
package protocol OutcomeStore: Sendable {
  /// The outcome for one device; `nil` where it was not targeted or has no outcome yet.
  func outcome(
    of send: String, app: String, device number: UInt32
  ) async throws(StoreError) -> Outcome?
  /// A page of at most ``Batch/limit`` outcomes, ordered by batch and device.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor`` where the cursor is not one of this list.
  func outcomes(
    of send: String, app: String, after cursor: String?
  ) async throws(StoreError) -> Page<Outcome>
  /// The number of devices by result, status and reason.
  func reasons(of send: String, app: String) async throws(StoreError) -> [OutcomeReason: Int]
}
