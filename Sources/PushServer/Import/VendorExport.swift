import PushPayload

/// The export of another push service, which becomes newline-delimited JSON that ``DeviceImport`` reads.
///
/// Devices that have no APNs token are rejected here, with the reason. What the import rejects of the
/// rest, ``located(_:)`` names by the lines of the export.
package struct VendorExport: Sendable {
  /// A service whose export is read.
  package enum Vendor: String, CaseIterable, Sendable {
    /// The CSV of OneSignal's `POST /players/csv_export`.
    ///
    /// Source: documentation.onesignal.com/reference/csv-export.
    case oneSignal = "onesignal"
    /// The pages of Airship's `GET /api/channels`, one JSON document after the other.
    ///
    /// Source: docs.airship.com/developer/rest-api/ua/schemas/channels.
    case airship
  }

  /// Where the export has a device, as its reader can find it.
  private struct Place {
    var line: Int
    /// The id that its service gave it, or its number, where a line may have several devices.
    var channel: String?

    func rejection(_ error: String) -> (line: Int, error: String) {
      (line, channel.map { "channel \($0): \(error)" } ?? error)
    }
  }

  /// The devices, one a line.
  package private(set) var lines: [UInt8] = []
  /// The devices that are not imported, by the line of the export.
  package private(set) var rejected: [(line: Int, error: String)] = []
  /// The place of the device of each written line.
  private var places: [Place] = []
  /// The place of each token, by the token in lower case.
  private var tokens: [String: Place] = [:]

  /// Reads an export.
  ///
  /// - Throws: ``APIError`` where the file as a whole is not such an export.
  package init(_ bytes: [UInt8], of vendor: Vendor) throws {
    switch vendor {
    case .oneSignal: try readOneSignal(bytes)
    case .airship: try readAirship(bytes)
    }
  }

  /// The lines of the export for those of ``lines``.
  package func located(
    _ rejected: [(line: Int, error: String)]
  ) -> [(line: Int, error: String)] {
    rejected.map { row in
      places.indices.contains(row.line - 1)
        ? places[row.line - 1].rejection(row.error) : row
    }
  }

  /// Writes a device, unless there is one with its token already.
  private mutating func add(
    _ token: String, _ members: [String: JSONValue?], at place: Place
  ) {
    // The import would name the first one by its own lines.
    let first = tokens[token.lowercased()]
    if let first {
      let owner = first.channel.map { ", of channel \($0)" } ?? ""
      return reject(place, "the token is on line \(first.line) already\(owner)")
    }
    tokens[token.lowercased()] = place
    var device = members.compactMapValues(\.self)
    device["push_token"] = .string(token)
    device["platform"] = "iOS"
    lines += JSONValue.object(device).serialized()
    lines.append(UInt8(ascii: "\n"))
    places.append(place)
  }

  private mutating func reject(_ place: Place, _ error: String) {
    rejected.append(place.rejection(error))
  }

  private static func text(_ value: String?) -> JSONValue? {
    guard let value, !value.isEmpty, value != "NULL" else { return nil }
    return .string(value)
  }
}

// MARK: OneSignal

extension VendorExport {
  private mutating func readOneSignal(_ bytes: [UInt8]) throws {
    if bytes.starts(with: [0x1f, 0x8b]) {
      throw APIError(422, "the export is compressed; unpack it with gunzip first")
    }
    var reader = CSVReader()
    reader.feed(bytes)
    guard let header = reader.next() ?? reader.last() else {
      throw APIError(422, "line 1: the file is empty")
    }
    for needed in ["identifier", "device_type"] where !header.fields.contains(needed) {
      throw APIError(422, "line 1: the column \(needed) is missing; is it an export of OneSignal?")
    }
    while let row = reader.next() ?? reader.last() {
      guard row.fields != [""] else { continue }
      guard row.fields.count == header.fields.count else {
        reject(
          Place(line: row.line),
          "the row has \(row.fields.count) fields, but the first line names \(header.fields.count)")
        continue
      }
      let named = Dictionary(zip(header.fields, row.fields)) { first, _ in first }
      readOneSignal(named, at: Place(line: row.line))
    }
  }

