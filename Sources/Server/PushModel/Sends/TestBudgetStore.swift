/// The devices to which people have sent tests, by the hour.
package protocol TestBudgetStore: Sendable {
  /// Counts the devices of a test send toward the sender's budget for the hour.
  ///
  /// - Returns: `false` if the hour would have more than `limit` devices. They are not counted then.
  func useTestBudget(
    of actor: String, devices: Int, limit: Int, at now: Timestamp
  ) async throws(StoreError) -> Bool
}
