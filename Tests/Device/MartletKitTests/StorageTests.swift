import Foundation
import Glibc
import PushPayload
import Synchronization
import Testing

@testable import MartletKit

@Suite("Storage", .timeLimit(.minutes(10)))
struct StorageTests {
  @Test(
    "before the first unlock no device is made, and what is asked for is done after it",
    arguments: [[], ["Device/record.json"]] as [Set<String>])
  func locked(unreadable: Set<String>) async throws {
    let phone = ModelPhone()
    let first = await phone.started()
    first.setToken(Data([1]))
    await first.update { $0.tags = ["a"] }
    await first.synchronize()
    let id = phone.record?.id
    phone.disk.state.withLock { ($0.isLocked, $0.unreadable) = (unreadable.isEmpty, unreadable) }
    let push = phone.launch().push
    await push.start()
    push.setToken(Data([2]))
    await push.update { $0.tags.insert("b") }
    try await push.record("event")
    let tap = push.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    #expect(await push.synchronize().state == .waitingForStorage)
    let count = phone.server.requests.count
    phone.advance(seconds: 3600)
    #expect(await push.synchronize().state == .waitingForStorage)
    #expect(phone.server.requests.count == count)
    phone.disk.state.withLock { ($0.isLocked, $0.unreadable) = (false, []) }
    await push.activate()
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.record?.id == id && phone.server.devices.count == 1)
    #expect(phone.device?.members["push_token"] == "02")
    #expect(phone.device?.members["tags"] == ["a", "b"])
    #expect(phone.device?.events == ["event": 1])
    #expect(phone.disk.facts("Openings").map(\.id) == [tap?.id])
  }

  @Test("a full disk loses nothing while the app runs, and changes keep their order")
  func full() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    phone.disk.state.withLock { $0.isFull = true }
    await push.update { $0["n"] = .integer(1) }
    try await push.record("event")
    #expect(await push.synchronize().state == .waitingForStorage)
    await push.update { $0["n"] = .integer(2) }
    phone.disk.state.withLock { $0.isFull = false }
    await push.update { $0["n"] = .integer(3) }
    phone.advance(seconds: 6)
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.device?.attributes["n"]?["value"] == 3)
    #expect(phone.device?.events == ["event": 1])
  }

  @Test("a record that cannot be read is not one that is missing")
  func unreadable() async throws {
    let place = TemporaryPlace()
    let storage = FolderStorage(place.url)
    let files = DeviceFiles(storage)
    #expect(try files.record() == nil)
    try files.change { $0 = DeviceRecord(id: "d", secret: "s") }
    #expect(try files.record()?.id == "d")
    try storage.remove("Device/record.json")
    // A folder in the file's place fails to be read, also for root.
    try FileManager.default.createDirectory(
      at: place.url.appending(path: "Device/record.json"), withIntermediateDirectories: true)
    #expect(throws: (any Error).self) { try files.record() }
    #expect(throws: (any Error).self) {
      try files.change { $0 = DeviceRecord(id: "other", secret: "s") }
    }
  }

  @Test("a folder that cannot be made, or is a file, fails and leaves nothing")
  func noFolder() throws {
    let place = TemporaryPlace()
    try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
    try Data().write(to: place.url.appending(path: "file"))
    let storage = FolderStorage(place.url.appending(path: "file"))
    #expect(throws: (any Error).self) { try storage.write(Data([1]), to: "a") }
    #expect(throws: (any Error).self) { try storage.exclusively {} }
    #expect(place.files == ["file"])
  }

  @Test("a file is written whole, and a part of one that failed is removed")
  func parts() throws {
    let place = TemporaryPlace()
    let storage = FolderStorage(place.url)
    try storage.write(Data([1, 2]), to: "a/b")
    try storage.write(Data([3]), to: "a/b")
    #expect(try storage.read("a/b") == Data([3]))
    #expect(try storage.names(in: "a") == ["b"])
    try FileManager.default.createDirectory(
      at: place.url.appending(path: "a/c/d"), withIntermediateDirectories: true)
    #expect(throws: (any Error).self) { try storage.write(Data([1]), to: "a/c") }
    #expect(try storage.names(in: "a").sorted() == ["b", "c"])
    try storage.remove("a/b")
    try storage.remove("a/b")
    #expect(try storage.read("a/b") == nil)
    #expect(try storage.names(in: "none") == [])
  }

  @Test("changes of many threads and two processes come one after the other")
  func exclusive() async throws {
    let place = TemporaryPlace()
    try DeviceFiles(FolderStorage(place.url)).change { $0 = DeviceRecord(id: "d", secret: "s") }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          // Each has a descriptor of its own, as another process has.
          let files = DeviceFiles(FolderStorage(place.url))
          for step in 0..<10 {
            while (try? files.change { $0?.want("\(number).\(step)", true) }) == nil {
              await Task.yield()
            }
          }
        }
      }
    }
    #expect(try DeviceFiles(FolderStorage(place.url)).record()?.wanted.count == 80)
  }

  @Test(
    "of the facts over the limit the oldest tenth is dropped",
    arguments: [(100, 100), (101, 90), (111, 100), (112, 90)])
  func limit(added: Int, kept: Int) throws {
    let files = FactFiles(
      storage: ModelStorage(ModelDisk()), folder: "Events", limit: 100, time: "date")
    for number in 0..<added {
      try files.add(
        .event("e\(number)", id: "\(number)", items: [], notification: nil, at: Int64(number)))
    }
    let names = try files.waiting().compactMap { $0.json["name"]?.string }
    #expect(names.count == kept && names.last == "e\(added - 1)")
    #expect(names.first == "e\(added - kept)")
  }

  @Test("an event has at most 8 KiB and a name")
  func factSize() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let frame = StoredFact.event(
      "e", id: String(repeating: "0", count: 32), items: [], notification: "", at: 0)
    let free = FactFiles.maximumBytes - frame.json.serialized().count
    try await push.record("e", notification: String(repeating: "x", count: free))
    await #expect(throws: PushError.self) {
      try await push.record("e", notification: String(repeating: "x", count: free + 1))
    }
    await #expect(throws: PushError.self) { try await push.record("") }
    #expect(phone.disk.facts("Events").count == 1)
  }

  @Test("a file among the facts that is none is removed, one that cannot be read stays")
  func strangeFacts() throws {
    let place = TemporaryPlace()
    let storage = FolderStorage(place.url)
    let files = FactFiles(storage: storage, folder: "Events", limit: 100, time: "date")
    try files.add(.event("e", id: "1", items: [], notification: nil, at: 0))
    #expect(try files.read().isComplete)
    for (name, text) in [("2.json", "{"), ("3.json", #"{"id":"4"}"#), ("4.json", "")] {
      try storage.write(Data(text.utf8), to: "Events/\(name)")
    }
    try FileManager.default.createDirectory(
      at: place.url.appending(path: "Events/5.json"), withIntermediateDirectories: true)
    try storage.write(Data(), to: "Events/.x.part")
    #expect(try files.waiting().map(\.id) == ["1"])
    #expect(try storage.names(in: "Events").sorted() == [".x.part", "1.json", "5.json"])
    #expect(try !files.read().isComplete)
  }

  /// The folders of a device in which a process may be killed while it writes.
  private static let folders = ["Device", "Inbox", "Events", "Receipts", "Marks", "Openings"]

  /// A device on a disk, with a part in each folder whose name begins with a text.
  private static func started(in place: TemporaryPlace, part: String) async throws -> PushDevice {
    let settings = PushSettings(
      server: try #require(URL(string: "https://push.example.com")), key: "KEY", folder: place.url)
    var environment = PushEnvironment.system(settings, transport: ModelServer())
    environment.sleep = nil
    let push = PushDevice(settings, environment: environment)
    await push.start()
    await push.synchronize()
    push.reportBadge(3)
    for folder in folders {
      let folder = place.url.appending(path: "Library/Martlet/\(folder)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("secret".utf8).write(
        to: folder.appending(path: ".\(part)\(UUID().uuidString).part"))
    }
    return push
  }

  @Test(
    "what a killed process has begun to write is removed by the next start, after a minute",
    arguments: [(0, 6), (50, 6), (70, 1), (-50, 6), (-70, 1), (nil, 1)] as [(Int?, Int)])
  func leftovers(age: Int?, count: Int) async throws {
    let place = TemporaryPlace()
    let now = Int(Date().timeIntervalSince1970)
    let push = try await Self.started(in: place, part: age.map { "\(now - $0)." } ?? "")
    await push.start()
    let left = place.files.filter { $0.hasSuffix(".part") }
    // The service extension's queue removes those among the receipts.
    #expect(left.count == count && left.contains { $0.contains("/Receipts/") })
  }

  @Test(
    "a part with any number in its name is compared with the time", arguments: [Int.min, 0, .max])
  func oddParts(number: Int) throws {
    let place = TemporaryPlace()
    let storage = FolderStorage(place.url)
    let path = "a/.\(number).x.part"
    try storage.overwrite(Data([1]), at: path)
    try storage.removeParts(in: "a", olderThan: 60)
    #expect(try storage.read(path) == nil)
  }

  @Test("an erasure leaves no file of the device, not even one that a killed process has begun")
  func nothingIsLeft() async throws {
    let place = TemporaryPlace()
    let push = try await Self.started(in: place, part: "")
    try await push.erase()
    let files = place.files.filter { file in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(
        atPath: place.url.appending(path: file).path, isDirectory: &isFolder)
      return !isFolder.boolValue
    }
    #expect(files == ["Library/Martlet/lock"])
  }

  @Test("a file is overwritten in place, unless another process holds it")
  func overwriting() throws {
    let place = TemporaryPlace()
    let storage = FolderStorage(place.url)
    try storage.overwrite(Data([1, 2, 3]), at: "badge")
    let file = place.url.appending(path: "badge").path
    func number() throws -> NSNumber? {
      try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? NSNumber
    }
    let old = try number()
    try storage.overwrite(Data([4]), at: "badge")
    #expect(try number() == old && storage.read("badge") == Data([4]))
    let descriptor = open(file, O_RDWR | O_CLOEXEC)
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(throws: (any Error).self) { try storage.overwrite(Data([5]), at: "badge") }
    close(descriptor)
    #expect(try storage.read("badge") == Data([4]))
  }
}
