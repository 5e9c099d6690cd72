import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletKit

@Suite("A device that was stopped or erased stays so", .timeLimit(.minutes(10)))
struct StopTests {
  /// A phone with a device that has a token, and that is stopped or erased.
  private static func ended(
    erased: Bool, sleep: (@Sendable (Int64) async throws -> Void)? = nil
  ) async throws -> (ModelPhone, PushDevice) {
    let phone = ModelPhone()
    let push = phone.launch(sleep: sleep).push
    await push.start()
    push.setToken(Data([1]))
    await push.synchronize()
    if erased { try await push.erase() } else { try await push.stop() }
    return (phone, push)
  }

  @Test(
    "when the app comes to the foreground, nothing is written or sent until it starts again",
    arguments: [false, true])
  func foreground(erased: Bool) async throws {
    let (phone, push) = try await Self.ended(erased: erased)
    let (files, count) = (phone.disk.files, phone.server.requests.count)
    for _ in 0..<2 {
      phone.advance(seconds: 600)
      await push.activate()
      push.setToken(Data([2]))
      await push.synchronize()
    }
    #expect(phone.disk.files == files && phone.server.requests.count == count)
    #expect(push.status.state == (erased ? .erased : .stopped))
    await push.start()
    push.setToken(Data([3]))
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.device?.members["push_token"] == "03")
  }

  @Test(
    "another process that comes to the foreground does not make it active either",
    arguments: [false, true])
  func otherProcess(erased: Bool) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let other = await phone.started(role: "other")
    push.setToken(Data([1]))
    await push.synchronize()
    if erased { try await push.erase() } else { try await push.stop() }
    let files = phone.disk.files
    await other.activate()
    await other.synchronize()
    #expect(phone.disk.files == files && phone.device?.members["push_token"] == nil)
  }

  @Test("a run that was planned is not made", arguments: [false, true])
  func planned(erased: Bool) async throws {
    let clock = SleepingClock()
    let (phone, push) = try await Self.ended(erased: erased, sleep: { try await clock.sleep($0) })
    try await until { clock.sleeping.isEmpty }
    await push.activate()
    await push.update { $0.tags = ["a"] }
    #expect(clock.sleeping.isEmpty && phone.device?.members["tags"] == nil)
  }

  @Test("a token whose registration has no answer is withdrawn, or stopping fails")
  func lostRegistration() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    push.setToken(Data([1]))
    await push.start()
    phone.server.fail(.answerLost)
    await push.synchronize()
    #expect(phone.device?.members["push_token"] == "01" && phone.record?.isRegistered == false)
    phone.server.fail(.offline)
    await #expect(throws: PushError.self) { try await push.stop() }
    try await push.stop()
    #expect(phone.device != nil && phone.device?.members["push_token"] == nil)
  }

  @Test(
    "a registration that surely did not arrive is stopped without a request",
    arguments: [.offline, .status(401)] as [ModelServer.Fault])
  func unsentRegistration(fault: ModelServer.Fault) async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    push.setToken(Data([1]))
    await push.start()
    phone.server.fail(fault)
    await push.synchronize()
    let count = phone.server.requests.count
    try await push.stop()
    #expect(phone.server.requests.count == count && phone.server.devices.isEmpty)
  }

  @Test("tokens of activities are withdrawn from a server that had lost the device for a moment")
  func lostActivity() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setStartToken(Data([2]), type: "T")
    await push.synchronize()
    try await push.record("event")
    // A server that says 404 once and then nothing.
    phone.server.fail(.status(404), .offline)
    await push.synchronize()
    #expect(phone.record?.isRegistered == false)
    #expect(phone.device?.activities.startTokens == ["T": "02"])
    try await push.stop()
    #expect(phone.device?.activities.startTokens == [:])
  }

  @Test(
    "a server that never takes the withdrawal is asked once at each call",
    arguments: [400, 413, 422])
  func refusedWithdrawal(status: Int) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    await push.synchronize()
    let count = phone.server.requests.count
    phone.server.gate.withLock { $0 = { _ in phone.server.fail(.status(status)) } }
    for number in 1...2 {
      let error = await #expect(throws: PushError.self) { try await push.stop() }
      #expect(error?.code == .refused && phone.server.requests.count == count + number)
    }
    phone.server.gate.withLock { $0 = nil }
    try await push.stop()
    #expect(phone.device?.members["push_token"] == nil)
  }

  @Test("activities that the server keeps are not asked for")
  func keptActivities() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    phone.server.state.withLock { $0.keptActivities = ["match-1": "Y2g="] }
    try await push.stop()
    let count = phone.server.requests.count
    await #expect(throws: PushError.self) {
      try await push.liveActivities.follow(activity: "match-1")
    }
    await #expect(throws: PushError.self) {
      try await push.liveActivities.unfollow(activity: "match-1")
    }
    #expect(phone.server.requests.count == count)
  }
}
