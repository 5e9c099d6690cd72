/// What became of the receipts that waited.
public struct ReceiptReport: Hashable, Sendable {
  /// A receipt that will not be sent again.
  public struct Dropped: Hashable, Sendable {
    /// The receipt.
    public var id: Receipt.ID
    /// The status that the server answered.
    public var status: Int
  }

  /// How many the server has taken.
  public var sent = 0
  /// Those that the server will never take, in the order of the attempts.
  public var dropped: [Dropped] = []
  /// How many of those that were to be sent wait for the next time.
  public var kept = 0
  /// Why some are kept or dropped, in words; `nil` where all were sent.
  public var note: String?

  /// Nothing waited.
  public init() {}
}
