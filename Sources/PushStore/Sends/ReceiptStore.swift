/// What devices report about notifications.
package protocol ReceiptStore: Sendable {
  /// Takes receipts, each id of a device once, and counts them on their sends. Those that name no
  /// send or device of the app are dropped.
  ///
  /// - Returns: How many were new.
  @discardableResult
  func record(_ receipts: [Receipt], app: String, at now: Timestamp) async throws(StoreError) -> Int
  /// How many media failed for each reason.
  func mediaFailures(of send: String, app: String) async throws(StoreError) -> [String: Int]
  /// What one device reported of a send, in the order of its clock; the first hundred.
  func receipts(of send: String, device: Device, app: String) async throws(StoreError) -> [Receipt]
  /// What a send came to hour by hour, in order; hours in which nothing happened are left out.
  func hours(of send: String, app: String) async throws(StoreError) -> [SendHour]
  /// How often each event was credited to a send.
  func conversions(of send: String, app: String) async throws(StoreError) -> [String: Int]
}
