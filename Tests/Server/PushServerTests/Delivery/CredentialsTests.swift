import APNs
import PushModel
import PushPayload
import Synchronization
import Testing

@testable import PushServer

@Suite("A key that Apple refuses", .timeLimit(.minutes(10)))
struct CredentialsTests {
  private static func refused(_ reason: APNsReason) -> FakeApple.Answer {
    { APNsOutcome(kind: .answered, status: 403, reason: reason, apnsID: $0.id) }
  }
  private static let taken: FakeApple.Answer = {
    APNsOutcome(kind: .answered, status: 200, apnsID: $0.id)
  }

  private func make() async throws -> (Fixture, String) {
    let fixture = try await Fixture()
    for number in 0..<5 { try await fixture.register("d\(number)") }
    let id = await fixture.send(["alert": "Hi"]).json["notification"]?["id"]?.string ?? ""
    return (fixture, id)
  }

  @Test(
    "a second refusal pauses the send without an outcome, and after a resume every device gets its push",
    arguments: [
      APNsReason.invalidProviderToken, .missingProviderToken, .expiredProviderToken,
      .unrelatedKeyIdInToken,
    ])
  func paused(reason: APNsReason) async throws {
    let (fixture, id) = try await make()
    fixture.apple.answer(Self.refused(reason))
    let dispatcher = fixture.dispatcher()
    #expect(await dispatcher.sendDueBatches() == .seconds(1))
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .sending)
    fixture.clock.advance(by: .seconds(1))
    #expect(await dispatcher.sendDueBatches() == nil)
    let paused = try #require(try await fixture.store.send(id, app: fixture.app.id))
    #expect(paused.state == .paused)
    #expect(paused.failure?.contains("refuses the app's key with \(reason)") == true)
    #expect(paused.failure?.contains(". Correct the key") == true)
    #expect(paused.counts.left == 5)
    #expect(
      try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 9).elements
        .map(\.action).first == "notification.pause")

    // A resume without another key pauses the send again at once.
    let resumed = await fixture.request("POST", "/v6/notifications/\(id)/resume")
    #expect(resumed.status == 200)
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .paused)

    fixture.apple.answer(Self.taken)
    _ = await fixture.request("POST", "/v6/notifications/\(id)/resume")
    #expect(await dispatcher.sendDueBatches() == nil)
    let ended = try #require(try await fixture.store.send(id, app: fixture.app.id))
    #expect(ended.state == .complete)
    #expect(ended.counts.sent == 5)
    #expect(ended.failure == nil)
  }

  @Test("a single refusal does not pause the send")
  func once() async throws {
    let (fixture, id) = try await make()
    fixture.apple.answer(Self.refused(.invalidProviderToken))
    let dispatcher = fixture.dispatcher()
    let wait = await dispatcher.sendDueBatches()
    fixture.clock.advance(by: wait ?? .zero)
    fixture.apple.answer(Self.taken)
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.counts.sent == 5)
  }

  @Test("a key that was replaced while the old one was refused is used, without a pause")
  func changed() async throws {
    let (fixture, id) = try await make()
    fixture.apple.answer(Self.refused(.invalidProviderToken))
    let dispatcher = fixture.dispatcher()
    fixture.clock.advance(by: await dispatcher.sendDueBatches() ?? .zero)
    let stuck = StuckSender(answer: Self.refused(.invalidProviderToken))
    let slow = fixture.dispatcher(stuck)
    let run = Task { await slow.sendDueBatches() }
    await stuck.reached()
    var app = fixture.app
    app.sealedKey = fixture.secretKey.seal("another", for: app.id)
    #expect(try await fixture.store.update(app, from: fixture.app))
    fixture.apple.answer(Self.taken)
    stuck.release()
    await stuck.reached()
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .sending)
    stuck.release()
    _ = await run.value
  }
}
