import Foundation
import TestSupport
import Testing

@testable import RichNotifications

@Suite("The queue of receipts", .timeLimit(.minutes(10)))
struct ReceiptQueueTests {
  private let folder = TemporaryFolder()
  private var queue: ReceiptQueue { ReceiptQueue(folder: folder.url) }

  /// Adds receipts whose files are a second apart, the first the oldest.
  private func fill(_ queue: ReceiptQueue, _ names: [String]) throws {
    for (second, name) in names.enumerated() {
      let receipt = ReceiptTests.receipt(name)
      try queue.add(receipt)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(second))],
        ofItemAtPath: folder.path(receipt.id + ".json"))
    }
  }

  @Test("receipts are read in order, until they are removed")
  func order() throws {
    try fill(queue, ["c", "a", "b"])
    #expect(queue.waiting().map(\.notificationID) == ["c", "a", "b"])
    #expect(queue.waiting(atMost: 2).map(\.notificationID) == ["c", "a"])
    queue.remove(queue.waiting(atMost: 1).map(\.id))
    #expect(queue.waiting().map(\.notificationID) == ["a", "b"])
  }

  @Test("a missing folder has no receipts, and is created with the first one")
  func absent() throws {
    let queue = ReceiptQueue(folder: folder.file("a/b"))
    #expect(queue.waiting().isEmpty)
    try queue.add(ReceiptTests.receipt())
    #expect(queue.waiting().count == 1)
  }

  @Test("the same push twice is one receipt")
  func twice() throws {
    try queue.add(ReceiptTests.receipt())
    try queue.add(ReceiptTests.receipt(at: ReceiptTests.morning + 5))
    #expect(queue.waiting().count == 1)
    #expect(folder.contents.count == 1)
  }

  @Test(
    "identifiers with path characters do not change the file's location",
    arguments: [
      "../../etc/passwd", "..", ".", "", "/", "a/b", "\u{0}", "a\u{0}b", "~", "%2e%2e", "\n",
      String(repeating: "x", count: 2048), "🦆",
    ])
  func names(id: String) throws {
    let inner = ReceiptQueue(folder: folder.file("inner"))
    try inner.add(ReceiptTests.receipt(id, device: id))
    #expect(folder.contents == ["inner"])
    #expect(inner.waiting().map(\.notificationID) == [id])
    inner.remove([id])
    inner.remove(inner.waiting().map(\.id))
    #expect(folder.contents == ["inner"])
    #expect(inner.waiting().isEmpty)
  }

  @Test("removing an identifier with path characters removes nothing")
  func foreignRemoval() throws {
    _ = try folder.write("keep", to: "keep.json")
    let inner = ReceiptQueue(folder: folder.file("inner"))
    try inner.add(ReceiptTests.receipt())
    inner.remove(["../keep", "../keep.json", ""])
    #expect(folder.contents == ["inner", "keep.json"])
  }

  @Test("500 receipts are kept, of 501 the oldest is dropped", arguments: [500, 501])
  func bound(count: Int) throws {
    try fill(queue, (0..<count).map { "n\($0)" })
    let waiting = queue.waiting().map(\.notificationID)
    #expect(waiting == (max(0, count - 500)..<count).map { "n\($0)" })
  }

  @Test("a receipt of 8 KiB is stored, one a byte longer is refused")
  func size() throws {
    let short = Receipt(
      notificationID: "n", deviceID: "d", event: .displayed, at: ReceiptTests.morning, reason: "")
    let room = try ReceiptQueue.maximumBytes - JSONEncoder().encode(short).count
    func receipt(_ count: Int) -> Receipt {
      Receipt(
        notificationID: "n", deviceID: "d", event: .displayed, at: ReceiptTests.morning,
        reason: String(repeating: "x", count: count))
    }
    let error = #expect(throws: ReceiptError.self) { try queue.add(receipt(room + 1)) }
    #expect(error?.code == .tooLarge)
    #expect(folder.contents.isEmpty)
    try queue.add(receipt(room))
    #expect(queue.waiting() == [receipt(room)])
  }

  @Test("a file that is not a receipt is removed")
  func corrupt() throws {
    try queue.add(ReceiptTests.receipt())
    let name = ReceiptTests.receipt("other").id + ".json"
    _ = try folder.write("", to: "empty.json")
    _ = try folder.write("{\"id\":", to: name)
    _ = try folder.write([UInt8](repeating: 0xff, count: 300), to: "binary.json")
    _ = try folder.write([UInt8](repeating: 0x20, count: 8193), to: "long.json")
    _ = try folder.write(String(repeating: "[", count: 8000), to: "deep.json")
    try FileManager.default.createDirectory(
      at: folder.file("folder.json"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: folder.file("link.json"), withDestinationURL: URL(filePath: "/dev/zero"))
    try FileManager.default.copyItem(
      at: folder.file(ReceiptTests.receipt().id + ".json"), to: folder.file("copy.json"))
    _ = try folder.write("not ours", to: "README")
    #expect(queue.waiting() == [ReceiptTests.receipt()])
    #expect(folder.contents == ["README", ReceiptTests.receipt().id + ".json"].sorted())
  }

  @Test("a temporary file is not a receipt, and is removed after a minute")
  func parts() throws {
    _ = try folder.write("{", to: ".old.part")
    _ = try folder.write("{", to: ".new.part")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -90)], ofItemAtPath: folder.path(".old.part"))
    try queue.add(ReceiptTests.receipt())
    #expect(queue.waiting().count == 1)
    #expect(folder.contents.filter { $0.hasSuffix(".part") } == [".new.part"])
  }

  @Test("a folder that is a file is an error without identifiers")
  func noFolder() throws {
    let queue = ReceiptQueue(folder: try folder.write([1], to: "file"))
    let error = #expect(throws: ReceiptError.self) {
      try queue.add(ReceiptTests.receipt("secret"))
    }
    #expect(error?.code == .storage)
    #expect(error.map { "\($0)".contains("secret") } == false)
    #expect(queue.waiting().isEmpty)
  }

  @Test("concurrent writers and a reader lose nothing")
  func crowd() async throws {
    let queue = queue
    let taken = await withTaskGroup(of: Set<String>.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            try? queue.add(ReceiptTests.receipt("\(writer)-\(number)"))
          }
          return []
        }
      }
      group.addTask {
        var taken: Set<String> = []
        for _ in 0..<20 {
          let receipts = queue.waiting()
          taken.formUnion(receipts.map(\.notificationID))
          queue.remove(receipts.map(\.id))
        }
        return taken
      }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    #expect(taken.union(queue.waiting().map(\.notificationID)).count == 200)
  }
}
