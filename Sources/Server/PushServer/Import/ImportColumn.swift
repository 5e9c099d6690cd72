import Foundation
import PushModel
import PushPayload

/// A column of a CSV file of devices.
enum ImportColumn: Hashable, Sendable {
  case token, osName, userID, userEmail, id, locale, timeZone, tags, pushEnabled, location
  case attribute(Attribute.Kind, String)

  /// The columns other than attributes that a file may have, by name.
  private static let named: [(name: String, column: ImportColumn)] = [
    ("token", .token), ("os_name", .osName), ("user_id", .userID),
    ("user_email", .userEmail), ("id", .id), ("locale", .locale), ("language", .locale),
    ("time_zone", .timeZone), ("tags", .tags),
    ("push_enabled", .pushEnabled), ("location", .location),
  ]

  /// The column's name in error messages.
  var name: String {
    switch self {
    case .token: "token"
    case .osName: "os_name"
    case .userID: "user_id"
    case .userEmail: "user_email"
    case .id: "id"
    case .locale: "locale"
    case .timeZone: "time_zone"
    case .tags: "tags"
    case .pushEnabled: "push_enabled"
    case .location: "location"
    case .attribute(let kind, let name): "custom.\(kind.rawValue).\(name)"
    }
  }

  /// Reads the first line of a file.
  ///
  /// - Throws: ``RequestError`` `.invalid` if a column is unknown, is given twice or is missing.
  static func columns(_ header: [String]) throws(RequestError) -> [ImportColumn] {
    var columns: [ImportColumn] = []
    var names: Set<String> = []
    for name in header {
      let column = try column(named: name)
      guard names.insert(column.name).inserted else {
        throw RequestError(.invalid, "line 1: the column \"\(name.prefix(64))\" is given twice")
      }
      columns.append(column)
    }
    for needed in ["token", "os_name"] where !names.contains(needed) {
      throw RequestError(.invalid, "line 1: the column \(needed) is missing")
    }
    return columns
  }

  /// The column with a name; `nil` if the name is not one of a column.
  init?(name: String) {
    if let known = Self.named.first(where: { $0.name == name }) {
      self = known.column
      return
    }
    guard name.hasPrefix("custom."),
      case .attribute(let kind, let attribute) = Filter.Field(apiName: name)
    else { return nil }
    self = .attribute(kind, attribute)
  }

  private static func column(named name: String) throws(RequestError) -> ImportColumn {
    guard let column = ImportColumn(name: name) else {
      throw RequestError(
        .invalid,
        "line 1: \"\(name.prefix(64))\" is not a column; use \(named.map(\.name).joined(separator: ", "))"
          + " and custom.<string|integer|float|date|boolean>.<name>")
    }
    return column
  }

  /// The platform for a value of `os_name`, in any letter case.
  static func platform(_ text: String) throws(RequestError) -> String {
    guard let platform = ["ios": "iOS", "android": "Android"][text.lowercased()] else {
      throw RequestError(.invalid, "os_name must be iOS or Android")
    }
    return platform
  }

  /// Reads a cell that the device can be imported without.
  ///
  /// - Returns: The reason why the cell is lost, which follows the column's name; `nil` if the patch has its value.
  func read(_ text: String, into patch: inout DevicePatch) -> String? {
    switch self {
    case .userID:
      if CSVCell.isRounded(text) { return CSVCell.roundedAdvice }
      guard text.unicodeScalars.count <= DevicePatchReader.textLimit else { return Self.tooLong }
      patch.userID = .set(text)
    case .userEmail: return Self.read(["user_email": .string(text)], into: &patch)
    case .locale:
      guard text.unicodeScalars.count <= DevicePatchReader.textLimit else { return Self.tooLong }
      patch.locale = .set(text)
    case .timeZone:
      guard let zone = DeviceTimeZone.normalized(text) else {
        return "must be \(DeviceTimeZone.form)"
      }
      patch.timeZone = .set(zone)
    case .tags: return Self.readTags(text, into: &patch)
    case .location: return Self.readLocation(text, into: &patch)
    case .attribute(let kind, let name):
      if [.string, .integer].contains(kind), CSVCell.isRounded(text) {
        return CSVCell.roundedAdvice
      }
      guard let value = kind.reading(csv: text) else { return "must be a valid \(kind.rawValue)" }
      patch.attributes[name] = Attribute(kind: kind, value: value)
    case .token, .osName, .id, .pushEnabled: break
    }
    return nil
  }

  private static let tooLong = "must be at most \(DevicePatchReader.textLimit) characters"

  /// Reads tags that are separated by `|`, as an export writes them, or that are a JSON array.
  private static func readTags(_ text: String, into patch: inout DevicePatch) -> String? {
    var value = JSONValue.array(
      text.split(separator: "|").map { .string($0.trimmingCharacters(in: .whitespaces)) })
    if text.hasPrefix("[") {
      guard let parsed = try? BodyValue(parsing: Array(text.utf8), as: "the cell").value,
        parsed.array != nil
      else { return "must be tags with a | between them, or a JSON array" }
      value = parsed
    }
    return read(["tags": value], into: &patch)
  }

  /// Reads a latitude and a longitude that are separated by a comma.
  private static func readLocation(_ text: String, into patch: inout DevicePatch) -> String? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.count == 2, Double(decimal: parts[0]) != nil, Double(decimal: parts[1]) != nil
    else {
      return "must be a latitude and a longitude with a comma between them, in quotation marks"
    }
    return read(
      ["location": ["gps": ["lat": .string(parts[0]), "lng": .string(parts[1])]]], into: &patch)
  }

  /// Reads a member in the form of an update.
  private static func read(_ member: JSONValue, into patch: inout DevicePatch) -> String? {
    do throws(RequestError) {
      let read = try DevicePatchReader(BodyValue(member)).patch
      if case .set = read.tags { patch.tags = read.tags }
      if case .set = read.location { patch.location = read.location }
      if case .set = read.userEmail { patch.userEmail = read.userEmail }
      return nil
    } catch { return "is refused: \(error.message)" }
  }
}

extension Attribute.Kind {
  /// Reads a cell of this kind within the limits of an update; `nil` if it is not valid.
  fileprivate func reading(csv text: String) -> JSONValue? {
    let value: JSONValue? =
      switch self {
      case .string, .date: .string(text)
      case .integer, .float: .decimal(text)
      case .boolean: ["true": .bool(true), "false": .bool(false)][text.lowercased()]
      }
    return value.flatMap { try? stored(BodyValue($0)) }
  }
}
