import Foundation
import Glibc
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("The badge counter", .timeLimit(.minutes(10)))
struct BadgeTests {
  private let folder = TemporaryFolder()
  private var counter: BadgeCounter { BadgeCounter(folder: folder.url) }
  private var file: URL { folder.file("Library/Martlet/badge") }

  private func plant(_ bytes: [UInt8]) throws {
    counter.set(1)
    try Data(bytes).write(to: file)
  }

  @Test("starts at 0, increases, decreases, is set, and is never negative")
  func arithmetic() {
    #expect(counter.number == 0)
    #expect(folder.contents.isEmpty)
    let changes: [(BadgeChange, Int)] = [
      (.add(1), 1), (.add(2), 3), (.set(7), 7), (.add(-2), 5), (.add(-9), 0), (.set(-3), 0),
      (.add(0), 0), (.set(12), 12),
    ]
    for (change, number) in changes {
      #expect(counter.apply(change) == number)
      #expect(counter.number == number)
    }
  }

  @Test(
    "the largest numbers overflow nothing",
    arguments: [
      (Int.max, BadgeChange.add(1), Int.max), (Int.max, .add(.max), .max), (Int.max, .add(.min), 0),
      (0, .add(.min), 0), (0, .add(.max), .max), (5, .set(.min), 0), (5, .set(.max), .max),
    ])
  func overflow(start: Int, change: BadgeChange, number: Int) {
    counter.set(start)
    #expect(counter.apply(change) == number)
    #expect(counter.number == number)
  }

  @Test(
    "a file that is not a number counts as 0, and the next change writes a number",
    arguments: [
      "", "7", "seven", "-000000000000000001", "9999999999999999999", "00000000000000000070",
      String(repeating: "9", count: 100_000), "\u{0}", "                  7",
    ])
  func corrupt(text: String) throws {
    try plant(Array(text.utf8))
    #expect(counter.number == 0)
    #expect(counter.apply(.add(3)) == 3)
    #expect(counter.number == 3)
    #expect(try Data(contentsOf: file).count == 19)
  }

  @Test("a folder that is a file leaves the badge unchanged")
  func noFolder() throws {
    let counter = BadgeCounter(folder: try folder.write([1], to: "file"))
    #expect(counter.apply(.add(1)) == nil)
    #expect(!counter.set(4))
    #expect(counter.number == 0)
  }

  @Test(
    "a number that is set is shown even if it cannot be stored; a number that is added is not",
    arguments: [("set_count", 5), ("increment_one", nil)] as [(String, Int?)])
  func unstored(strategy: String, badge: Int?) throws {
    var environment = Sample.environment()
    environment.appGroupFolder = try folder.write([1], to: "file")
    let badges = Locked<[Int?]>([])
    let delivery = RichDelivery(
      IncomingNotification(
        payload: [
          "aps": ["alert": "B", "mutable-content": 1], "badge_config": .string(strategy),
          "badge_value": 5, "body": ["_k": "x"],
        ], text: NotificationText(body: "B")), environment: environment
    ) { content in badges.withLock { $0.append(content.badge) } }
    delivery.begin()
    #expect(badges.withLock(\.self) == [badge])
  }

  @Test("a lock held by another process is not awaited, and the badge stays unchanged")
  func held() throws {
    counter.set(5)
    let descriptor = open(file.path(percentEncoded: false), O_RDWR | O_CLOEXEC)
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(counter.apply(.add(1)) == nil)
    #expect(counter.number == 5)
    flock(descriptor, LOCK_UN)
    close(descriptor)
    #expect(counter.apply(.add(1)) == 6)
  }

  @Test("eight threads that count at the same time get the right sum")
  func threads() {
    let counter = counter
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<500 { while counter.apply(.add(1)) == nil {} }
    }
    #expect(counter.number == 4000)
  }
}
