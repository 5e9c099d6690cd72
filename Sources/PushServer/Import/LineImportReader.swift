import PushPayload
import PushStore

/// A reader of devices from newline-delimited JSON: one in each line, as in an update, with
/// `push_token`.
struct LineImportReader: ImportReader {
  /// The longest line in bytes, which is the limit of an update's body.
  static let lineLimit = 1 << 20

  private var bytes: [UInt8] = []
  private var position = 0
  private var line = 0
  private var ids = IdentifierSequence()
  /// Whether the current line exceeds the limit; the rest of it is dropped.
  private var isTooLong = false

  mutating func feed(_ piece: [UInt8]) {
    bytes.removeFirst(position)
    position = 0
    bytes += piece
  }

  mutating func next() throws(APIError) -> ImportRow? {
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

  mutating func last() throws(APIError) -> ImportRow? {
    if let row = try next() { return row }
    let content = bytes[position...]
    position = bytes.count
    return importRow(content)
  }

  /// Returns the device of a line; `nil` for an empty line.
  private mutating func importRow(_ content: ArraySlice<UInt8>) -> ImportRow? {
    line += 1
    let isTooLong = isTooLong || content.count > Self.lineLimit
    self.isTooLong = false
    if isTooLong {
      let problem = APIError(422, "the line is longer than \(Self.lineLimit) bytes")
      return ImportRow(line: line, device: .failure(problem))
    }
    if content.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return nil }
    return ImportRow(
      line: line, device: Result { () throws(APIError) in try Self.device(content, id: ids.next()) }
    )
  }

  private static func device(
    _ line: ArraySlice<UInt8>, id: @autoclosure () -> String
  ) throws(APIError) -> ImportedDevice {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: Array(line), refusingRepeatedKeys: true)
    } catch {
      throw APIError(400, "the line is \(error.message)")
    }
    let reader = try DevicePatchReader(BodyValue(value))
    // A line with any problem is rejected as a whole, so that the report is complete.
    if let problem = reader.dropped.first { throw APIError(422, problem.text) }
    guard case .set(let token?) = reader.patch.token else { throw .missing("$.push_token") }
    guard let name = BodyValue(value)["id"] else {
      return ImportedDevice(id: id(), token: token, patch: reader.patch)
    }
    guard DeviceID.isValid(try name.string()) else {
      throw .refused(name.path, "must be \(DeviceID.form)")
    }
    var device = ImportedDevice(id: try name.string(), token: token, patch: reader.patch)
    device.isNamed = true
    return device
  }
}
