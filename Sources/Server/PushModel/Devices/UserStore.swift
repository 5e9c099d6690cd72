/// Users: the people who have devices, by the id that an app gives them.
package protocol UserStore: Sendable {
  /// The devices of a user, in the order in which they registered.
  func devices(ofUser id: String, app: String, limit: Int) async throws(StoreError) -> [Device]
  /// The first devices of each of some users, by the ids of those that have devices.
  func devices(
    ofUsers ids: [String], app: String, limit: Int
  ) async throws(StoreError) -> [String: [Device]]
  /// The devices whose user's id begins with a text, in the order of these ids.
  func devices(app: String, userPrefix: String, limit: Int) async throws(StoreError) -> [Device]
  /// Merges attributes into every device of a user; an attribute with the value `nil` is removed.
  ///
  /// - Returns: The number of the user's devices.
  @discardableResult
  func update(
    user id: String, app: String, attributes: [String: Attribute?], at now: Timestamp
  ) async throws(StoreError) -> Int
  /// Counts events on every device of a user, and each event once on the send that it is credited to.
  ///
  /// - Returns: The number of the user's devices.
  @discardableResult
  func record(
    _ events: [DeviceEvent], user id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Int
}
