import Foundation
package import PushPayload
package import PushStore

/// Brings devices in from a CSV file: `token`, `os_name`, `user_id`, `custom.<type>.<name>`.
package struct DeviceImport: Sendable {
  package struct Report: Sendable {
    package var accepted = 0
    package var rejected: [(line: Int, error: String)] = []

    package init() {}

    package var json: JSONValue {
      [
        "accepted": .integer(Int64(accepted)),
        "rejected": .array(
          rejected.map { ["line": .integer(Int64($0.line)), "error": .string($0.error)] }),
      ]
    }
  }

  /// How many rows one transaction takes: enough to share pages of the indices, few enough that other
  /// writers wait no longer than some tenths of a second.
  private static let chunk = 5000

  let store: any PushStore
  let app: String
  let now: Timestamp

  package init(store: any PushStore, app: String, now: Timestamp) {
    self.store = store
    self.app = app
    self.now = now
  }

  /// Imports a whole file; rows that are wrong are reported and the others taken.
  ///
  /// `progress` is called with the bytes read so far.
  package func run(
    _ bytes: [UInt8], progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> Report {
    var rows = CSVReader(bytes)
    guard let header = rows.next() else { throw APIError(422, "line 1: the file is empty") }
    let columns = try Self.columns(header.fields)
    var report = Report()
    var waiting: [ImportedDevice] = []
    var seen: [String: Int] = [:]
    while let row = rows.next() {
      if row.fields == [""] { continue }
      switch Self.device(row.fields, columns) {
      case .failure(let problem): report.rejected.append((row.line, problem.message))
      case .success(let device):
        if let first = seen.updateValue(row.line, forKey: device.token) {
          seen[device.token] = first
          report.rejected.append((row.line, "the token stands on line \(first), which counts"))
          continue
        }
        waiting.append(device)
        report.accepted += 1
      }
      if waiting.count == Self.chunk {
        try await store.importDevices(waiting, app: app, at: now)
        waiting.removeAll(keepingCapacity: true)
        progress(rows.position)
      }
    }
    try await store.importDevices(waiting, app: app, at: now)
    progress(bytes.count)
    return report
  }

  /// One device a line, each as an update has it, with `push_token`.
  package static let linesType = "application/x-ndjson"

  /// Imports newline-delimited JSON; lines that are wrong are reported and the others taken.
  package func run(lines bytes: [UInt8]) async throws -> Report {
    var report = Report()
    var waiting: [ImportedDevice] = []
    var seen: [String: Int] = [:]
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
      do throws(APIError) {
        let device = try Self.device(line: line)
        if let first = seen[device.token] {
          throw APIError(422, "the token stands on line \(first), which counts")
        }
        seen[device.token] = index + 1
        waiting.append(device)
        report.accepted += 1
      } catch {
        report.rejected.append((index + 1, error.message))
      }
      if waiting.count == Self.chunk {
        try await store.importDevices(waiting, app: app, at: now)
        waiting.removeAll(keepingCapacity: true)
      }
    }
    try await store.importDevices(waiting, app: app, at: now)
    return report
  }

  private static func device(line: ArraySlice<UInt8>) throws(APIError) -> ImportedDevice {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: Data(line))
    } catch {
      throw APIError(400, "the line is \(error.message)")
    }
    let reader = try DevicePatchReader(BodyValue(value))
    // A line is taken whole or not at all, so that its report says all.
    if let problem = reader.problems.first { throw APIError(422, problem) }
    guard case .set(let token?) = reader.patch.token else { throw .missing("$.push_token") }
    return ImportedDevice(id: Identifiers.object(), token: token, patch: reader.patch)
  }

  private enum Column { case token, osName, userID, attribute(Attribute.Kind, String) }

  private struct Problem: Error { var message: String }

  private static func columns(_ header: [String]) throws(APIError) -> [Column] {
    var columns: [Column] = []
    var names: Set<String> = []
    for name in header {
      guard names.insert(name).inserted else {
        throw APIError(422, "line 1: the column \"\(name.prefix(64))\" stands twice")
      }
      switch name {
      case "token": columns.append(.token)
      case "os_name": columns.append(.osName)
      case "user_id": columns.append(.userID)
      default:
        guard case .attribute(let kind, let attribute) = Filter.Field(apiName: name) else {
          throw APIError(
            422,
            "line 1: \"\(name.prefix(64))\" is no column; they are token, os_name, user_id and"
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
    _ fields: [String], _ columns: [Column]
  ) -> Result<ImportedDevice, Problem> {
    guard fields.count == columns.count else {
      return .failure(Problem(message: "has \(fields.count) fields, not \(columns.count)"))
    }
    var patch = DevicePatch()
    var token: String?
    for (field, column) in zip(fields, columns) {
      switch column {
      case .token: token = PushToken.normalized(field)
      case .osName:
        guard ["iOS", "Android"].contains(field) else {
          return .failure(Problem(message: "os_name must be iOS or Android"))
        }
        patch.platform = .set(field)
      case .userID:
        guard field.unicodeScalars.count <= DevicePatchReader.textLimit else {
          return .failure(Problem(message: "user_id is longer than 255 characters"))
        }
        if !field.isEmpty { patch.userID = .set(field) }
      case .attribute(let kind, let name):
        if field.isEmpty { continue }
        guard let value = kind.reading(csv: field) else {
          return .failure(
            Problem(message: "custom.\(kind.rawValue).\(name) is no \(kind.rawValue)"))
        }
        patch.attributes[name] = Attribute(kind: kind, value: value)
      }
    }
    guard let token else {
      return .failure(Problem(message: "token must be an even number of hex digits"))
    }
    return .success(ImportedDevice(id: Identifiers.object(), token: token, patch: patch))
  }
}

extension Attribute.Kind {
  /// A cell of this kind, within the limits of an update.
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
