import APNs
import PushModel
import PushPayload
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
