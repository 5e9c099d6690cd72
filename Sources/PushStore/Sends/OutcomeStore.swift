/// What became of a send's devices.
package protocol OutcomeStore: Sendable {
  /// `nil` where the device was not targeted or has no outcome yet.
  func outcome(
    of send: String, app: String, device number: UInt32
  ) async throws(StoreError) -> Outcome?
  /// A page of outcomes, at most ``Batch/limit`` of them, ordered by batch and device.
  ///
  /// - Throws: ``StoreError/Code/expiredCursor``.
  func outcomes(
    of send: String, app: String, after cursor: String?
  ) async throws(StoreError) -> Page<Outcome>
  /// How many devices had each end.
  func reasons(of send: String, app: String) async throws(StoreError) -> [OutcomeReason: Int]
}
