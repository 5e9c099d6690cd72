/// The receipts of devices, and their counts for each send.
package protocol ReceiptStore: Sendable {
  /// Stores receipts and counts them on their sends.
  ///
  /// The store ignores a receipt whose id the device has used for the send before, a receipt of a send that was not
  /// for the device, and those of an erased device.
  ///
  /// For `received`, `displayed` and `opened`, only the first receipt of a device and a send counts.
  ///
  /// - Returns: The number of receipts that were stored.
  @discardableResult
  func record(_ receipts: [Receipt], app: String, at now: Timestamp) async throws(StoreError) -> Int
  /// The counts of actions in a send's expanded notification; empty if the send does not exist.
  func templateCounts(of send: String, app: String) async throws(StoreError) -> TemplateCounts
  /// The number of media that failed, by reason.
  func mediaFailures(of send: String, app: String) async throws(StoreError) -> [String: Int]
  /// The first hundred receipts of one device for a send, in the order of the device's clock.
  func receipts(of send: String, device: Device, app: String) async throws(StoreError) -> [Receipt]
  /// The counts of a send by hour, without hours that have no counts.
  func hours(of send: String, app: String) async throws(StoreError) -> [SendHour]
  /// The number of events that are credited to a send, by the events' names.
  func conversions(of send: String, app: String) async throws(StoreError) -> [String: Int]
}
