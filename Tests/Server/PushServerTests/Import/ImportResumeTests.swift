import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("An import that another node goes on with", .timeLimit(.minutes(10)))
struct ImportResumeTests {
  /// The end of a node's process.
  private struct Killed: Error {}

  private static let header = "id,token,user_id,time_zone\n"
  private static let csv = ImportSettings(
    form: .csv,
    mapping: ColumnMapping(columns: [.id, .token, .userID, .timeZone], platform: "iOS"))

  /// The line of a device, whose id the first lines name.
  private static func row(_ number: Int) -> String {
    let id = number < 9 ? "d\(number)" : ""
    return "\(id),\(Fixture.token("resume-\(number)")),file,\n"
  }

  /// An import that a person has started and a node has taken.
  private static func taken(
    _ text: String, as settings: ImportSettings, in fixture: Fixture
  ) async throws -> FileImport {
    let (store, app, now) = (fixture.store, fixture.app.id, fixture.clock.now)
    try await store.add(FileImport(id: "resumed", app: app, fileName: "a.csv", createdAt: now))
    let bytes = Array(text.utf8)
    for (part, start) in stride(from: 0, to: bytes.count, by: FileImport.partSize).enumerated() {
      let end = min(bytes.count, start + FileImport.partSize)
      try await store.append(Array(bytes[start..<end]), as: part, toImport: "resumed", app: app)
    }
    var file = try await stored(in: fixture)
    file.settings = settings.json
    file.state = .checked
    let isStarted = file.on(.start, at: now)
    #expect(isStarted)
    _ = try #require(try await store.update(file, holdingFor: nil, at: now))
    return try #require(try await store.takeImport("resumed", at: now, for: ImportRunner.hold))
  }

  private static func stored(in fixture: Fixture) async throws -> FileImport {
    try #require(try await fixture.store.fileImport("resumed", app: fixture.app.id))
  }

  /// The import as the node that has taken it sees it.
  private static func devices(of file: FileImport, _ fixture: Fixture) -> DeviceImport {
    var devices = DeviceImport(store: fixture.store, app: file.app, now: fixture.clock.now)
    devices.columns = csv.mapping
    devices.file = file
    return devices
  }

