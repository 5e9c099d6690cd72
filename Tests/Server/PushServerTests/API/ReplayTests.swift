import APNs
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Replays", .timeLimit(.minutes(10)))
struct ReplayTests {
  /// Delivers to three devices: one is sent to, one is uninstalled, and one is rejected.
  private func deliver(_ fixture: Fixture, options: String = "") async throws -> String {
    for id in ["good", "gone", "refused"] { try await fixture.register(id) }
    fixture.apple.answer { push in
      let end: (status: Int, reason: APNsReason?) =
        switch push.deviceToken {
        case Fixture.token("good"): (200, nil)
        case Fixture.token("gone"): (410, .unregistered)
        default: (400, .topicDisallowed)
        }
      return APNsOutcome(
        kind: .answered, status: end.status, reason: end.reason, apnsID: push.id)
    }
    let body = #"{"notification":{"to":"*","payload":{"alert":"Hi"}\#(options)}}"#
    let sent = await fixture.request("POST", "/v6/notifications", body: body)
    let id = try #require(sent.json["notification"]?["id"]?.string)
    #expect(try await refusal(fixture, id).contains("not complete"))
    _ = await fixture.dispatcher().sendDueBatches()
    fixture.apple.answer { APNsOutcome(kind: .answered, status: 200, apnsID: $0.id) }
    return id
  }

  private func replay(_ fixture: Fixture, _ id: String, key: String? = nil) async -> Fixture.Answer
  {
    await fixture.request(
      "POST", "/v6/notifications/\(id)/replay",
      headers: key.map { [("Idempotency-Key", $0)] } ?? [])
  }

  private func refusal(_ fixture: Fixture, _ id: String) async throws -> String {
    let answer = await replay(fixture, id)
    #expect(answer.status == 409)
    return answer.error
  }

  @Test("a replay is sent to the devices for which Apple refused, and only once")
  func replayed() async throws {
    let fixture = try await Fixture()
    let id = try await deliver(fixture)
    let before = fixture.apple.taken.count
    let first = await replay(fixture, id)
    #expect(first.status == 201 && first.json["state"] == "scheduled")
    let new = try #require(first.json["notification"]?["id"]?.string)
    #expect(new != id && first.json["notification"]?["payload"] == ["alert": "Hi"])
    #expect(await replay(fixture, id).json["notification"]?["id"] == .string(new))
    _ = await fixture.dispatcher().sendDueBatches()
    let taken = fixture.apple.taken.dropFirst(before)
    #expect(taken.map(\.push.deviceToken) == [Fixture.token("refused")])
    let send = try #require(try await fixture.store.send(new, app: fixture.app.id))
    #expect(send.state == .complete && send.counts.targeted == 1 && send.counts.sent == 1)
    // The replay had no rejected device, and another Idempotency-Key makes another request.
    #expect(try await refusal(fixture, new).contains("no device"))
    #expect(await replay(fixture, id, key: "again").status == 201)
  }

  @Test("a replay obeys the app's caps if the notification did")
  func capped() async throws {
    for limits in ["obey", "ignore"] {
      let fixture = try await Fixture()
      let id = try await deliver(fixture, options: #","limits":{"caps":"\#(limits)"}"#)
      // Another push uses up the cap of the refused device.
      let cap = #"{"limits":{"caps":[{"most":1,"within":"P1D"}]}}"#
      #expect(
        await fixture.request("PUT", "/v6/limits", role: .admin, body: cap).status == 200)
      let other =
        #"{"notification":{"to":"*","payload":{"alert":"2"},"limits":{"caps":"ignore","counts":true}}}"#
      #expect(await fixture.request("POST", "/v6/notifications", body: other).status == 201)
      _ = await fixture.dispatcher().sendDueBatches()
      let new = try #require(
        await replay(fixture, id).json["notification"]?["id"]?.string)
      _ = await fixture.dispatcher().sendDueBatches()
      let counts = try #require(try await fixture.store.send(new, app: fixture.app.id)).counts
      #expect(counts.capped == (limits == "obey" ? 1 : 0))
      #expect(counts.sent == (limits == "obey" ? 0 : 1))
    }
  }

  @Test("a notification that cannot be replayed is refused with the reason")
  func refused() async throws {
    let fixture = try await Fixture()
    let id = try await deliver(fixture, options: #","expires_at":"2023-11-14T22:30:00Z""#)
    fixture.clock.advance(by: .seconds(3600))
    #expect(try await refusal(fixture, id).contains("expired"))
    #expect(await replay(fixture, "none").status == 404)

    let other = try await Fixture()
    let gone = try await deliver(other)
    _ = await other.request("POST", "/v6/devices/refused/erase")
    #expect(try await refusal(other, gone).contains("no device"))
  }
}
