import APNs
import PushModel
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import PushServer

@Suite("Sending a batch to both hosts", .timeLimit(.minutes(10)))
struct BatchSenderTests {
  @Test(
    "the answers of one host are stored, though nothing can be sent to the other one",
    arguments: [false, true])
  func oneHost(isDevelopmentBroken: Bool) async throws {
    let fixture = try await Fixture()
    try await fixture.register("p")
    try await fixture.register("d") { $0.isDevelopment = .set(true) }
    let send = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    let sender = OneHost(apple: fixture.apple, isDevelopmentBroken: isDevelopmentBroken)
    #expect(await fixture.dispatcher(sender).sendDueBatches() == .seconds(1))
    #expect(try await fixture.store.send(send, app: fixture.app.id)?.counts.sent == 1)
    fixture.clock.advance(by: .seconds(1))
    #expect(await fixture.dispatcher().sendDueBatches() == nil)
    #expect(
      fixture.apple.taken.map(\.isDevelopment) == [!isDevelopmentBroken, isDevelopmentBroken])
    #expect(try await fixture.store.send(send, app: fixture.app.id)?.counts.sent == 2)
  }

  /// A send to devices, the last of which only the silent environment knows.
  private struct World {
    let fixture: Fixture
    let apple: SilentHost
    let id: String

    /// Makes a send to `devices`.
    ///
    /// `isLearned` says whether the server knows the environment of the last one.
    static func make(
      _ devices: [String], isDevelopmentSilent: Bool, isLearned: Bool
    ) async throws -> World {
      let fixture = try await Fixture()
      for device in devices {
        let isSilent = isLearned && device == devices.last
        try await fixture.register(device) { patch in
          patch.isDevelopment = .set(isSilent == isDevelopmentSilent)
        }
      }
      let answer = await fixture.send(["alert": "Hi"])
      return World(
        fixture: fixture,
        apple: SilentHost(
          isDevelopmentSilent: isDevelopmentSilent, foreign: Fixture.token(devices.last ?? "")),
        id: try #require(answer.json["notification"]?["id"]?.string))
    }

    var send: Send {
      get async throws { try #require(try await fixture.store.send(id, app: fixture.app.id)) }
    }

    /// Sends what is due until the silent environment is given up.
    ///
    /// - Returns: The wait for the next batch.
    func giveUp() async throws -> Duration? {
      let sent = try await send.counts.sent
      let dispatcher = fixture.dispatcher(apple)
      let run = Task { await dispatcher.sendDueBatches() }
      let patience = BatchSender.patience(forPushes: 1)
      let end = fixture.clock.now + patience
      try await until { fixture.clock.nextWaking == end }
      fixture.clock.advance(by: patience - .milliseconds(1))
      #expect(fixture.clock.nextWaking == end)
      #expect(try await send.counts.sent == sent)
      fixture.clock.advance(by: .milliseconds(1))
      return await run.value
    }
  }

  @Test(
    "a host that does not answer holds up the outcomes of the other one for five seconds",
    arguments: [false, true], [false, true])
  func silentHost(isDevelopmentSilent: Bool, isLearned: Bool) async throws {
    let world = try await World.make(
      ["near", "far"], isDevelopmentSilent: isDevelopmentSilent, isLearned: isLearned)
    #expect(try await world.giveUp() == .seconds(1))
    #expect(try await world.send.counts.sent == 1)
    #expect(try await world.send.counts.left == 1)
    world.apple.heal()
    world.fixture.clock.advance(by: .seconds(1))
    #expect(await world.fixture.dispatcher(world.apple).sendDueBatches() == nil)
    #expect(try await world.send.counts.sent == 2)
    let far = try await world.fixture.store.device("far", app: world.fixture.app.id)
    #expect(far?.isDevelopment == isDevelopmentSilent)
  }

  @Test("a token is refused once its other host has answered in none of three leases")
  func silentForLong() async throws {
    let world = try await World.make(
      ["near", "far"], isDevelopmentSilent: true, isLearned: false)
    for _ in 0..<2 {
      #expect(try await world.giveUp() == .seconds(1))
      world.fixture.clock.advance(by: .seconds(1))
    }
    #expect(try await world.send.counts.left == 1)
    #expect(try await world.giveUp() == nil)
    let reasons = try await world.fixture.store.reasons(of: world.id, app: world.fixture.app.id)
    #expect(
      reasons == [
        OutcomeReason(result: .sent, status: 200, reason: nil): 1,
        OutcomeReason(result: .rejected, status: 400, reason: "BadDeviceToken"): 1,
      ])
    #expect(world.apple.asked == 3)
  }
}

/// An APNs of which one environment does not answer until it is healed.
///
/// Pushes to it end as those of a client do whose task is cancelled.
private final class SilentHost: PushSender {
  private let isDevelopmentSilent: Bool
  /// The token that only the silent environment knows.
  private let foreign: String
  private let state = Mutex((isHealed: false, asked: 0))

  init(isDevelopmentSilent: Bool, foreign: String) {
    (self.isDevelopmentSilent, self.foreign) = (isDevelopmentSilent, foreign)
  }

  /// The number of times that the silent environment was asked.
  var asked: Int { state.withLock { $0.asked } }

  func heal() { state.withLock { $0.isHealed = true } }

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async -> [APNsOutcome] {
    guard development == isDevelopmentSilent else {
      return pushes.map { push in
        push.deviceToken == foreign
          ? APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
          : APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
      }
    }
    let isHealed = state.withLock { state in
      state.asked += 1
      return state.isHealed
    }
    if !isHealed {
      let (never, continuation) = AsyncStream<Never>.makeStream()
      for await _ in never {}
      continuation.finish()
    }
    return pushes.map { push in
      isHealed
        ? APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
        : APNsOutcome(kind: .neverSent, apnsID: push.id, message: "the task was cancelled")
    }
  }

  func close() async {}
}

/// An APNs of which one environment cannot be asked.
private struct OneHost: PushSender {
  let apple: FakeApple
  let isDevelopmentBroken: Bool

  func send(
    _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
  ) async throws -> [APNsOutcome] {
    guard development != isDevelopmentBroken else { throw RequestError(.unavailable, "no thread") }
    return await apple.send(pushes, of: sendClass, for: app, development: development)
  }

  func close() async {}
}
