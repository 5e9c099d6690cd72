import PushPayload
import PushStore

/// Devices of newline-delimited JSON: one a line, each as an update has it, with `push_token`.
struct LineImportReader: ImportReader {
  /// As long as the body of an update may be.
  static let lineLimit = 1 << 20

  private var bytes: [UInt8] = []
  private var position = 0
  private var line = 0
  private var ids = IdentifierSequence()
  /// Whether the line under way is too long; its rest is read and forgotten.
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
      if let row = take(content) { return row }
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
    return take(content)
  }

  /// `nil` for an empty line.
  private mutating func take(_ content: ArraySlice<UInt8>) -> ImportRow? {
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
      value = try JSONValue(parsing: Array(line))
    } catch {
      throw APIError(400, "the line is \(error.message)")
    }
    let reader = try DevicePatchReader(BodyValue(value))
    // A line is taken whole or not at all, so that its report says all.
    if let problem = reader.problems.first { throw APIError(422, problem) }
    guard case .set(let token?) = reader.patch.token else { throw .missing("$.push_token") }
    guard let name = BodyValue(value)["id"] else {
      return ImportedDevice(id: id(), token: token, patch: reader.patch)
    }
    guard DeviceRoutes.isDeviceID(try name.string()) else {
      throw .refused(name.path, "must be 1 to 64 letters, digits, hyphens and underscores")
    }
    var device = ImportedDevice(id: try name.string(), token: token, patch: reader.patch)
    device.isNamed = true
    return device
  }
}
