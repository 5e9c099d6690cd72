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

  @Test("a refusal is no attempt, and pauses the send only if the answer before was a refusal too")
  func apart() async throws {
    let (fixture, id) = try await make()
    let dispatcher = fixture.dispatcher()
    let refused = Self.refused(.invalidProviderToken)
    let busy: FakeApple.Answer = {
      APNsOutcome(kind: .answered, status: 500, apnsID: $0.id)
    }
    // The wait after 5xx doubles with each of them alone, from 15 minutes.
    let steps: [(answer: FakeApple.Answer, wait: Int)] = [
      (refused, 1), (busy, 900), (refused, 1), (busy, 1800), (refused, 1),
    ]
    for (place, step) in steps.enumerated() {
      fixture.apple.answer(step.answer)
      let wait = await dispatcher.sendDueBatches()
      #expect(wait == .seconds(step.wait), "\(place)")
      fixture.clock.advance(by: wait ?? .zero)
    }
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .sending)
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .paused)
  }

  @Test("a push without an answer between two refusals does not make the second one the first")
  func unanswered() async throws {
    let (fixture, id) = try await make()
    let dispatcher = fixture.dispatcher()
    fixture.apple.answer(Self.refused(.invalidProviderToken))
    fixture.clock.advance(by: await dispatcher.sendDueBatches() ?? .zero)
    fixture.apple.answer { APNsOutcome(kind: .neverSent, apnsID: $0.id) }
    fixture.clock.advance(by: await dispatcher.sendDueBatches() ?? .zero)
    fixture.apple.answer(Self.refused(.invalidProviderToken))
    #expect(await dispatcher.sendDueBatches() == nil)
    #expect(try await fixture.store.send(id, app: fixture.app.id)?.state == .paused)
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
