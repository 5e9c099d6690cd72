/// The result of sending a queue of receipts.
public struct ReceiptReport: Hashable, Sendable {
  /// A receipt that the server refused for good.
  public struct Dropped: Hashable, Sendable {
    /// The receipt's identifier.
    public var id: Receipt.ID
    /// The HTTP status of the server's response.
    public var status: Int
  }

  /// The number of receipts that the server accepted.
  public var sent = 0
  /// The receipts that were removed because the server refused them for good.
  public var dropped: [Dropped] = []
  /// The number of receipts that stay in the queue.
  public var kept = 0
  /// The reason why receipts were kept or dropped; `nil` if all were sent.
  public var note: String?

  /// Creates the report of an empty queue.
  public init() {}
}
