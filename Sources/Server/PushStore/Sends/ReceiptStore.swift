/// The receipts of devices, and what they add up to for each send.
package protocol ReceiptStore: Sendable {
  /// Stores receipts and counts them on their sends; a repeated id of a device and a send is
  /// ignored, as is a receipt of a send that was not for the device.
  ///
  /// Of the events `received`, `displayed` and `opened` the first receipt of a device and a send is
  /// counted.
  ///
  /// - Returns: The number of receipts that were stored.
  @discardableResult
  func record(_ receipts: [Receipt], app: String, at now: Timestamp) async throws(StoreError) -> Int
  /// What people did with a send's expanded notification; empty where there is no such send.
  func templateCounts(of send: String, app: String) async throws(StoreError) -> TemplateCounts
  /// The number of media that failed, by reason.
  func mediaFailures(of send: String, app: String) async throws(StoreError) -> [String: Int]
  /// The first hundred receipts of one device for a send, in the order of the device's clock.
  func receipts(of send: String, device: Device, app: String) async throws(StoreError) -> [Receipt]
  /// The counts of a send hour by hour; hours without counts are left out.
  func hours(of send: String, app: String) async throws(StoreError) -> [SendHour]
  /// The number of events that are credited to a send, by their names.
  func conversions(of send: String, app: String) async throws(StoreError) -> [String: Int]
}
