import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletKit

@Suite("Two processes with one folder", .timeLimit(.minutes(10)))
struct TwoProcessesTests {
  /// Holds requests until a test lets them go.
  private final class Gate: Sendable {
    private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])

    var count: Int { waiting.withLock(\.count) }

    func wait() async {
      await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
    }

    func open() {
      for continuation in waiting.withLock({ waiting in
        defer { waiting = [] }
        return waiting
      }) { continuation.resume() }
    }
  }

  @Test("one waits while the other has an update under way, and then sends its own")
  func waiting() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let other = phone.launch(role: "extension").push
    await other.start()
    await other.synchronize()
    let gate = Gate()
    phone.server.gate.withLock { $0 = { _ in await gate.wait() } }
    await push.update { $0["n"] = .integer(1) }
    let first = Task { await push.synchronize() }
    try await until { gate.count == 1 }
    await other.update { $0["n"] = .integer(2) }
    #expect(await other.synchronize().state.kind == .retrying)
    phone.server.gate.withLock { $0 = nil }
    gate.open()
    #expect(await first.value.state == .upToDate)
    phone.advance(seconds: 61)
    #expect(await other.synchronize().state == .upToDate)
    #expect(phone.device?.attributes["n"]?["value"] == 2)
  }

  /// The server takes the first update at once or at last; its answer comes at last.
  @Test(
    "an answer that comes after another process took over makes the update be sent again",
    arguments: [true, false])
  func late(arrivesFirst: Bool) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let other = phone.launch(role: "extension").push
    await other.start()
    await other.synchronize()
    let gate = Gate()
    let server = phone.server
    let holds = Locked(true)
    phone.server.gate.withLock { slot in
      slot = { request in
        let isHeld = holds.withLock { holds in
          defer { holds = false }
          return holds
        }
        guard isHeld else { return }
        if arrivesFirst { _ = try? server.answer(request) }
        await gate.wait()
      }
    }
    await push.update { $0["n"] = .integer(1) }
    let first = Task { await push.synchronize() }
    try await until { gate.count == 1 }
    phone.advance(seconds: 61)
    await other.update { $0["n"] = .integer(2) }
    #expect(await other.synchronize().state == .upToDate)
    #expect(phone.device?.attributes["n"]?["value"] == 2)
    // Now the server takes the first one, once more or for the first time.
    gate.open()
    _ = await first.value
    #expect(phone.device?.attributes["n"]?["value"] == 2)
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.record?.doubtful == [])
  }

  @Test("facts that both send are counted once")
  func facts() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let other = phone.launch(role: "extension").push
    await other.start()
    await other.synchronize()
    for number in 0..<10 {
      try await (number.isMultiple(of: 2) ? push : other).record("e\(number)")
      push.recordOpening(payload: ModelPhone.payload("n\(number)"), request: "r\(number)")
    }
    let gate = Gate()
    phone.server.gate.withLock { $0 = { _ in await gate.wait() } }
    async let first = push.synchronize()
    async let second = other.synchronize()
    try await until { gate.count == 2 }
    phone.server.gate.withLock { $0 = nil }
    gate.open()
    _ = await (first, second)
    #expect(phone.device?.events.count == 10)
    #expect(phone.device?.events.values.allSatisfy { $0 == 1 } == true)
    #expect(phone.server.state.withLock(\.receipts).count == 10)
  }
}
