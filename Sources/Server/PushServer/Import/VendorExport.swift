import PushPayload

/// An export of another push service, converted to newline-delimited JSON that ``DeviceImport`` reads.
///
/// Devices without an APNs token are rejected here, with the reason. Parts of a device that cannot be read are omitted
/// and listed. ``located(_:)`` translates the line numbers of an import's report to those of the export.
package struct VendorExport: Sendable {
  /// A service whose exports can be read.
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

  /// The position of a device in the export, by which its reader can find it.
  struct Place {
    var line: Int
    /// The id from the service, or else a number, if a line may have several devices.
    var channel: String?

    func row(_ error: String) -> DeviceImport.Report.Row {
      (line, channel.map { "channel \($0): \(error)" } ?? error)
    }
  }

  /// A device of the export, in the form of an update.
  struct ExportedDevice {
    var token: String
    var members: [String: JSONValue] = [:]
    /// The parts of the device that cannot be read, each with the reason.
    var losses: [String] = []

    /// Sets a member to a text, unless it is empty or `NULL`.
    mutating func set(_ member: String, _ text: String?) {
      guard let text = text.map(CSVCell.text), !text.isEmpty else { return }
      members[member] = .string(text)
    }
  }

  let vendor: Vendor
  /// The number of bytes from which a document that is not one line is refused.
  let documentLimit: Int
  /// The reader of a CSV export, and its first line once that was read.
  var csv = CSVReader()
  var header: CSVReader.Row?
  /// The beginning of a line of JSON, or of a document that has several lines.
  var document: [UInt8] = []
  /// The number of lines of JSON that were read, and whether one of them was a page.
  var lineCount = 0
  var hasPages = false
  /// Whether the file is one document of several lines.
  var isOneDocument = false
  private var hasBegun = false

  /// The devices as newline-delimited JSON.
  package private(set) var lines: [UInt8] = []
  /// The devices that are not imported, with their line in the export.
  private(set) var rejected: [DeviceImport.Report.Row] = []
  /// The parts that devices in ``lines`` lost, with their line in the export.
  private(set) var losses: [DeviceImport.Report.Row] = []
  /// The number of rows of the export that have only separators.
  var skipped = 0
  /// The position of the device on each line of ``lines``.
  private var places: [Place] = []
  /// The position of each token, by the token in lowercase.
  private var tokens: [TextHash: Place] = [:]

  /// Reads an export that is complete.
  ///
  /// - Throws: ``RequestError`` if the file as a whole is not such an export.
  package init(_ bytes: [UInt8], of vendor: Vendor) throws {
    self.init(of: vendor, documentLimit: .max)
    try read(bytes)
    try finish()
  }

  /// Makes a reader of an export that arrives in pieces.
  ///
  /// A document that is not one line is kept whole until its end, up to `documentLimit` bytes.
  init(of vendor: Vendor, documentLimit: Int) {
    (self.vendor, self.documentLimit) = (vendor, documentLimit)
  }

  /// Reads the next piece; the first one has at least four bytes, unless it is the last one, too.
  ///
  /// - Throws: ``RequestError`` if the file as a whole is not such an export.
  mutating func read(_ piece: [UInt8]) throws {
    if !hasBegun {
      try ImportFile.check(start: piece)
      hasBegun = true
    }
    switch vendor {
    case .oneSignal: try readOneSignal(piece)
    case .airship: try readAirship(piece)
    }
  }

  /// Reads what is left after the last piece.
  mutating func finish() throws {
    switch vendor {
    case .oneSignal: try finishOneSignal()
    case .airship: try finishAirship()
    }
  }

  /// Returns the devices that were read since the last call, as lines, and the rows that lost something.
  mutating func take() -> (
    lines: [UInt8], rejected: [DeviceImport.Report.Row], losses: [DeviceImport.Report.Row]
  ) {
    defer { (lines, rejected, losses) = ([], [], []) }
    return (lines, rejected, losses)
  }

  /// The report of an import of ``lines`` with the lines of the export, including the devices rejected here.
  package func report(of imported: DeviceImport.Report) -> DeviceImport.Report {
    var report = DeviceImport.Report()
    report.skipped = skipped
    for row in rejected { report.reject(row) }
    for row in losses { report.addLoss(row) }
    // The import reads members in the same way, so it finds no more problems unless the server has another version.
    report.add(imported, listing: located(imported.lines))
    return report
  }

  /// The devices that were rejected here or by an import of ``lines``, or that lost a part, with their line in the
  /// export.
  package func faults(with imported: DeviceImport.Report) -> [DeviceImport.Report.Row] {
    (rejected + losses + located(imported.lines)).sorted { $0.line < $1.line }
  }

  /// Translates lines of ``lines`` to lines of the export.
  func located(_ rows: [DeviceImport.Report.Row]) -> [DeviceImport.Report.Row] {
    rows.map { row in
      places.indices.contains(row.line - 1) ? places[row.line - 1].row(row.error) : row
    }
  }

  /// Writes a device, unless its token is not valid or repeats an earlier one.
  mutating func add(_ device: ExportedDevice, at place: Place) {
    do throws(PushToken.Refusal) { _ = try PushToken.read(device.token) } catch {
      return reject(place, "token \(error.reason)")
    }
    // The import would report the earlier device with a line of its own input.
    let token = TextHash(device.token.lowercased())
    if let first = tokens[token] {
      let owner = first.channel.map { ", of channel \($0)" } ?? ""
      return reject(place, "the token is on line \(first.line) already\(owner)")
    }
    tokens[token] = place
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

  /// The part of a member that an update accepts, and the reasons for the parts that it does not.
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

  /// The reason why an update refuses a member, which is the only one of `member`; `nil` if it is accepted.
  private static func problem(of member: JSONValue) -> String? {
    do throws(RequestError) {
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
