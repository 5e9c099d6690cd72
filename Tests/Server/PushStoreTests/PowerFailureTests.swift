import Foundation
import TestSupport
import Testing
import _RecordedDisk
import _SQLite

@testable import PushModel
@testable import PushStore

@Suite("A SQLite store whose machine loses power", .timeLimit(.minutes(30)))
struct PowerFailureTests {
  private static let file = "martlet.sqlite"
  private let folder = TemporaryFolder()
  private let disk = RecordedDisk()
  private var path: String { folder.path(Self.file) }

  @Test("keeps every write that was answered, and no part of a write")
  func answered() async throws {
    let run = try await record()
    #expect(run.answers.count > 40)
    let report = try survivors(of: run, seeds: Tier.sample(1, of: 20))
    #expect(report.lost == [])
    #expect(report.files > Tier.sample(200, of: 20_000))
    // The power failed before and after the last write was answered.
    #expect(report.newest == run.events.count && report.isOlderSeen)
  }

  @Test("would lose writes on a disk that does not sync, which these tests find")
  func lyingDisk() async throws {
    var run = try await record()
    run.removeSyncs()
    #expect(try survivors(of: run, seeds: 1).lost.count > 10)
  }

  @Test("may lose the leases that it does not sync, and nothing else")
  func leases() async throws {
    var run = try await record()
    run.answers += run.leases
    let lost = try survivors(of: run, seeds: 4).lost
    #expect(!lost.isEmpty)
    #expect(lost.allSatisfy { $0.hasPrefix("lease") && !$0.hasPrefix("lease 0") }, "\(lost)")
  }

  @Test(
    "has its old schema or the new one after a migration that was cut off, and migrates again",
    arguments: KeptVersion.all(in: .sqlite))
  func migration(kept: KeptVersion) async throws {
    try await kept.unpack(into: folder)
    let old = folder.path("data/martlet.sqlite")
    let before = PowerModel([Self.file: Array(try Data(contentsOf: URL(filePath: old)))])
    let store = try SQLitePushStore(path: old, disk: disk.name)
    let migrated = try contents(at: old)
    let events = disk.events
    var random = SeededGenerator(seed: 1)
    var model = before
    let checked = Set((0...events.count).map(\.self).sampled(30))
    for position in 0...events.count {
      if checked.contains(position) {
        let path = try written(model.afterPowerFailure(using: &random))
        let again = try SQLitePushStore(path: path)
        #expect(try contents(at: path) == migrated, "power failed before event \(position)")
        withExtendedLifetime(again) {}
      }
      if position < events.count { model.on(events[position]) }
    }
    withExtendedLifetime(store) {}
  }

  @Test(
    "has what it answered after a write failed, and answers again when the disk does",
    arguments: [true, false], [1, Int.max])
  func failingDisk(isFull: Bool, count: Int) async throws {
    let store = try SQLitePushStore(path: path, disk: disk.name)
    let fixture = try await StoreFixture(store, "failing")
    let first = disk.changes
    try await fixture.update("measured") { $0.token = .set("00ff") }
    let changes = disk.changes - first
    #expect(changes > 3)
    var tokens: [String: Int] = [:]
    for failing in (0...changes).map(\.self).sampled(12) {
      let device = "device-\(failing)"
      disk.fail(count == 1 ? 1 : 1 << 40, after: failing, isFull: isFull)
      do {
        try await fixture.update(device) { $0.token = .set("0\(failing % 10)") }
        tokens[device] = failing
      } catch let error as StoreError {
        #expect(error.code == .unwritable, "\(error)")
      }
      disk.fail(0, after: 0, isFull: false)
      try await fixture.update("\(device)-after") { $0.token = .set("aa") }
      #expect(try await store.device("\(device)-after", app: "failing")?.token == "aa")
    }
    #expect(tokens.count > 0 && tokens.count < changes)
    var model = PowerModel()
    for event in disk.events { model.on(event) }
    let again = try SQLitePushStore(path: try written(model.afterKill))
    for (device, failing) in tokens {
      #expect(try await again.device(device, app: "failing")?.token == "0\(failing % 10)")
    }
  }

  // MARK: A run

  private struct Run {
    var events: [DiskEvent] = []
    /// The steps by the position of the disk at which they were answered.
    var answers: [(position: Int, step: String)] = []
    var leases: [(position: Int, step: String)] = []

    mutating func removeSyncs() {
      // A position stays what it was: a sync becomes a change of nothing.
      for index in events.indices {
        if case .sync = events[index].kind { events[index].kind = .create }
      }
    }
  }

