/// The Live Activities that the server keeps.
package protocol KeeperStore: Sendable {
  /// A kept activity; `nil` if the app has none with the id.
  func keptActivity(_ id: String, app: String) async throws(StoreError) -> KeptActivity?
  /// The kept activities that are due, by their apps and ids, the longest due first.
  func dueKeepers(
    at now: Timestamp, limit: Int
  ) async throws(StoreError) -> [(app: String, id: String)]
  /// The tokens of the phones of a kept activity, and of all phones with a token of it, and who of them was erased.
  func sights(
    of kept: KeptActivity, adding devices: DeviceNumbers
  ) async throws(StoreError) -> [UInt32: KeptPhone.Sight]
  /// What phones have spent of their budgets.
  func budgets(
    of devices: DeviceNumbers, app: String, at now: Timestamp
  ) async throws(StoreError) -> [UInt32: PhoneBudget]
  /// Makes a kept activity due at no time, because it cannot be read.
  func stopKeeper(_ id: String, app: String) async throws(StoreError)
  /// Stores a change of a kept activity with its sends.
  ///
  /// - Returns: `false` if the activity has changed meanwhile, and nothing was stored.
  func store(_ change: KeeperChange, at now: Timestamp) async throws(StoreError) -> Bool
}
