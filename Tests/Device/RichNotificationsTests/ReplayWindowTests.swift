import Foundation
import Glibc
import PushCrypto
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import RichNotifications

@Suite("The replay window", .timeLimit(.minutes(10)))
struct ReplayWindowTests {
  static let noon = Date(timeIntervalSince1970: 1_795_000_000)
  static let recordLength = 56

  private let folder = TemporaryFolder()
  private var window: ReplayWindow { ReplayWindow(folder: folder.url, crypto: OpenSSLCrypto()) }
  private var file: URL { folder.file("Library/Martlet/messages") }
  private var size: Int { (try? Data(contentsOf: file).count) ?? 0 }

  private func admit(
    _ id: String?, salt: UInt32, request: String, after seconds: TimeInterval = 0
  ) -> ReplayWindow.Verdict {
    let bytes = withUnsafeBytes(of: salt.bigEndian, Array.init) + [UInt8](repeating: 7, count: 12)
    return window.admit(
      .init(id: id, salt: bytes, request: request), at: Self.noon + seconds)
  }

  /// A second message after the first, which has id `n1`, salt 1 and request `c`.
  static let seconds:
    [(
      id: String?, salt: UInt32, request: String, after: TimeInterval, verdict: ReplayWindow.Verdict
    )] =
      [
        // The same bytes: accepted where they replace the first within ten minutes.
        ("n1", 1, "c", 0, .accepted), ("n1", 1, "c", 600, .accepted),
        ("n1", 1, "c", 601, .repeated),
        // A time from the future is damaged, or of a clock that was set back since.
        ("n1", 1, "c", -600, .accepted), ("n1", 1, "c", -601, .repeated),
        ("n1", 1, "d", 0, .repeated), ("n1", 1, "", 0, .repeated),
        // Encrypted again: accepted where it replaces the first.
        ("n1", 2, "c", 0, .accepted), ("n1", 2, "c", 90_000, .accepted),
        ("n1", 2, "d", 0, .repeated),
        // Another message.
        ("n2", 2, "d", 0, .accepted), ("n2", 2, "c", 0, .accepted), (nil, 2, "d", 0, .accepted),
        // The same salt with another id cannot be, and is not accepted.
        ("n2", 1, "d", 0, .repeated),
        // After 30 days the first is forgotten.
        ("n1", 1, "d", 2_592_000, .repeated), ("n1", 1, "d", 2_592_001, .accepted),
      ]

  @Test(
    "a second message is accepted or refused by its id, salt, request and time", arguments: 0..<16)
  func second(number: Int) {
    let (id, salt, request, after, verdict) = Self.seconds[number]
    #expect(admit("n1", salt: 1, request: "c") == .accepted)
    #expect(admit(id, salt: salt, request: request, after: after) == verdict)
  }

  @Test("without an id the salt identifies the message")
  func noID() {
    #expect(admit(nil, salt: 1, request: "a") == .accepted)
    #expect(admit(nil, salt: 2, request: "b") == .accepted)
    #expect(admit(nil, salt: 1, request: "c") == .repeated)
  }

  @Test("two requests without an identifier do not replace each other")
  func noRequest() {
    #expect(admit("n1", salt: 1, request: "") == .accepted)
    #expect(admit("n1", salt: 1, request: "") == .repeated)
  }

  @Test("a repeat does not prolong the ten minutes, and is not stored")
  func notProlonged() {
    #expect(admit("n1", salt: 1, request: "c") == .accepted)
    #expect(admit("n1", salt: 1, request: "c", after: 599) == .accepted)
    #expect(admit("n1", salt: 1, request: "c", after: 1100) == .repeated)
    #expect(size == Self.recordLength)
  }

  @Test("it has 1000 messages, and forgets the oldest for the next")
  func count() {
    for number in 0..<UInt32(ReplayWindow.maximumCount) {
      #expect(admit("n\(number)", salt: number, request: "") == .accepted)
    }
    #expect(size == ReplayWindow.maximumCount * Self.recordLength)
    #expect(admit("n0", salt: 0, request: "") == .repeated)
    #expect(admit("n1000", salt: 1000, request: "") == .accepted)
    #expect(size == ReplayWindow.maximumCount * Self.recordLength)
    #expect(admit("n1", salt: 1, request: "") == .repeated)
    #expect(admit("n1000", salt: 1000, request: "") == .repeated)
    #expect(admit("n0", salt: 0, request: "") == .accepted)
  }

  @Test("messages that are too old leave the file with the next one")
  func age() {
    for number in 0..<UInt32(10) { _ = admit("n\(number)", salt: number, request: "") }
    #expect(admit("n10", salt: 10, request: "", after: 2_592_001) == .accepted)
    #expect(size == Self.recordLength)
  }

  @Test(
    "a file that a killed process did not finish, or that is no such file, does no harm",
    arguments: [1, 55, 57, 100, 111, 200_000])
  func corrupt(count: Int) throws {
    #expect(admit("n1", salt: 1, request: "a") == .accepted)
    var bytes = try Data(contentsOf: file)
    bytes.append(Data(repeating: 0xAB, count: max(0, count - bytes.count)))
    try bytes.prefix(count).write(to: file)
    #expect(
      admit("n1", salt: 1, request: "b") == (count < Self.recordLength ? .accepted : .repeated))
    #expect(admit("n2", salt: 2, request: "c") == .accepted)
    #expect(admit("n2", salt: 2, request: "d") == .repeated)
    #expect(size <= ReplayWindow.maximumCount * Self.recordLength)
  }

  @Test("a lock held by another process is not awaited")
  func held() {
    #expect(admit("n1", salt: 1, request: "a") == .accepted)
    let descriptor = open(file.path, O_RDWR | O_CLOEXEC)
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(admit("n1", salt: 1, request: "b") == .unknown)
    flock(descriptor, LOCK_UN)
    close(descriptor)
    #expect(admit("n1", salt: 1, request: "b") == .repeated)
  }

  @Test("a folder that is a file says that it is not known")
  func noFolder() throws {
    let window = ReplayWindow(folder: try folder.write([1], to: "file"), crypto: OpenSSLCrypto())
    #expect(window.admit(.init(id: "a", salt: [], request: ""), at: Self.noon) == .unknown)
  }

  @Test("of eight threads with the same message one is told that it is new")
  func threads() {
    let window = window
    let accepted = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let message = ReplayWindow.Message(
        id: "n", salt: [UInt8](repeating: 1, count: 16), request: "\(number)")
      while true {
        let verdict = window.admit(message, at: Self.noon)
        if verdict == .accepted { accepted.withLock { $0 += 1 } }
        if verdict != .unknown { break }
      }
    }
    #expect(accepted.withLock { $0 } == 1)
  }

  @Test("the file has neither identifiers nor text")
  func digests() throws {
    #expect(admit("identifier", salt: 1, request: "request-name") == .accepted)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(!text.contains("identifier") && !text.contains("request-name"))
  }
}
