import Foundation
import Glibc
import RichNotifications
import TestSupport
import Testing
import _Spawn

@testable import NotificationHost

/// Every limit of an extension process, at the limit and over it.
@Suite("The limits of an extension's process", .serialized, .timeLimit(.minutes(10)))
struct IsolationLimitTests {
  /// Both ends of a channel.
  private static func channels() throws -> (FrameChannel, FrameChannel, raw: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    return (FrameChannel(descriptor: ends[0]), FrameChannel(descriptor: ends[1]), ends[0])
  }

  @Test("a frame of 16 MiB is sent, one byte more ends the channel", arguments: [0, 1])
  func frame(extra: Int) throws {
    let (here, there, _) = try Self.channels()
    let frame = [UInt8](repeating: 7, count: (16 << 20) + extra)
    Thread.detachNewThread { here.send(frame) }
    let received = there.receive()
    #expect(received?.count == (extra == 0 ? frame.count : nil))
    if extra == 1 { #expect(!here.send([1]), "the channel has ended") }
  }

  @Test("an announced length over 16 MiB ends the channel")
  func announced() throws {
    let (here, there, raw) = try Self.channels()
    var length = UInt32(16 << 20 + 1).littleEndian
    try withExtendedLifetime(here) {
      try #require(write(raw, &length, 4) == 4)
      #expect(there.receive() == nil)
    }
  }

  @Test(
    "a reply of 8 MiB is accepted, and one that is too large for a frame is not",
    arguments: [(8, true), (16, false)])
  func reply(size: Int, isShown: Bool) async throws {
    let report = try await IsolatedPhone().deliver(
      #""fault":"large-reply","size":\#(size)"#, memoryLimit: 1 << 30)
    #expect(report.outcome == (isShown ? .displayed : .displayedOriginal))
    // The failure is known at once, not at the time limit.
    #expect(!report.names(.timeLimit), "\(report)")
  }

  @Test(
    "10,000 timers or loads at once may be, and no more",
    arguments: ["timers", "loads"], [10_000, 10_001])
  func underWay(kind: String, count: Int) async throws {
    var answer = ScriptedNetwork.Response(body: .bytes([1]))
    answer.stallsAfter = 0
    let report = try await IsolatedPhone().deliver(
      #""fault":"\#(kind)","size":\#(count)"#, answers: ["https://a/stalls": answer],
      memoryLimit: 1 << 30)
    if count == 10_000 {
      #expect(report.outcome == .displayed && report.content?.title == "\(count) \(kind)")
    } else {
      #expect(report.outcome == .displayedOriginal && report.names(.crashed))
      #expect(
        report.reason.contains("more than 10000 timers, loads or clock holds"), "\(report.reason)")
    }
  }

  @Test("the memory limit is exact", arguments: [12 << 20, 24 << 20])
  func bytes(limit: Int) {
    var use = MemoryUse(limit: limit)
    use.record(1 << 40)
    #expect(!use.isExceeded && use.peak == nil, "it has not begun")
    let begins = (use.begin(1000), use.begin(2000))
    #expect(begins == (true, false))
    use.record(500)
    #expect(use.peak == 0)
    use.record(1000 + limit)
    #expect(!use.isExceeded && use.peak == limit)
    use.record(1001 + limit)
    use.record(1000)
    #expect(use.isExceeded && use.peak == limit + 1)
  }

  @Test("the default memory limit is 24 MiB")
  func standard() {
    let process = ExtensionProcess(executable: URL(filePath: "/bin/true"))
    #expect(process.memoryLimit == 24 << 20)
  }

  @Test(
    "an extension below the limit of new and old phones is shown, one over it is killed",
    arguments: [(24, 20, true), (24, 25, false), (12, 8, true), (12, 13, false)])
  func memory(limit: Int, size: Int, isShown: Bool) async throws {
    let holds = isShown ? "" : #","holds":1"#
    let report = try await IsolatedPhone().deliver(
      #""fault":"allocate","size":\#(size)"# + holds, memoryLimit: limit << 20)
    #expect(report.outcome == (isShown ? .displayed : .displayedOriginal), "\(report)")
    #expect(report.names(.memoryLimit) == !isShown && !report.run.expired, "\(report)")
    let peak = try #require(report.run.peakMemoryBytes)
    #expect(isShown ? peak >= size << 20 && peak <= limit << 20 : peak > limit << 20)
  }
}
