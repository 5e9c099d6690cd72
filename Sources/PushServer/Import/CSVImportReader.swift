import PushPayload
import PushStore

/// A reader of devices from a CSV file whose first line names the columns.
struct CSVImportReader: ImportReader {
  private var reader = CSVReader()
  private var columns: [Column]?
  private var ids = IdentifierSequence()

  mutating func feed(_ piece: [UInt8]) { reader.feed(piece) }

  mutating func next() throws(APIError) -> ImportRow? {
    while let row = reader.next() {
      if let row = try importRow(row) { return row }
    }
    return nil
  }

  mutating func last() throws(APIError) -> ImportRow? {
    while let row = reader.last() {
      if let row = try importRow(row) { return row }
    }
    if columns == nil {
      throw APIError(422, "line 1: the file is empty; it must begin with a line of column names")
    }
    return nil
  }

  /// Returns the device of a row; `nil` for the header and for an empty line.
  private mutating func importRow(_ row: CSVReader.Row) throws(APIError) -> ImportRow? {
    guard let columns else {
      columns = try Self.columns(row.fields)
      return nil
    }
    if row.fields == [""] { return nil }
    return ImportRow(
      line: row.line,
      device: Result { () throws(APIError) in try Self.device(row.fields, columns, id: ids.next()) }
    )
  }

  private enum Column { case token, osName, userID, attribute(Attribute.Kind, String) }

  /// The values of `os_name`, by their lowercase spelling.
  private static let platforms = ["ios": "iOS", "android": "Android"]

  private static func columns(_ header: [String]) throws(APIError) -> [Column] {
    var columns: [Column] = []
    var names: Set<String> = []
    for name in header {
      guard names.insert(name).inserted else {
        throw APIError(422, "line 1: the column \"\(name.prefix(64))\" is given twice")
      }
      switch name {
      case "token": columns.append(.token)
      case "os_name": columns.append(.osName)
      case "user_id": columns.append(.userID)
      default:
        guard name.hasPrefix("custom."),
          case .attribute(let kind, let attribute) = Filter.Field(apiName: name)
        else {
          throw APIError(
            422,
            "line 1: \"\(name.prefix(64))\" is not a column; use token, os_name, user_id and"
              + " custom.<string|integer|float|date|boolean>.<name>")
        }
        columns.append(.attribute(kind, attribute))
      }
    }
    for needed in ["token", "os_name"] where !names.contains(needed) {
      throw APIError(422, "line 1: the column \(needed) is missing")
    }
    return columns
  }

  private static func device(
    _ fields: [String], _ columns: [Column], id: @autoclosure () -> String
  ) throws(APIError) -> ImportedDevice {
    guard fields.count == columns.count else {
      throw APIError(
        422, "the row has \(fields.count) fields, but the first line names \(columns.count)")
    }
    var patch = DevicePatch()
    var (token, osName) = ("", "")
    for (field, column) in zip(fields, columns) {
      switch column {
      case .token: token = field
      case .osName:
        guard let platform = platforms[field.lowercased()] else {
          throw APIError(422, "os_name must be iOS or Android")
        }
        osName = platform
        patch.platform = .set(platform)
      case .userID:
        guard field.unicodeScalars.count <= DevicePatchReader.textLimit else {
          throw APIError(422, "user_id must be at most 255 characters")
        }
        if !field.isEmpty { patch.userID = .set(field) }
      case .attribute(let kind, let name):
        if field.isEmpty { continue }
        guard let value = kind.reading(csv: field) else {
          throw APIError(422, "custom.\(kind.rawValue).\(name) must be a valid \(kind.rawValue)")
        }
        patch.attributes[name] = Attribute(kind: kind, value: value)
      }
    }
    guard let token = PushToken.normalized(token, platform: osName) else {
      throw APIError(
        422,
        PushToken.isOfFirebase(token)
          ? PushToken.firebaseAdvice : "token must be an even number of hex digits")
    }
    return ImportedDevice(id: id(), token: token, patch: patch)
  }
}

extension Attribute.Kind {
  /// Reads a field of this kind, within the limits of an update; `nil` where it is not valid.
  fileprivate func reading(csv text: String) -> JSONValue? {
    let value: JSONValue? =
      switch self {
      case .string, .date: .string(text)
      case .integer, .float: Double(text).map(JSONValue.number)
      case .boolean: ["true": .bool(true), "false": .bool(false)][text.lowercased()]
      }
    return value.flatMap { try? stored(BodyValue($0)) }
  }
}
