import Foundation
import Glibc
import NotificationTemplates
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Old sets of templates' media", .timeLimit(.minutes(10)))
struct TemplateCleaningTests {
  static let now = Date(timeIntervalSince1970: 1_795_000_000)
  static let week = TimeInterval(7 * 86_400)

  private let group = TemporaryFolder()
  private var root: URL { TemplateMediaSet.root(in: group.url) }

  private func name(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }

  private func touch(_ path: String, age: TimeInterval) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Self.now.addingTimeInterval(-age)],
      ofItemAtPath: root.appending(path: path).path)
  }

  /// Writes a set whose manifest says that its file has this many bytes.
  private func plant(_ number: Int, bytes: Int64 = 1, age: TimeInterval = 0) throws {
    let folder = name(1_000_000 + number)
    try FileManager.default.createDirectory(
      at: root.appending(path: folder), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: root.appending(path: "\(folder)/1.png"))
    let file = MediaManifest.File(name: "1.png", type: .png, bytes: bytes)
    let manifest = MediaManifest(
      template: name(0), folder: folder, media: [.init(id: "1", state: .ready(file))])
    try manifest.json.serialized().write(to: root.appending(path: name(number) + ".json"))
    try touch(name(number) + ".json", age: age)
    try touch(folder, age: age)
  }

  /// The numbers of the sets that are left, each with its manifest and its file.
  private var left: [Int] {
    get throws {
      try TemplateRun.stored(in: group).filter { $0.hasSuffix(".json") }.map { path in
        let number = try #require(Int(path.dropLast(5), radix: 16))
        let file = root.appending(path: "\(name(1_000_000 + number))/1.png")
        #expect(FileManager.default.fileExists(atPath: file.path))
        return number
      }
    }
  }

  @discardableResult private func clean() -> Int {
    TemplateMediaSet.removeOld(in: group.url, at: Self.now)
  }

  /// The size of the manifest of a set with a file of one byte.
  private func manifestSize(bytes: Int64) throws -> Int64 {
    try plant(0, bytes: bytes)
    return try #require(OwnFile.size(root.appending(path: name(0) + ".json")))
  }

  @Test(
    "are deleted after a week, and also where their date is a week ahead",
    arguments: [(week, true), (week + 1, false), (-week, true), (-week - 1, false), (0, true)])
  func age(age: TimeInterval, stays: Bool) throws {
    try plant(1, age: age)
    #expect(clean() == (stays ? 0 : 1))
    #expect(try left == (stays ? [1] : []))
    #expect(TemplateRun.stored(in: group).isEmpty == !stays, "the folder goes with the manifest")
  }

  @Test("the oldest are deleted beyond 60 million bytes", arguments: [0, 1])
  func size(excess: Int64) throws {
    let manifest = try manifestSize(bytes: 20_000_000)
    try plant(0, bytes: 20_000_000, age: 30)
    try plant(1, bytes: 20_000_000 - 3 * manifest + excess, age: 20)
    try plant(2, bytes: 20_000_000, age: 10)
    #expect(clean() == Int(excess))
    #expect(try left == (excess == 0 ? [0, 1, 2] : [1, 2]))
  }

  @Test("a newer set that is too large does not cost the smaller ones after it")
  func large() throws {
    try plant(1, bytes: 60_000_001, age: 1)
    try plant(2, bytes: 10, age: 2)
    clean()
    #expect(try left == [2])
  }

  @Test("sizes that no file has do not overflow")
  func overflow() throws {
    for number in 1...3 { try plant(number, bytes: .max, age: Double(number)) }
    try plant(4, age: 4)
    clean()
    #expect(try left == [4])
  }

  @Test("the oldest are deleted beyond a hundred", arguments: [100, 101])
  func count(count: Int) throws {
    for number in 1...count { try plant(number, age: TimeInterval(number)) }
    #expect(clean() == count - 100)
    #expect(try left == Array(1...100))
  }

  @Test(
    "what a killed extension left is deleted after an hour, and nothing else is",
    arguments: [
      (3600, true), (3601, false), (-9000, true),
    ] as [(TimeInterval, Bool)])
  func leftovers(age: TimeInterval, stays: Bool) throws {
    try plant(1)
    let (folder, part, other) = (name(7), name(8) + ".part", "notes")
    for path in [folder, other] {
      try FileManager.default.createDirectory(
        at: root.appending(path: path), withIntermediateDirectories: true)
    }
    try Data("{".utf8).write(to: root.appending(path: part))
    try Data("x".utf8).write(to: root.appending(path: "\(folder)/1.png"))
    for path in [folder, part, other] { try touch(path, age: age) }
    clean()
    let stored = TemplateRun.stored(in: group)
    #expect(stored.contains(folder) == stays && stored.contains(part) == stays)
    #expect(stored.contains(other))
    #expect(try left == [1])
  }

  @Test("a manifest that is not one is deleted")
  func unreadable() throws {
    for (number, text) in ["{", "[]", String(repeating: " ", count: 65_537)].enumerated() {
      try plant(1)
      try Data(text.utf8).write(to: root.appending(path: name(20 + number) + ".json"))
      clean()
      #expect(try left == [1])
    }
  }

  @Test("before the phone's first unlock, when manifests cannot be read, no folder is deleted")
  func locked() async throws {
    try plant(1)
    try touch(name(1_000_001), age: 9000)
    chmod(root.appending(path: name(1) + ".json").path, 0)
    // No permission keeps the superuser from reading.
    let user = getuid() == 0 ? 65_534 : getuid()
    for path in ["", "/" + name(1) + ".json", "/" + name(1_000_001)] {
      chown(root.path + path, user, gid_t.max)
    }
    let path = group.url.path(percentEncoded: false)
    await #expect(processExitsWith: .success) { [path = path as String, user = user as UInt32] in
      _ = seteuid(user)
      _ = TemplateMediaSet.removeOld(in: URL(filePath: path), at: TemplateCleaningTests.now)
    }
    #expect(TemplateRun.stored(in: group).contains(name(1_000_001)))
    chmod(root.appending(path: name(1) + ".json").path, 0o600)
    #expect(try left == [1])
  }

  @Test("a folder that does not exist has no sets")
  func missing() {
    #expect(clean() == 0)
    #expect(group.contents == [])
  }

  @Test("a delivery with media deletes old sets before it fetches, and says so")
  func delivery() throws {
    try plant(1, age: Self.week + 1)
    let run = TemplateRun(Sample.payload(["https://a/1"]), group: group) { $0.date = { Self.now } }
    #expect(run.rules.contains("template removed"))
    #expect(TemplateRun.stored(in: group) == [])
    let other = TemplateRun(Sample.payload(["https://a/1"]), group: group) {
      $0.date = { Self.now }
    }
    #expect(!other.rules.contains("template removed"))
  }

  @Test("a set that another extension has just replaced is not deleted")
  func replacedMeanwhile() async throws {
    // Cleaning judges the old manifest while the other extension writes the new one.
    let target = MediaManifest.names(request: "r", message: nil)[0] + ".json"
    let now = Date()
    for round in 0..<200 {
      let run = TemplateRun(Sample.carousel(2), group: group)
      try plant(1)
      _ = rename(
        root.appending(path: name(1) + ".json").path, root.appending(path: target).path)
      try FileManager.default.setAttributes(
        [.modificationDate: now.addingTimeInterval(-Self.week - 60)],
        ofItemAtPath: root.appending(path: target).path)
      await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask { [group] in _ = TemplateMediaSet.removeOld(in: group.url, at: now) }
        tasks.addTask { for url in run.urls { run.respond(url) } }
      }
      #expect(run.prepared?.missing.isEmpty == true, "round \(round)")
    }
  }

  @Test("a kill at any time leaves no set that is half written", arguments: [1, 3, 7, 20, 60])
  func killed(milliseconds: UInt32) async throws {
    let path = group.url.path(percentEncoded: false)
    await #expect(processExitsWith: .signal(SIGALRM)) {
      [path = path as String, milliseconds = milliseconds as UInt32] in
      ualarm(milliseconds * 1000, 0)
      for number in 0... {
        let run = TemplateRun(
          Sample.carousel(3), identifier: "\(number % 5)", container: URL(filePath: path))
        for url in run.urls { run.respond(url) }
      }
    }
    let template = try #require(TemplateRun(Sample.carousel(3)).template)
    for number in 0..<5 {
      let prepared = PreparedTemplate(
        template, request: "\(number)", in: AppGroupFiles(container: group.url))
      #expect(prepared.files.isEmpty || prepared.missing.isEmpty)
      #expect(prepared.missing.allSatisfy { $0.reason == "not-prepared" })
    }
    _ = TemplateMediaSet.removeOld(in: group.url, at: Date(timeIntervalSinceNow: 3700))
    let stored = TemplateRun.stored(in: group)
    let sets = stored.filter { $0.hasSuffix(".json") }.count
    #expect(stored.count == 5 * sets, "nothing is left but whole sets")
  }
}
