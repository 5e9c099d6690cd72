import PushPayload

/// The export of another push service, which becomes newline-delimited JSON that ``DeviceImport`` reads.
///
/// Devices that have no APNs token are rejected here, with the reason. A part of a device that is not understood is left
/// out and named. What the import says of the rest, ``located(_:)`` names by the lines of the export.
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
  struct Place {
    var line: Int
    /// The id that its service gave it, or its number, where a line may have several devices.
    var channel: String?

    func row(_ error: String) -> DeviceImport.Report.Row {
      (line, channel.map { "channel \($0): \(error)" } ?? error)
    }
  }

  /// A device of the export, as an update has it.
  struct ExportedDevice {
    var token: String
    var members: [String: JSONValue] = [:]
    /// What of the device is not understood, each with the reason.
    var losses: [String] = []

    /// Sets a member to a text; an empty one and `NULL` are none.
    mutating func set(_ member: String, _ text: String?) {
      guard let text = text.map(CSVCell.text), !text.isEmpty else { return }
      members[member] = .string(text)
    }
  }

  /// The devices, one a line.
  package private(set) var lines: [UInt8] = []
  /// The devices that are not imported, by the line of the export.
  package private(set) var rejected: [DeviceImport.Report.Row] = []
  /// What the devices of ``lines`` lost, by the number of their line there.
  private var lost: [Int: String] = [:]
  /// How many rows of the export have only separators.
  package internal(set) var skipped = 0
  /// The place of the device of each written line.
  private var places: [Place] = []
  /// The place of each token, by the token in lower case.
  private var tokens: [String: Place] = [:]

  /// Reads an export.
  ///
  /// - Throws: ``APIError`` where the file as a whole is not such an export.
  package init(_ bytes: [UInt8], of vendor: Vendor) throws {
    try ImportFile.check(start: bytes)
    switch vendor {
    case .oneSignal: try readOneSignal(bytes)
    case .airship: try readAirship(bytes)
    }
  }

  /// The rejected devices by the lines of the export, with those that the import of ``lines`` has rejected.
  package func rejected(
    with imported: [DeviceImport.Report.Row]
  ) -> [DeviceImport.Report.Row] {
    (rejected + located(imported)).sorted { $0.line < $1.line }
  }

  /// What the imported devices lost, by the lines of the export.
  ///
  /// - Parameters:
  ///   - imported: What the import of ``lines`` lost of them.
  ///   - refused: The devices that the import has rejected.
  /// - Returns: The lines in their order, each with its losses in one sentence.
  package func losses(
    with imported: [DeviceImport.Report.Row], without refused: [DeviceImport.Report.Row]
  ) -> [DeviceImport.Report.Row] {
    var all = lost
    for row in refused { all[row.line] = nil }
    for row in imported { all[row.line] = all[row.line].map { "\($0); \(row.error)" } ?? row.error }
    return located(all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// The lines of the export for those of ``lines``.
  func located(_ rows: [DeviceImport.Report.Row]) -> [DeviceImport.Report.Row] {
    rows.map { row in
      places.indices.contains(row.line - 1) ? places[row.line - 1].row(row.error) : row
    }
  }

  /// Writes a device, unless there is one with its token already.
  mutating func add(_ device: ExportedDevice, at place: Place) {
    // The import would name the first one by its own lines.
    let first = tokens[device.token.lowercased()]
    if let first {
      let owner = first.channel.map { ", of channel \($0)" } ?? ""
      return reject(place, "the token is on line \(first.line) already\(owner)")
    }
    tokens[device.token.lowercased()] = place
    var members = device.members
    var losses = device.losses
    for (name, value) in device.members.sorted(by: { $0.key < $1.key }) {
      let (kept, lost) = Self.understood(name, value)
      members[name] = kept
      losses += lost
    }
    members["push_token"] = .string(device.token)
    members["platform"] = "iOS"
    lines += JSONValue.object(members).serialized()
    lines.append(UInt8(ascii: "\n"))
    places.append(place)
    if !losses.isEmpty { lost[places.count] = DeviceImport.Report.text(ofLosses: losses) }
  }

  /// The part of a member that an update takes, and what is lost of it, each with the reason.
  private static func understood(
    _ name: String, _ value: JSONValue
  ) -> (kept: JSONValue?, losses: [String]) {
    if let attributes = value.object, name == "user_attributes" {
      let parts = attributes.sorted { $0.key < $1.key }.map { key, attribute in
        (key, Self.problem(of: [name: .object([key: attribute])]))
      }
      let kept = attributes.filter { key, _ in parts.contains { $0.0 == key && $0.1 == nil } }
      return (kept.isEmpty ? nil : .object(kept), parts.compactMap(\.1))
    }
    guard let problem = Self.problem(of: [name: value]) else { return (value, []) }
    return (nil, [problem])
  }

  /// Why an update refuses a member, which is its only one; `nil` where it takes it.
  private static func problem(of member: JSONValue) -> String? {
    do throws(APIError) {
      _ = try DevicePatchReader(BodyValue(member))
      return nil
    } catch {
      let path = error.path ?? "$."
      return "\(path.dropFirst(2)), which \(DroppedMember(error, at: path).reason)"
    }
  }

  mutating func reject(_ place: Place, _ error: String) {
    rejected.append(place.row(error))
  }
}
