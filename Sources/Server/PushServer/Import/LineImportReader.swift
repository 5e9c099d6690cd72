import PushModel
import PushPayload

/// A reader of newline-delimited JSON; each line has a device as in an update, with a `push_token`.
struct LineImportReader: ImportReader {
  /// The longest line in bytes, which is the limit of an update's body.
  static let lineLimit = 1 << 20

  private var bytes: [UInt8] = []
  private var position = 0
  private var line = 0
  private var ids = IdentifierSequence()
  /// Whether a non-empty line was read.
  private var hasLines = false
  let skippedCount = 0
  /// Whether the current line exceeds the limit, so that the rest of it is dropped.
  private var isTooLong = false

  mutating func feed(_ piece: [UInt8]) {
    bytes.removeFirst(position)
    position = 0
    bytes += piece
  }

  mutating func next() throws(RequestError) -> ImportRow? {
    while let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
      let content = bytes[position..<end]
      position = end + 1
      if let row = importRow(content) { return row }
    }
    if bytes.count - position > Self.lineLimit {
      isTooLong = true
      position = bytes.count
    }
    return nil
  }

  mutating func last() throws(RequestError) -> ImportRow? {
    if let row = try next() { return row }
    let content = bytes[position...]
    position = bytes.count
    if let row = importRow(content) { return row }
    guard hasLines else {
      throw RequestError(
        .invalid, "the file is empty; write one device in each line, as JSON with push_token")
    }
    return nil
  }

  /// Returns the device of a line; `nil` if the line is blank.
  private mutating func importRow(_ content: ArraySlice<UInt8>) -> ImportRow? {
    line += 1
    let isTooLong = isTooLong || content.count > Self.lineLimit
    self.isTooLong = false
    if isTooLong {
      hasLines = true
      let problem = RequestError(.invalid, "the line is longer than \(Self.lineLimit) bytes")
      return ImportRow(line: line, refused: problem)
    }
    if content.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return nil }
    hasLines = true
    return ImportRow(line: line) { () throws(RequestError) in
      try Self.device(content, id: ids.next())
    }
  }

  private static func device(
    _ line: ArraySlice<UInt8>, id: @autoclosure () -> String
  ) throws(RequestError) -> (ImportedDevice, losses: [String]) {
    let value = try BodyValue(parsing: Array(line), as: "the line")
    let reader = try DevicePatchReader(value)
    let losses = try reader.losses()
    guard case .set(let token?) = reader.patch.token else { throw .missing("$.push_token") }
    guard let name = value["id"] else {
      return (ImportedDevice(id: id(), token: token, patch: reader.patch), losses)
    }
    guard DeviceID.isValid(try name.string()) else {
      throw .refused(name.path, "must be \(DeviceID.form)")
    }
    var device = ImportedDevice(id: try name.string(), token: token, patch: reader.patch)
    device.isNamed = true
    return (device, losses)
  }
}
