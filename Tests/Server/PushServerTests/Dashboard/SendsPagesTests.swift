import APNs
import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("The pages of sends", .timeLimit(.minutes(10)))
struct SendsPagesTests {
  @Test("a send is paused, resumed and canceled; a late action is answered 409")
  func actions() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let sent = await fixture.send(["alert": "<b>Hi</b>", "title": "T"])
    let id = sent.json["notification"]?["id"]?.string ?? ""
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let path = client.path("sends/\(id)")
    let page = await client.get(path)
    #expect(page.text.contains("T – &lt;b&gt;Hi&lt;/b&gt;") && !page.text.contains("<b>Hi"))
    for (action, state) in [("pause", "paused"), ("resume", "scheduled"), ("cancel", "canceled")] {
      let answer = await client.post(path, ["action": action])
      #expect(answer.headers["Location"] == path)
      #expect(await client.get(path).text.contains("data-state=\"\(state)\""))
    }
    #expect(await client.post(path, ["action": "resume"]).status == 409)
    #expect(await client.post(path, ["action": "explode"]).status == 422)
    #expect(await client.get(client.path("sends/none")).status == 404)
    let list = await client.get(client.path("sends"))
    #expect(list.text.contains("1 of 1 send") && list.text.contains(path))
    let picture = await client.get(path + "/card.png?dark=1")
    #expect(picture.headers["Content-Type"] == "image/png")
    let audit = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 20).elements
    #expect(audit.contains { $0.action == "notification.pause" })
  }

  @Test("the picture of a send shows the template in place of the expanded text")
  func template() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    func size(_ payload: JSONValue) async -> [Int] {
      let sent = await fixture.send(payload)
      let id = sent.json["notification"]?["id"]?.string ?? ""
      let picture = await client.get(client.path("sends/\(id)/card.png"))
      #expect(picture.status == 200, "\(sent.json)")
      // The width and the height in the header of a PNG.
      return [16, 20].map { start in
        picture.bytes.dropFirst(start).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      }
    }
    let choices: JSONValue = .array(
      (1...6).map { ["id": .string("\($0)"), "title": .string("Choice \($0)")] })
    let poll: JSONValue = ["template": ["kind": "poll", "prompt": "Which?", "choices": choices]]
    let plain = await size(["alert": "Hi", "category": "poll"])
    let template = await size(["alert": "Hi", "category": "poll", "_martlet": poll])
    #expect(plain[0] == 786 && template[0] == 786)
    // Six choices of at least 44 points, at two pixels a point.
    #expect(template[1] > plain[1] + 6 * 88)
  }

  @Test("a send of another app is not found")
  func otherApp() async throws {
    let fixture = try await Fixture()
    let other = try await fixture.makeOtherApp()
    let sent = await fixture.send(["alert": "Secret"])
    let id = sent.json["notification"]?["id"]?.string ?? ""
    let client = DashboardClient(fixture)
    await client.signIn(other.keys.first { $0.role == .admin }?.key ?? "")
    for path in ["sends/\(id)", "sends/\(id)/events", "sends/\(id)/card.png", "compose?from=\(id)"]
    {
      let answer = await client.get("/apps/\(other.app.id)/\(path)")
      #expect(answer.status == 404 && !answer.text.contains("Secret"))
      #expect(await client.get("/apps/\(fixture.app.id)/\(path)").status == 401)
    }
  }

  @Test("watching a send is no use of the session")
  func watchedByPerson() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let sent = await fixture.send(["alert": "Hi"])
    let id = try #require(sent.json["notification"]?["id"]?.string)
    let client = try await DashboardClient.person("ada@example.com", .author, fixture)
    let events = await client.get(client.path("sends/\(id)/events"))
    #expect(events.status == 200)
    // Two hours.
    for _ in 0..<24 {
      try await until { fixture.clock.sleeperCount == 1 }
      fixture.clock.advance(by: .seconds(300))
    }
    #expect(await events.streamed().hasPrefix("data: "))
    #expect(await client.get(client.path("sends")).status == 401)
  }

  @Test("the events of a send end with the session of a key", arguments: [true, false])
  func watchedByKey(signsOut: Bool) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let sent = await fixture.send(["alert": "Hi"])
    let id = try #require(sent.json["notification"]?["id"]?.string)
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("sends"))
    let events = await client.get(client.path("sends/\(id)/events"))
    #expect(events.status == 200)
    try await until { fixture.clock.sleeperCount == 1 }
    if signsOut { #expect(await client.post("/sign-out", []).status == 303) }
    fixture.clock.advance(by: signsOut ? .milliseconds(500) : Session.lifetime)
    #expect(await events.streamed().hasPrefix("data: "))
  }

  @Test("failures are listed by reason with advice, and a device is traced to its apns-id")
  func failures() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    try await fixture.register("d2")
    fixture.apple.answer { push in
      push.deviceToken == Fixture.token("d1")
        ? .init(kind: .answered, status: 200, apnsID: push.id)
        : .init(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
    }
    let sent = await fixture.send(["alert": "Hi"])
    let id = sent.json["notification"]?["id"]?.string ?? ""
    let dispatcher = fixture.dispatcher()
    let running = Task { await dispatcher.run() }
    try await until {
      try await fixture.store.send(id, app: fixture.app.id)?.state == .complete
    }
    dispatcher.stop()
    await running.value
    var receipt = Receipt(
      id: "r1", send: id, device: "d1", event: .displayed, at: fixture.clock.now)
    (receipt.reason, receipt.milliseconds) = ("too-large", 412)
    let other = Receipt(id: "r2", send: id, device: "d2", event: .opened, at: fixture.clock.now)
    try await fixture.store.record([receipt, other], app: fixture.app.id, at: fixture.clock.now)
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let page = await client.get(client.path("sends/\(id)"))
    #expect(page.text.contains("Unregistered") && page.text.contains("The app was removed"))
    #expect(page.text.contains("data-over"))
    let why = await client.get(client.path("sends/why?notification=\(id)&device=d1"))
    #expect(
      why.text.contains("<strong>Displayed</strong>") && why.text.contains("too-large · 412 ms"))
    #expect(!why.text.contains("<strong>Opened</strong> <time"))
    #expect(why.text.contains(Identifiers.apnsID(send: id, device: "d1")))
    // The addresses of earlier versions lead to the same answers.
    var address = client.path("sends/\(id)?device=d1")
    for _ in 0..<2 { address = try #require(await client.get(address).headers["Location"]) }
    #expect(address == client.path("sends/why?notification=\(id)&device=d1"))
    let none = try #require(
      await client.get(client.path("sends/\(id)?device=%3Cb%3E")).headers["Location"])
    #expect(await client.get(none).text.contains("Nobody is found by “&lt;b&gt;”"))
  }
}
