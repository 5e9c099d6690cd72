/// Users: the people behind devices, by the id an app gives them.
package protocol UserStore: Sendable {
  /// Merges attributes into every device of a user; returns how many those are.
  @discardableResult
  func update(
    user id: String, app: String, attributes: [String: Attribute?], at now: Timestamp
  ) async throws(StoreError) -> Int
  /// Credits events to every device of a user; returns how many those are.
  @discardableResult
  func record(
    _ events: [DeviceEvent], user id: String, app: String, at now: Timestamp
  ) async throws(StoreError) -> Int
}
