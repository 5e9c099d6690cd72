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
  private(set) var rejected: [DeviceImport.Report.Row] = []
  /// What the devices of ``lines`` lost, by the line of the export.
  private(set) var losses: [DeviceImport.Report.Row] = []
  /// How many rows of the export have only separators.
  var skipped = 0
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

  /// The report of an import of ``lines``, by the lines of the export and with the devices that are rejected here.
  package func report(of imported: DeviceImport.Report) -> DeviceImport.Report {
    var report = DeviceImport.Report()
    report.accepted = imported.accepted
    report.leftWithoutToken = imported.leftWithoutToken
    report.skipped = imported.skipped + skipped
    for row in rejected { report.reject(row) }
    for row in losses { report.addLoss(row) }
    // The import reads a member as it was read here, so it finds nothing more, unless a server of another version does.
    report.rejected += imported.rejected
    report.acceptedWithLosses += imported.acceptedWithLosses
    for row in located(imported.lines) { report.list(row) }
    return report
  }

  /// The devices that were rejected or lost a part, by the line of the export, with those that an import of ``lines``
  /// lists.
  package func faults(with imported: DeviceImport.Report) -> [DeviceImport.Report.Row] {
    (rejected + losses + located(imported.lines)).sorted { $0.line < $1.line }
  }

  /// The lines of the export for those of ``lines``.
  func located(_ rows: [DeviceImport.Report.Row]) -> [DeviceImport.Report.Row] {
    rows.map { row in
      places.indices.contains(row.line - 1) ? places[row.line - 1].row(row.error) : row
    }
  }

  /// Writes a device, unless its token is not valid or that of one before.
  mutating func add(_ device: ExportedDevice, at place: Place) {
    do throws(PushToken.Refusal) { _ = try PushToken.read(device.token) } catch {
      return reject(place, "token \(error.reason)")
    }
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
    if !losses.isEmpty {
      self.losses.append(place.row(DeviceImport.Report.text(ofLosses: losses)))
    }
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
      let body = BodyValue(member)
      try body.refuseZero()
      _ = try DevicePatchReader(body)
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