  /// Imports the beginning of a file as a node does whose process then ends.
  private static func die(after text: String, of file: FileImport, _ fixture: Fixture) async {
    let devices = Self.devices(of: file, fixture)
    await #expect(throws: Killed.self) {
      var piece: [UInt8]? = Array(text.utf8)
      _ = try await devices.run(as: .csv) {
        guard let next = piece.take() else { throw Killed() }
        return next
      }
    }
  }

  /// Lets another node take the import once the first one no longer holds it, and returns the import after that.
  private static func resume(in fixture: Fixture) async throws -> FileImport {
    fixture.clock.advance(by: ImportRunner.hold + .seconds(1))
    #expect(try await fixture.router.actions.importRunner.work())
    return try await stored(in: fixture)
  }

  /// Changes the user of a device, as its app does.
  private static func setUser(_ user: String, of device: String, in fixture: Fixture) async throws {
    var patch = DevicePatch()
    patch.userID = .set(user)
    _ = try await fixture.store.update(
      device: device, app: fixture.app.id, patch, at: fixture.clock.now)
  }

  @Test(
    "stores the lines behind the last one that is stored, and no other one again",
    arguments: [
      (DeviceImport.chunkSize - 1, 0), (DeviceImport.chunkSize, DeviceImport.chunkSize + 1),
      (DeviceImport.chunkSize + 1, DeviceImport.chunkSize + 1),
    ])
  func lines(read: Int, stored: Int) async throws {
    let fixture = try await Fixture()
    let rows = (0..<DeviceImport.chunkSize + 2).map { Self.row($0) }
    let file = try await Self.taken(Self.header + rows.joined(), as: Self.csv, in: fixture)
    await Self.die(after: Self.header + rows[..<read].joined(), of: file, fixture)
    #expect(try await Self.stored(in: fixture).storedLine == stored)
    try await Self.setUser("phone", of: "d0", in: fixture)

    let done = try await Self.resume(in: fixture)
    #expect(done.state == .imported && done.attempts == 2 && done.storedLine == rows.count + 1)
    #expect(done.report?["accepted"] == .integer(Int64(rows.count)))
    #expect(try await fixture.store.deviceCount(app: fixture.app.id) == rows.count)
    let device = try await fixture.store.device("d0", app: fixture.app.id)
    #expect(device?.token == Fixture.token("resume-0"))
    #expect(device?.userID == (stored == 0 ? "file" : "phone"))
  }

  @Test("stores no line again after all were stored, and ends with their report")
  func allStored() async throws {
    let fixture = try await Fixture()
    let rows = (0..<DeviceImport.chunkSize).map { Self.row($0) }
    let text = Self.header + rows.joined()
    let file = try await Self.taken(text, as: Self.csv, in: fixture)
    await Self.die(after: text, of: file, fixture)
    try await Self.setUser("phone", of: "d0", in: fixture)
    let done = try await Self.resume(in: fixture)
    #expect(done.state == .imported)
    #expect(done.report?["accepted"] == .integer(Int64(rows.count)))
    #expect(try await fixture.store.device("d0", app: fixture.app.id)?.userID == "phone")
  }

  @Test("goes on with the export of another service, too")
  func export() async throws {
    let fixture = try await Fixture()
    let header = "identifier,device_type,external_user_id\n"
    let tokens = (0...DeviceImport.chunkSize).map { Fixture.token("export-\($0)") }
    let rows = tokens.map { "\($0),0,file\n" }
    let file = try await Self.taken(
      header + rows.joined(), as: ImportSettings(form: .oneSignal), in: fixture)
    let devices = Self.devices(of: file, fixture)
    await #expect(throws: Killed.self) {
      var piece: [UInt8]? = Array((header + rows.dropLast().joined()).utf8)
      _ = try await devices.run(from: .oneSignal) {
        guard let next = piece.take() else { throw Killed() }
        return next
      }
    }
    #expect(try await Self.stored(in: fixture).storedLine == DeviceImport.chunkSize)
    func device(_ token: String) async throws -> Device {
      let found = try await fixture.store.devices(
        app: fixture.app.id, tokenPrefix: token, limit: 1)
      return try #require(found.first)
    }
    let first = try await device(tokens[0])
    try await Self.setUser("phone", of: first.id, in: fixture)
    let done = try await Self.resume(in: fixture)
    #expect(done.report?["accepted"] == .integer(Int64(rows.count)))
    #expect(try await device(tokens[0]).userID == "phone")
    #expect(try await device(tokens[rows.count - 1]).userID == "file")
  }

  /// Lines before or behind the place at which a node ends: of an erased device, of a device that takes a token, without
  /// a valid token, with a part that is lost, and with a token that is in the file already.
  private static func oddRows(_ name: String) -> [String] {
    func token(_ part: String) -> String { Fixture.token("\(name)-\(part)") }
    return [
      "\(name)-gone,\(token("new")),file,Mars\n", "\(name)-heir,\(token("owner")),file,\n",
      ",zz,file,\n", ",\(token("lossy")),file,Mars\n", ",\(token("lossy")),file,\n",
    ]
  }

  @Test("has the report and the list of lines of an import that nothing interrupts")
  func report() async throws {
    let rows = (0..<DeviceImport.chunkSize).map { Self.row($0) }
    let start = Self.header + Self.oddRows("early").joined() + rows.joined()
    let text = start + Self.oddRows("late").joined()
    var reports: [JSONValue?] = []
    var lists: [String] = []
    for isInterrupted in [false, true] {
      let fixture = try await Fixture()
      for name in ["early", "late"] {
        try await fixture.register("\(name)-owner")
        try await fixture.register("\(name)-gone")
        _ = try await fixture.store.erase(
          device: "\(name)-gone", app: fixture.app.id, at: fixture.clock.now)
      }
      let file = try await Self.taken(text, as: Self.csv, in: fixture)
      if isInterrupted {
        await Self.die(after: start, of: file, fixture)
        let left = try await Self.stored(in: fixture)
        #expect(left.storedLine > 0 && left.leftWithoutToken == 1)
      }
      reports.append(try await Self.resume(in: fixture).report)
      let client = try await DashboardClient.signedIn(fixture)
      lists.append(await client.get(client.path("people/import/resumed/lines.csv")).text)
    }
    let report = try #require(reports[0])
    #expect(report["accepted"] == .integer(Int64(rows.count + 4)))
    #expect(report["accepted_with_losses"] == 2 && report["rejected"] == 6)
    #expect(report["left_without_token"] == 2)
    #expect(reports[1] == report)
    #expect(lists[0].contains("early-gone") && lists[0].contains("late-gone"))
    #expect(lists[1] == lists[0])
  }

  @Test("is refused to a node that has lost it")
  func lost() async throws {
    let fixture = try await Fixture()
    let text = Self.header + (0..<9).map { Self.row($0) }.joined()
    let file = try await Self.taken(text, as: Self.csv, in: fixture)
    #expect(try await Self.resume(in: fixture).state == .imported)
    try await Self.setUser("phone", of: "d0", in: fixture)
    let devices = Self.devices(of: file, fixture)
    let error = await #expect(throws: StoreError.self) {
      _ = try await devices.run(Array(text.utf8), as: .csv)
    }
    #expect(error?.code == .notFound)
    #expect(try await fixture.store.device("d0", app: fixture.app.id)?.userID == "phone")
  }

  @Test("stores no further part once a person has stopped it")
  func stopped() async throws {
    let fixture = try await Fixture()
    let rows = (0..<2 * DeviceImport.chunkSize).map { Self.row($0) }
    let text = Self.header + rows.joined()
    let file = try await Self.taken(text, as: Self.csv, in: fixture)
    let devices = Self.devices(of: file, fixture)
    let first = Self.header + rows[..<DeviceImport.chunkSize].joined()
    let error = await #expect(throws: StoreError.self) {
      var pieces = [first, rows[DeviceImport.chunkSize...].joined()][...]
      _ = try await devices.run(as: .csv) {
        if pieces.count == 1 {
          try await until { try await Self.stored(in: fixture).storedLine > 0 }
          var running = try await Self.stored(in: fixture)
          let isStopped = running.on(.stop, at: fixture.clock.now)
          #expect(isStopped)
          _ = try await fixture.store.update(running, holdingFor: nil, at: fixture.clock.now)
        }
        return pieces.popFirst().map { Array($0.utf8) }
      }
    }
    #expect(error?.code == .notFound)
    #expect(try await fixture.store.deviceCount(app: fixture.app.id) == DeviceImport.chunkSize)
    #expect(try await fixture.router.actions.importRunner.work() == false)
  }
}
