import PushModel
import PushPayload

/// An incremental reader of devices from a file.
protocol ImportReader {
  /// The number of rows that were skipped because they have only separators.
  var skippedCount: Int { get }
  /// Appends the next piece of the file after ``next()`` has returned `nil`.
  mutating func feed(_ piece: [UInt8])
  /// Returns the next complete row; `nil` if more bytes are needed.
  ///
  /// - Throws: ``RequestError`` if the file as a whole is not valid.
  mutating func next() throws(RequestError) -> ImportRow?
  /// Returns the last row of the file after every piece was appended; `nil` if no row is left.
  mutating func last() throws(RequestError) -> ImportRow?
}

/// A row of the file: its line, and the device or the reason for its rejection.
struct ImportRow {
  var line: Int
  var device: Result<ImportedDevice, RequestError>
  /// The parts of the row that are not imported, each with the reason.
  var losses: [String] = []
  /// The fields of the row of a CSV file.
  var fields: [String] = []

  init(line: Int, _ read: () throws(RequestError) -> (ImportedDevice, losses: [String])) {
    self.line = line
    do throws(RequestError) {
      let (device, losses) = try read()
      self.device = .success(device)
      self.losses = losses
    } catch { device = .failure(error) }
  }

  init(line: Int, refused error: RequestError, fields: [String] = []) {
    self.line = line
    device = .failure(error)
    self.fields = fields
  }
}

extension DevicePatchReader {
  /// The parts of a device that an import drops, each with the reason.
  ///
  /// - Throws: ``RequestError`` `.invalid` if a dropped member decides whether, or by which host, a push reaches the device.
  ///   Without it, the device could get pushes that it must not get.
  func losses() throws(RequestError) -> [String] {
    let deciding: Set = [
      "$.push_token", "$.platform", "$.push_enabled", "$.push_quiet", "$.development",
    ]
    if let problem = dropped.first(where: { deciding.contains($0.path) }) {
      throw RequestError(.invalid, problem.text)
    }
    return dropped.map { "\($0.path), which \($0.reason)" }
  }
}
