import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletKit

@Suite("When requests are sent", .timeLimit(.minutes(10)))
struct TimerTests {
  @Test("changes within a second are one request, and a failure is repeated after its wait")
  func collecting() async throws {
    let phone = ModelPhone()
    let clock = SleepingClock()
    let push = phone.launch(sleep: { try await clock.sleep($0) }).push
    await push.start()
    try await until { clock.sleeping == [0] }
    clock.wake()
    try await until { push.status.state == .upToDate }
    #expect(phone.server.requests.count == 1)
    for number in 0..<10 { await push.update { $0["n"] = .integer(number) } }
    #expect(push.status.state == .pending)
    try await until { clock.sleeping == [PushDevice.collectingTime] }
    phone.server.fail(.status(503, retryAfter: "7"))
    phone.advance(seconds: 1)
    clock.wake()
    try await until { push.status.state.kind == .retrying }
    #expect(phone.server.requests.count == 2)
    // A change does not shorten the wait.
    await push.update { $0["n"] = .integer(99) }
    try await until { clock.sleeping == [1000] || clock.sleeping == [7000] }
    phone.advance(seconds: 1)
    clock.wake()
    try await until { !clock.sleeping.isEmpty }
    #expect(phone.server.requests.count == 2)
    phone.advance(seconds: 7)
    clock.wake()
    try await until { push.status.state == .upToDate }
    #expect(phone.server.requests.count == 3)
    #expect(phone.device?.attributes["n"]?["value"] == 99)
  }

  @Test("the statuses tell the last change to everybody who listens")
  func statuses() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    var states = push.statuses.makeAsyncIterator()
    #expect(await states.next()?.state == .off)
    await push.start()
    await push.synchronize()
    #expect(await states.next()?.state == .upToDate)
    var others = push.statuses.makeAsyncIterator()
    #expect(await others.next()?.state == .upToDate)
    push.reportTokenFailure(CocoaError(.featureUnsupported))
    #expect(await others.next()?.problems.map(\.path) == ["token"])
  }
}
