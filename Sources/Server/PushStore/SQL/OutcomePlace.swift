import PushPayload

/// The end of a page of outcomes: the end of a batch, or a device in it that is not its last.
struct OutcomePlace {
  var batch: Int64
  var device: UInt32?

  init(batch: Int64, device: UInt32? = nil) { (self.batch, self.device) = (batch, device) }

  /// Reads a cursor; `nil` if it is not a cursor of this list.
  init?(_ cursor: String) {
    let parts = cursor.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 2, let batch = parts.first.flatMap({ Int64($0) }) else { return nil }
    self.batch = batch
    guard parts.count == 2 else { return }
    guard let device = UInt32(parts[1]) else { return nil }
    self.device = device
  }

  var cursor: String { device.map { "\(batch)-\($0)" } ?? "\(batch)" }
}
