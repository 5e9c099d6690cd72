import Foundation
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import RichNotifications

@Suite("A damaged file of the app group", .timeLimit(.minutes(10)))
struct DamagedAppGroupTests {
  private let folder = TemporaryFolder()

  private static func flips(of bytes: Data) -> [Data] {
    bytes.indices.flatMap { index in
      ([0x01, 0x20, 0x80] as [UInt8]).map { bit in
        var changed = bytes
        changed[index] ^= bit
        return changed
      }
    }
  }

  @Test("a receipt that is cut off anywhere is none")
  func cutReceipts() throws {
    let (queue, file) = try addReceipt()
    let bytes = try Data(contentsOf: file)
    for length in bytes.indices {
      try bytes.prefix(length).write(to: file)
      #expect(queue.waiting().isEmpty)
    }
  }

  @Test("a receipt with any byte changed is none, or is of the same event")
  func flippedReceipts() throws {
    let (queue, file) = try addReceipt()
    let bytes = try Data(contentsOf: file)
    let receipt = try #require(queue.waiting().first)
    var dropped = 0
    for changed in Self.flips(of: bytes) {
      try changed.write(to: file)
      let read = queue.waiting()
      if read.isEmpty { dropped += 1 }
      for other in read {
        #expect(other.id == receipt.id && other.notificationID == receipt.notificationID)
        #expect(other.deviceID == receipt.deviceID && other.event == receipt.event)
        #expect(other.page == receipt.page)
      }
    }
    #expect(dropped > bytes.count)
  }

  private func addReceipt() throws -> (queue: ReceiptQueue, file: URL) {
    let queue = ReceiptQueue(folder: folder.url)
    let receipt = Receipt(
      notificationID: "n", deviceID: "d", event: .templatePage, at: ReceiptTests.morning, page: 3,
      dwell: .seconds(5))
    try queue.add(receipt)
    return (queue, folder.file(receipt.id + ".json"))
  }

  @Test(
    "a replay window with any byte changed forgets at most the message that the byte belongs to")
  func replayWindow() throws {
    let window = ReplayWindow(folder: folder.url, crypto: OpenSSLCrypto())
    func admit(_ number: UInt8) -> ReplayWindow.Verdict {
      let salt = [UInt8](repeating: number, count: 16)
      return window.admit(
        .init(id: "n\(number)", salt: salt, request: "r\(number)"), at: ReplayWindowTests.noon)
    }
    for number in 1...3 as ClosedRange<UInt8> { #expect(admit(number) == .accepted) }
    let file = folder.file("Library/Martlet/messages")
    let bytes = try Data(contentsOf: file)
    let length = bytes.count / 3
    // Of the first message.
    for changed in Self.flips(of: bytes).prefix(3 * length) {
      try changed.write(to: file)
      #expect(window.isRepeated(2) && window.isRepeated(3))
    }
  }
}

extension ReplayWindow {
  /// Whether a message of the test, which is shown as another notification, is refused.
  fileprivate func isRepeated(_ number: UInt8) -> Bool {
    admit(
      Message(id: "n\(number)", salt: [UInt8](repeating: number, count: 16), request: "new"),
      at: ReplayWindowTests.noon) == .repeated
  }
}
