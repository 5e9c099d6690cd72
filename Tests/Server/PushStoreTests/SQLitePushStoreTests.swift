import Foundation
import PushPayload
import Synchronization
import Testing
import _SQLite
import TestSupport

@testable import PushModel
@testable import PushStore

@Suite("The SQLite store", .timeLimit(.minutes(20)))
struct SQLitePushStoreTests {
  let directory = TemporaryFolder()
  var path: String { directory.path("martlet.sqlite") }

  @Test("does what every store does", arguments: storeConformance)
  func conformance(behaviour: StoreBehaviour) async throws {
    try await behaviour.check(SQLitePushStore(path: path))
  }

  @Test("one store does it all in one file")
  func conformanceInTurn() async throws {
    try await checkConformance(of: SQLitePushStore(path: path))
  }

  @Test(
    "an inbox is read and counted by indexes, whatever else the app has",
    arguments: [true, false], ["", InboxOwner.unread])
  func inboxPlan(isWide: Bool, end: SQL) async throws {
    let store = try SQLitePushStore(path: path)
    let owner = InboxOwner(app: 1, device: 1, user: "u")
    let query = isWide ? owner.wide(at: Sample.now) : owner.listed(at: Sample.now)
    let steps = try await store.read { db in
      try db.rows("EXPLAIN QUERY PLAN \(query)\(end)") { row in
        row.skip("id")
        row.skip("parent")
        row.skip("notused")
        return try row.text("detail")
      }
    }
    #expect(steps.count == 3)
    // The first one finds the messages of the device, or those for many that are published.
    let first =
      isWide ? "messages_wide (app=? AND unpublish_at>?)" : "(app=? AND device=?)"
    #expect(steps.first?.contains(first) == true, "\(steps)")
    #expect(steps.allSatisfy { $0.hasPrefix("SEARCH") }, "\(steps)")
  }

  @Test("a backup of a store in use is a store that only its owner can read")
  func backup() async throws {
    let store = try SQLitePushStore(path: path)
    let fixture = try await StoreFixture(store, "backup")
    try await fixture.register(10)
    let copy = directory.path("copy.sqlite")
    try await store.backup(to: copy)
    try await fixture.register(20)
    #expect(try await SQLitePushStore(path: copy).deviceCount(app: "backup") == 10)
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let error = await #expect(throws: StoreError.self) { try await store.backup(to: copy) }
    #expect(error?.code == .cannotOpen)
  }

  @Test("only its owner can read the file and its log")
  func permissions() async throws {
    let store = try SQLitePushStore(path: path)
    try await store.add(Sample.app(), keys: [])
    for file in [path, path + "-wal"] {
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(file)")
    }
  }

  @Test("what was stored is read after the file is opened again")
  func reopening() async throws {
    do {
      let store = try SQLitePushStore(path: path)
      try await store.add(Sample.app(), keys: [Sample.key(1)])
    }
    let store = try SQLitePushStore(path: path)
    #expect(try await store.apps() == [Sample.app()])
    #expect(try await store.key(hash: Sample.key(1).hash) == Sample.key(1))
  }

