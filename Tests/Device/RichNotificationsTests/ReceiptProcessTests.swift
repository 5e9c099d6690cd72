import Foundation
import Glibc
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Receipts and badge across processes", .timeLimit(.minutes(10)))
struct ReceiptProcessTests {
  private let folder = TemporaryFolder()

  @Test("the app finds the receipts of a killed extension")
  func killed() async {
    let path = folder.url.path(percentEncoded: false)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let queue = ReceiptQueue(folder: URL(filePath: path))
      for number in 0..<20 { try queue.add(ReceiptTests.receipt("\(number)")) }
      raise(SIGKILL)
    }
    let found = Set(ReceiptQueue(folder: folder.url).waiting().map(\.notificationID))
    #expect(found == Set((0..<20).map(String.init)))
  }

  @Test("a kill at any time leaves no partial receipt", arguments: [1, 3, 7, 20, 60])
  func killedAnywhere(milliseconds: UInt32) async {
    let path = folder.url.path(percentEncoded: false)
    await #expect(processExitsWith: .signal(SIGALRM)) {
      [path = path as String, milliseconds = milliseconds as UInt32] in
      let queue = ReceiptQueue(folder: URL(filePath: path), limit: .max)
      ualarm(milliseconds * 1000, 0)
      for number in 0... { try queue.add(ReceiptTests.receipt("\(number)")) }
    }
    let files = folder.contents.count { $0.hasSuffix(".json") }
    let queue = ReceiptQueue(folder: folder.url)
    #expect(queue.waiting().count == files)
    #expect(Set(queue.waiting().map(\.notificationID)) == Set((0..<files).map(String.init)))
  }

  @Test("on a full disk a receipt is refused, no partial file is left, and earlier receipts stay")
  func full() async throws {
    let path = folder.url.path(percentEncoded: false)
    let queue = ReceiptQueue(folder: folder.url)
    try queue.add(ReceiptTests.receipt("before"))
    await #expect(processExitsWith: .success) { [path = path as String] in
      // No file may grow beyond 64 bytes: the write fails in its middle, as on a full disk.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
        exit(2)
      }
      do {
        try ReceiptQueue(folder: URL(filePath: path)).add(ReceiptTests.receipt("after"))
        exit(3)
      } catch let error as ReceiptError {
        exit(error.code == .storage ? 0 : 4)
      }
    }
    #expect(queue.waiting().map(\.notificationID) == ["before"])
    #expect(folder.contents.count == 1)
  }

  @Test("two processes that count at the same time get the right sum")
  func badge() async {
    let path = folder.url.path(percentEncoded: false)
    async let first: Void = count(path)
    async let second: Void = count(path)
    _ = await (first, second)
    #expect(BadgeCounter(folder: folder.url).number == 4000)
  }

  private func count(_ path: String) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let counter = BadgeCounter(folder: URL(filePath: path))
      for _ in 0..<2000 { while counter.apply(.add(1)) == nil {} }
    }
  }
}