  private mutating func readOneSignal(_ row: [String: String], at place: Place) {
    let type = row["device_type"] ?? ""
    // 0 is an iOS device in OneSignal's list of types; the dashboard writes the name.
    guard ["0", "ios", "iospush"].contains(type.lowercased()) else {
      return reject(place, "device_type \(type.prefix(32)) is no iOS device")
    }
    guard !["t", "true", "1", "yes"].contains(row["invalid_identifier"]?.lowercased() ?? "") else {
      return reject(place, "OneSignal found its token invalid (invalid_identifier)")
    }
    guard let token = row["identifier"], !token.isEmpty else {
      return reject(place, "it has no token (identifier): nobody has allowed notifications on it")
    }
    // Negative and 0 are reasons why it is not subscribed; without the column all are.
    let isEnabled = row["notification_types"].flatMap { Int($0) }.map { $0 > 0 } ?? true
    add(
      token,
      [
        "user_id": Self.text(row["external_user_id"]), "locale": Self.text(row["language"]),
        "time_zone": Self.text(row["timezone_id"]),
        "app_version": Self.text(row["game_version"]), "os_version": Self.text(row["device_os"]),
        "push_enabled": .bool(isEnabled), "user_attributes": Self.attributes(row["tags"]),
      ], at: place)
  }

  /// OneSignal's tags are texts with keys, which are attributes here.
  private static func attributes(_ tags: String?) -> JSONValue? {
    guard let tags, let object = (try? JSONValue(parsing: Array(tags.utf8)))?.object else {
      return nil
    }
    let attributes = object.compactMapValues { value -> JSONValue? in
      let text = value.string ?? String(decoding: value.serialized(), as: UTF8.self)
      return text.isEmpty ? nil : ["type": "string", "value": .string(text)]
    }
    return attributes.isEmpty ? nil : .object(attributes)
  }
}

// MARK: Airship

extension VendorExport {
  /// Reads one document, or one a line, as a script writes the pages.
  private mutating func readAirship(_ bytes: [UInt8]) throws {
    if let document = try? JSONValue(parsing: bytes) {
      return try readAirship(page: document, line: 1)
    }
    var isExport = false
    for (index, line) in bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() where !line.allSatisfy({ [0x20, 0x0d].contains($0) }) {
      guard let document = try? JSONValue(parsing: Array(line)) else {
        throw APIError(422, "line \(index + 1) is not JSON; write one page of the answers a line")
      }
      isExport = true
      try readAirship(page: document, line: index + 1)
    }
    guard isExport else { throw Self.noExport }
  }

  /// Reads a page, which begins on a line.
  private mutating func readAirship(page: JSONValue, line: Int) throws {
    guard let channels = Self.channels(of: page) else { throw Self.noExport }
    for (index, channel) in channels.enumerated() {
      // A page is often one line, so its number would say nothing.
      let id = channel["channel_id"]?.string?.prefix(64).filter { "!"..."~" ~= $0 }
      let name = id.flatMap { $0.isEmpty ? nil : $0 } ?? "\(index + 1)"
      readAirship(channel, at: Place(line: line, channel: String(name)))
    }
  }

  private static let noExport = APIError(
    422, "the file has no \"channels\"; it must be answers of Airship's GET /api/channels")

  /// The channels of a page: `{"ok": true, "channels": […]}`, or one channel by itself.
  private static func channels(of document: JSONValue) -> [JSONValue]? {
    if let channels = document["channels"]?.array { return channels }
    if let channel = document["channel"], channel.object != nil { return [channel] }
    return document["channel_id"] == nil ? nil : [document]
  }

  private mutating func readAirship(_ channel: JSONValue, at place: Place) {
    let type = channel["device_type"]?.string ?? ""
    guard type == "ios" else {
      return reject(place, "device_type \(type.prefix(32)) is no iOS device")
    }
    guard channel["installed"] != .bool(false) else {
      return reject(place, "the app is not installed on it any more")
    }
    guard let token = channel["push_address"]?.string, !token.isEmpty else {
      return reject(place, "it has no token (push_address)")
    }
    let native = channel["device_attributes"]
    let language = channel["attributes"]?["ua_language"]?.string ?? native?["ua_language"]?.string
    let country = channel["attributes"]?["ua_country"]?.string ?? native?["ua_country"]?.string
    let tags = channel["tags"]?.array?.filter { $0.string?.isEmpty == false } ?? []
    add(
      token,
      [
        "user_id": Self.text(channel["named_user_id"]?.string),
        "push_enabled": channel["opt_in"] ?? .bool(true),
        "tags": tags.isEmpty ? nil : .array(tags),
        "time_zone": Self.text(channel["ios"]?["tz"]?.string),
        "locale": Self.text(language.map { $0 + (country.map { "_" + $0 } ?? "") }),
        "app_version": Self.text(native?["ua_app_version"]?.string),
        "os_version": Self.text(native?["ua_device_os"]?.string),
      ], at: place)
  }
}