  /// Runs steps of every kind on a new store.
  private func record() async throws -> Run {
    var run = Run()
    func answer(_ step: String) { run.answers.append((disk.position, step)) }
    let store = try SQLitePushStore(path: path, disk: disk.name)
    answer("open")
    let fixture = try await StoreFixture(store, "power")
    answer("add app")
    try await store.add(Sample.key(1, app: "power"))
    answer("add key")
    try await fixture.register(40)
    answer("import")
    for number in 0..<12 {
      try await fixture.update("power-\(number)") { $0.token = .set("0\(number % 8)") }
      answer("update \(number)")
    }
    for number in 0..<4 {
      let send = "send-\(number)"
      try await fixture.accept(send)
      answer("accept \(send)")
      // The first lease of a send is synced, and so is the one after a synced one.
      for attempt in 0..<5 {
        let batch = try #require(try await fixture.lease())
        run.leases.append((disk.position, "lease \(attempt) of \(send)"))
        try await fixture.finish(batch, attempt < 4 ? [] : nil)
        answer("finish \(attempt) of \(send)")
      }
      try await store.writer.read { try $0.checkpoint() }
      if number == 1 {
        try await store.purgeOverwrittenData()
        answer("empty log")
      }
    }
    for number in 0..<16 {
      try await fixture.update("late-\(number)") { $0.token = .set("1\(number % 10)") }
      answer("register \(number)")
    }
    run.events = disk.events
    return run
  }

  // MARK: What is left

  private struct Survivors {
    /// The steps that were answered and are not in a file, and those before a file was damaged.
    var lost: [String] = []
    var files = 0
    var newest = 0
    /// Whether a file was older than all that was written.
    var isOlderSeen = false
  }

  private func survivors(of run: Run, seeds: Int) throws -> Survivors {
    let states = try committed(run.events)
    var report = Survivors()
    var model = PowerModel()
    let checked = Set((0...run.events.count).map(\.self).sampled(250))
    let answers = run.answers.sorted { $0.position < $1.position }
    for position in 0...run.events.count {
      if checked.contains(position) {
        let last = answers.last { $0.position <= position }
        for seed in 0..<seeds {
          var random = SeededGenerator(seed: UInt64(position * 1000 + seed))
          let found = try? contents(of: model.afterPowerFailure(using: &random))
          report.files += 1
          report.newest = position
          let known = found.flatMap { found in
            states.last { $0.position <= position && $0.contents == found }
          }
          let newest = states.last { $0.position <= position }
          if known?.position != newest?.position { report.isOlderSeen = true }
          let next = states.last { $0.position <= last?.position ?? 0 }
          if (known?.position ?? -1) < next?.position ?? 0 {
            report.lost.append(last?.step ?? "nothing was answered")
          }
        }
      }
      if position < run.events.count { model.on(run.events[position]) }
    }
    return report
  }

  /// The contents of the file after each change of them, with the position of the disk.
  private func committed(_ events: [DiskEvent]) throws -> [(position: Int, contents: Int)] {
    var states = [(position: 0, contents: try contents(of: [:]))]
    var model = PowerModel()
    for (index, event) in events.enumerated() {
      model.on(event)
      guard Self.mayCommit(events, at: index) else { continue }
      let found = try contents(of: model.afterKill)
      if states.last?.contents != found { states.append((index + 1, found)) }
    }
    return states
  }

  /// Whether an event may end a transaction: the page of a commit's last frame, or any change without a log.
  ///
  /// Source: sqlite.org/fileformat2.html, "WAL Frame Header Format".
  private static func mayCommit(_ events: [DiskEvent], at index: Int) -> Bool {
    guard events[index].file.hasSuffix("-wal") else { return true }
    guard index > 0, case .write(let header, _) = events[index - 1].kind, header.count == 24,
      case .write = events[index].kind
    else { return false }
    return header[4..<8].contains { $0 != 0 }
  }

  /// The contents of files that nobody has opened.
  private func contents(of files: [String: [UInt8]]) throws -> Int {
    let path = try written(files)
    defer {
      try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
    }
    return try contents(at: path)
  }

  /// A hash of all rows of a store's file.
  ///
  /// - Throws: The error of a file that is not whole.
  private func contents(at path: String) throws -> Int {
    let db = try SQLiteConnection(path: path, busyTimeout: .zero)
    let tables = try db.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", []
    ) { $0.text(0) }
    var hasher = Hasher()
    for table in tables {
      let columns = try db.rows("SELECT name FROM pragma_table_info(?)", [.text(table)]) {
        "quote(\"\($0.text(0))\")"
      }
      let line = columns.joined(separator: " || ',' || ")
      let rows = try db.row(
        """
        SELECT group_concat(line, char(10))
        FROM (SELECT \(line) AS line FROM "\(table)" ORDER BY 1)
        """
      ) { $0.optionalText(0) }
      hasher.combine(table)
      hasher.combine(rows)
    }
    guard try db.row("PRAGMA integrity_check", map: { $0.text(0) }) == "ok" else {
      throw StoreError(.cannotOpen, "the file is not whole")
    }
    return hasher.finalize()
  }

  /// Writes files into a new folder, and says where the store's is.
  private func written(_ files: [String: [UInt8]]) throws -> String {
    let found = folder.url.appending(path: UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: found, withIntermediateDirectories: true)
    for (name, bytes) in files { try Data(bytes).write(to: found.appending(path: name)) }
    return found.appending(path: Self.file).path
  }
}