  @Test("a database that another process has locked is refused with what to do")
  func locked() throws {
    do { _ = try SQLitePushStore(path: path) }
    let other = try SQLiteConnection(path: path, busyTimeout: .zero)
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    let error = #expect(throws: StoreError.self) {
      try SQLitePushStore(path: path, busyTimeout: .zero)
    }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("locked by another process") == true)
    try other.execute("ROLLBACK")
  }

  @Test("a write fails as locked while another process has the lock, and succeeds afterwards")
  func busy() async throws {
    let store = try SQLitePushStore(path: path, busyTimeout: .zero)
    let other = try SQLiteConnection(path: path, busyTimeout: .zero)
    try other.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: StoreError.self) {
      try await store.add(Sample.app(), keys: [])
    }
    #expect(error?.code == .locked)
    try other.execute("ROLLBACK")
    try await store.add(Sample.app(), keys: [])
  }

  @Test("a file that is not a store is refused", arguments: ["text", "foreign"])
  func foreign(kind: String) throws {
    if kind == "text" {
      try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
    } else {
      try SQLiteConnection(path: path, busyTimeout: .zero).execute("CREATE TABLE t (x)")
    }
    let error = #expect(throws: StoreError.self) { try SQLitePushStore(path: path) }
    #expect(error?.code == .cannotOpen)
  }

  @Test("the error for a missing directory names it")
  func missingDirectory() {
    let error = #expect(throws: StoreError.self) {
      try SQLitePushStore(path: directory.path("none/martlet.sqlite"))
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message.contains("none/martlet.sqlite") == true)
  }

  @Test("writes that wait for a commit share the next one, and only one that fails has an error")
  func groupCommit() async throws {
    let store = try SQLitePushStore(path: path)
    try await store.add(Sample.app(), keys: [])
    let before = store.writer.commits.withLock { $0 }
    let gate = Gate()
    let blocker = Task { try await store.writer.write { _ in gate.enter() } }
    await gate.entered()
    let writes = (0..<40).map { number in
      // Numbers 7 and 8 are the same key.
      Task { try await store.add(Sample.key(number == 8 ? 7 : number)) }
    }
    try await until { store.writer.waitingCount == writes.count }
    gate.open()
    try await blocker.value
    var failures = 0
    for write in writes {
      if case .failure(let error) = await write.result {
        failures += 1
        #expect((error as? StoreError)?.code == .conflict)
      }
    }
    #expect(failures == 1)
    #expect(try await store.keys(app: "app").count == 39)
    #expect(store.writer.commits.withLock { $0 } - before == 2)
  }

  @Test("a commit is synced to the disk unless none of its writes must be")
  func syncedCommits() async throws {
    let writer = try SQLitePushStore(path: path).writer
    #expect(try await writer.read(Self.syncing) == .full)
    #expect(try await writer.write(syncedIf: { _ in false }, Self.syncing) == .normal)
    #expect(!writer.hasJustWritten, "what was not synced says nothing of the disk")
    // A write says so for a second, which a busy machine may take to come here.
    try await until {
      let level = try await writer.write(Self.syncing)
      #expect(level == .full)
      return writer.hasJustWritten
    }
    let gate = Gate()
    let blocker = Task { try await writer.write(syncedIf: { _ in false }) { _ in gate.enter() } }
    await gate.entered()
    let failing = Task<Void, any Error> {
      try await writer.write(syncedIf: { _ in false }) { _ in throw StoreError(.failed, "a test") }
    }
    let group = [false, true, false].map { isSynced in
      Task {
        try await isSynced
          ? writer.write(Self.syncing) : writer.write(syncedIf: { _ in false }, Self.syncing)
      }
    }
    try await until { writer.waitingCount == group.count + 1 }
    gate.open()
    try await blocker.value
    await #expect(throws: StoreError.self) { try await failing.value }
    for write in group { #expect(try await write.value == .full) }
  }

  @Test(
    "a write whose value must be on the disk is run again where the commit was not to be synced")
  func syncedByValue() async throws {
    let writer = try SQLitePushStore(path: path).writer
    func levels(mustSync: Bool) async throws -> [Syncing?] {
      let levels = Mutex<[Syncing?]>([])
      try await writer.write(syncedIf: { _ in mustSync }) { connection in
        let level = try Self.syncing(connection)
        levels.withLock { $0.append(level) }
      }
      return levels.withLock(\.self)
    }
    #expect(try await levels(mustSync: true) == [.normal, .full])
    #expect(try await levels(mustSync: true) == [.full], "the one before had to be synced")
    #expect(try await levels(mustSync: false) == [.full])
    #expect(try await levels(mustSync: false) == [.normal])
  }

  @Test(
    "a lease is synced to the disk where it starts its send or is counted against a rule",
    arguments: [false, true])
  func syncedLeases(isCapped: Bool) async throws {
    let store = try SQLitePushStore(path: path)
    let fixture = try await StoreFixture(store, "synced")
    try await fixture.register(Batch.limit + 10)
    if isCapped {
      var limits = AppLimits()
      limits.caps = [FrequencyCap(most: 3, within: .seconds(86_400))]
      try await store.setLimits(limits, app: "synced")
    }
    try await fixture.accept("synced-send") { if isCapped { $0.capping = [.obeys, .counts] } }
    let first = try #require(await fixture.lease())
    #expect(try await store.writer.read(Self.syncing) == .full)
    // The lease before had to be synced, so the next one is.
    let second = try #require(await fixture.lease())
    #expect(try await store.writer.read(Self.syncing) == .full)
    try await fixture.finish(second, [])
    _ = try #require(await fixture.lease())
    #expect(try await store.writer.read(Self.syncing) == (isCapped ? .full : .normal))
    try await fixture.finish(first)
    #expect(try await store.writer.read(Self.syncing) == .full)
  }

  /// SQLite's numbers for `PRAGMA synchronous`.
  private enum Syncing: Int64 { case normal = 1, full }

  private static func syncing(_ connection: SQLiteConnection) throws -> Syncing? {
    try connection.row("PRAGMA synchronous") { Syncing(rawValue: $0.integer(0)) } ?? nil
  }

  @Test("two connections write in turns")
  func twoWriters() async throws {
    let one = try SQLitePushStore(path: path)
    let two = try SQLitePushStore(path: path)
    try await one.add(Sample.app(), keys: [])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask { try await one.add(Sample.key(number)) }
        group.addTask { try await two.add(Sample.key(number + 100)) }
      }
      try await group.waitForAll()
    }
    #expect(try await two.keys(app: "app").count == 100)
  }
}

/// Blocks a thread until the gate is opened, and tells an async test that the thread waits.
final class Gate: Sendable {
  private let arrived = AsyncStream<Void>.makeStream()
  private let held = DispatchSemaphore(value: 0)
  func enter() {
    arrived.continuation.yield()
    held.wait()
  }
  func entered() async { for await _ in arrived.stream { return } }
  func open() { held.signal() }
}
