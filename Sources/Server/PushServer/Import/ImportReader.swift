import PushPayload
import PushStore

/// An incremental reader of devices from a file.
protocol ImportReader {
  /// How many rows were skipped, since they have only separators.
  var skippedCount: Int { get }
  /// Appends the next piece of the file, after ``next()`` has returned `nil`.
  mutating func feed(_ piece: [UInt8])
  /// Returns the next complete row; `nil` where more bytes are needed.
  ///
  /// - Throws: ``APIError`` where the file as a whole is not valid.
  mutating func next() throws(APIError) -> ImportRow?
  /// Returns the last row of the file, after every piece was appended; `nil` where there is none.
  mutating func last() throws(APIError) -> ImportRow?
}

/// A row of the file: its line, and the device or the reason why it is rejected.
struct ImportRow {
  var line: Int
  var device: Result<ImportedDevice, APIError>
  /// What of the row is not imported, each with the reason.
  var losses: [String] = []

  init(line: Int, _ read: () throws(APIError) -> (ImportedDevice, losses: [String])) {
    self.line = line
    do throws(APIError) {
      let (device, losses) = try read()
      self.device = .success(device)
      self.losses = losses
    } catch { device = .failure(error) }
  }

  init(line: Int, refused error: APIError) {
    self.line = line
    device = .failure(error)
  }
}

extension DevicePatchReader {
  /// What an import loses of a device, each with the reason.
  ///
  /// - Throws: ``APIError`` 422 where a member was dropped that decides whether, or by which host, a push reaches the
  ///   device: without it, the device could get pushes that it must not get.
  func losses() throws(APIError) -> [String] {
    let deciding: Set = [
      "$.push_token", "$.platform", "$.push_enabled", "$.push_quiet", "$.development",
    ]
    if let problem = dropped.first(where: { deciding.contains($0.path) }) {
      throw APIError(422, problem.text)
    }
    return dropped.map { "\($0.path), which \($0.reason)" }
  }
}
