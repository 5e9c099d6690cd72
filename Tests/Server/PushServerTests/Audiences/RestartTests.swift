import Foundation
import PushModel
import PushPayload
import Synchronization
import TestSupport
import Testing
import _Bitmaps

@testable import PushServer

@Suite("Audience indexes after a restart", .timeLimit(.minutes(10)))
struct RestartTests {
  private let folder = TemporaryFolder()

  private func node(_ log: MemoryLog) -> Audiences {
    var schedule = SnapshotSchedule()
    schedule.minimumDevices = 1
    return Audiences(log, folder: folder.path("audiences"), schedule: schedule)
  }

  private var files: [String] { list() }

  private var list: @Sendable () -> [String] {
    { [path = folder.path("audiences/app")] in
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
  }

  /// A log with devices whose index is in a snapshot.
  private func saved(_ count: UInt32 = 5000, kept: Int = .max) async throws -> MemoryLog {
    let log = MemoryLog(kept: kept)
    log.save(MemoryLog.devices(1...count))
    let list = list
    await node(log).follow { list().contains("manifest") && list().count == 2 }
    #expect(files.count == 2)
    log.resetReads()
    return log
  }

  @Test("a server that stops writes what has changed, so that the next start reads nothing of it")
  func stop() async throws {
    let log = try await saved()
    let node = node(log)
    log.save(MemoryLog.devices(5001...25_000))
    #expect(try await node.count() == 25_000)
    await node.saveAll(at: RandomAudience.now) { Issue.record("\($0)") }
    log.resetReads()
    #expect(try await self.node(log).count() == 25_000)
    #expect(log.reads == MemoryLog.Reads())
  }

  @Test("a restart reads the snapshot, and then only what has changed since")
  func restart() async throws {
    let log = try await saved()
    log.save(MemoryLog.devices(7...9, tag: "sport"))
    let node = node(log)
    #expect(try await node.count() == 5000)
    #expect(try await node.count(tag: "sport") == 3)
    #expect(try await node.count(tag: "news") == 4997)
    #expect(try await node.count(userID: "user-8") == 1)
    #expect(log.reads == MemoryLog.Reads(scanned: 0, changed: 3))
  }

  @Test("only the owner can read a snapshot")
  func mode() async throws {
    _ = try await saved()
    for file in files {
      let path = folder.path("audiences/app/\(file)")
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  static let damages: [(String, @Sendable (String) throws -> Void)] = [
    ("missing", { try FileManager.default.removeItem(atPath: $0) }),
    ("empty", { try Data().write(to: URL(filePath: $0)) }),
    (
      "cut off",
      { path in
        let bytes = try Data(contentsOf: URL(filePath: path))
        try bytes.dropLast(32).write(to: URL(filePath: path))
      }
    ),
    (
      "changed",
      { path in
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[40] ^= 0x80
        try bytes.write(to: URL(filePath: path))
      }
    ),
    ("foreign", { try Data(repeating: 7, count: 4096).write(to: URL(filePath: $0)) }),
    (
      "a folder",
      { path in
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
    ),
  ]

  @Test("a file that cannot be believed is made anew", arguments: damages)
  func faults(name: String, damage: @Sendable (String) throws -> Void) async throws {
    for place in 0..<2 {
      let log = try await saved()
      try damage(folder.path("audiences/app/\(files[place])"))
      let node = node(log)
      #expect(try await node.count(tag: "news") == 5000, "\(name)")
      #expect(log.reads.scanned == 5000)
      try? FileManager.default.removeItem(atPath: folder.path("audiences"))
    }
  }

  @Test("a snapshot of another log is not believed, also where that log has as many changes")
  func otherLog() async throws {
    _ = try await saved()
    for count in [4999, 5000, 5001] as [UInt32] {
      let other = MemoryLog()
      other.save(MemoryLog.devices(1...count, tag: "sport").reversed())
      let node = node(other)
      #expect(try await node.count(tag: "sport") == Int(count))
    }
  }

  @Test("a snapshot that is older than the log's changes is made anew")
  func outdated() async throws {
    let log = try await saved(5000, kept: 100)
    log.save(MemoryLog.devices(1...100, tag: "sport"))
    #expect(try await node(log).count(tag: "sport") == 100)
    #expect(log.reads.scanned == 5000)
    try FileManager.default.removeItem(atPath: folder.path("audiences"))
    // At the limit, the log still has the 64 changes that are compared.
    let other = try await saved(5000, kept: 163)
    other.save(MemoryLog.devices(1...99, tag: "sport"))
    #expect(try await node(other).count(tag: "sport") == 99)
    #expect(other.reads.scanned == 0)
    other.save(MemoryLog.devices(100...100, tag: "sport"))
    #expect(try await node(other).count(tag: "sport") == 100)
    #expect(other.reads.scanned == 5000)
  }

  @Test("an index is made though the log forgets changes faster than they can be read")
  func fastWrites() async throws {
    let next = Mutex<UInt32>(1)
    let log = MemoryLog(kept: 10) { log in
      // Before each page that is read, more is written than the log keeps.
      let first = next.withLock { next in
        defer { next += 50 }
        return next
      }
      log.save(MemoryLog.devices(first...first + 49))
    }
    log.save(MemoryLog.devices(100_001...110_000, tag: "old"))
    let node = Audiences(log)
    // Concurrent callers, whose rebuilds follow each other.
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<5 { group.addTask { try await node.count(tag: "old") } }
      for try await count in group { #expect(count == 10_000) }
    }
  }

  @Test("what is written while the index is made is in it, without another scan")
  func writesDuringScan() async throws {
    let next = Mutex<UInt32>(1)
    let log = MemoryLog(kept: 3000) { log in
      let first = next.withLock { next in
        defer { next += 500 }
        return next
      }
      log.save(MemoryLog.devices(first...first + 499, tag: "new"))
    }
    log.save(MemoryLog.devices(1...20_000))
    let node = Audiences(log)
    _ = try await node.count()
    let scanned = log.reads.scanned
    #expect(scanned >= 20_000 && scanned < 40_000)
    // The log has forgotten the changes of the scan's beginning, and is still followed.
    #expect(try await node.count(tag: "new") > 4000)
    #expect(log.reads.scanned == scanned)
  }

  @Test("a node follows an app that nobody has asked about")
  func following() async throws {
    let log = MemoryLog()
    log.save(MemoryLog.devices(1...100))
    let node = Audiences(log)
    await node.follow { log.reads.scanned == 100 }
    // A page of changes is applied after it is read.
    log.resetReads()
    #expect(try await node.count() == 100)
    #expect(log.reads == MemoryLog.Reads())
  }

  @Test("an erased device leaves the files with the next snapshot, and a deleted app's files go")
  func erasure() async throws {
    let log = MemoryLog()
    log.save(MemoryLog.devices(1...100))
    let node = node(log)
    let names = list
    await node.follow { names().count == 2 }
    let first = names()
    var erased = MemoryLog.devices(7...7)[0].erased(at: RandomAudience.now)
    erased.number = 7
    log.save([erased])
    await node.follow(at: RandomAudience.now + .seconds(86_400)) {
      names().count == 2 && names() != first
    }
    let manifest = try SnapshotFolder.manifest(
      in: try #require(FixedBytes(mapping: folder.path("audiences/app/manifest"))), app: "app")
    let bytes = try Data(
      contentsOf: URL(filePath: folder.path("audiences/app/\(manifest.files[0])")))
    for (text, isThere) in [("device-7", false), ("user-7", false), ("user-8", true)] {
      let hash = TextHash(text, manifest.key).bits
      let wanted = Data((0..<8).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) })
      #expect((bytes.range(of: wanted) != nil) == isThere, "\(text)")
    }
    #expect(try await self.node(log).count() == 99)

    SnapshotFolder.removeAll(in: folder.path("audiences"), but: ["app"])
    #expect(names().count == 2)
    SnapshotFolder.removeAll(in: folder.path("audiences"), but: ["other"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("audiences/app")))
  }
}
