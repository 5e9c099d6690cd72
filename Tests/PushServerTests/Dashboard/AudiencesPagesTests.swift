import APNs
import Foundation
import PushPayload
import PushStore
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("The pages of sends", .timeLimit(.minutes(1)))
struct SendsPagesTests {
  @Test("a send is paused, resumed and canceled; what comes too late says so")
  func orders() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let sent = await fixture.send(["alert": "<b>Hi</b>", "title": "T"])
    let id = sent.json["notification"]?["id"]?.string ?? ""
    let visitor = try await Visitor.signedIn(fixture, as: .push)
    let path = visitor.path("sends/\(id)")
    let page = await visitor.get(path)
    #expect(page.text.contains("T – &lt;b&gt;Hi&lt;/b&gt;") && !page.text.contains("<b>Hi"))
    for (action, state) in [("pause", "paused"), ("resume", "scheduled"), ("cancel", "canceled")] {
      let answer = await visitor.post(path, ["action": action])
      #expect(answer.headers["Location"] == path)
      #expect(await visitor.get(path).text.contains("data-state=\"\(state)\""))
    }
    #expect(await visitor.post(path, ["action": "resume"]).status == 409)
    #expect(await visitor.post(path, ["action": "explode"]).status == 422)
    #expect(await visitor.get(visitor.path("sends/none")).status == 404)
    let list = await visitor.get(visitor.path("sends"))
    #expect(list.text.contains("1 of 1 send") && list.text.contains(path))
    let picture = await visitor.get(path + "/card.png?dark=1")
    #expect(picture.headers["Content-Type"] == "image/png")
    let audit = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 20).elements
    #expect(audit.contains { $0.action == "notification.pause" })
  }

  @Test("another app's send is not there")
  func foreign() async throws {
    let fixture = try await Fixture()
    let other = try await fixture.makeOtherApp()
    let sent = await fixture.send(["alert": "Secret"])
    let id = sent.json["notification"]?["id"]?.string ?? ""
    let visitor = Visitor(fixture)
    await visitor.signIn(other.keys.first { $0.role == .admin }?.key ?? "")
    for path in ["sends/\(id)", "sends/\(id)/events", "sends/\(id)/card.png", "compose?from=\(id)"]
    {
      let answer = await visitor.get("/apps/\(other.app.id)/\(path)")
      #expect(answer.status == 404 && !answer.text.contains("Secret"))
      #expect(await visitor.get("/apps/\(fixture.app.id)/\(path)").status == 401)
    }
  }

  @Test("failures stand by reason, with what to do, and one device is traced to its apns-id")
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
    let visitor = try await Visitor.signedIn(fixture, as: .push)
    let page = await visitor.get(visitor.path("sends/\(id)?device=d1"))
    #expect(page.text.contains("The phone showed it") && page.text.contains("too-large · 412 ms"))
    #expect(!page.text.contains("It was opened"))
    #expect(page.text.contains("Unregistered") && page.text.contains("The app was removed"))
    #expect(page.text.contains(Identifiers.apnsID(send: id, device: "d1")))
    #expect(page.text.contains("data-over"))
    let none = await visitor.get(visitor.path("sends/\(id)?device=%3Cb%3E"))
    #expect(none.text.contains("no outcome for this device"))
  }
}

@Suite("The pages of audiences", .timeLimit(.minutes(1)))
struct AudiencesPagesTests {
  private func count(
    _ visitor: Visitor, _ fields: KeyValuePairs<String, String>
  ) async -> Fixture.Answer {
    await visitor.post(
      visitor.path("audiences/new"), fields, headers: [("Accept", "application/json")])
  }

  @Test("it counts while it is built, and says what is wrong with a line")
  func counting() async throws {
    let fixture = try await Fixture()
    for (id, age) in [("d1", 20), ("d2", 40)] {
      try await fixture.register(id) {
        $0.tags = .set(["news", id])
        $0.userID = .set("u" + id)
        $0.attributes = ["age": Attribute(kind: .integer, value: .integer(Int64(age)))]
      }
    }
    try await fixture.register("d3") { $0.isPushEnabled = .set(false) }
    let visitor = try await Visitor.signedIn(fixture, as: .push)
    _ = await visitor.get(visitor.path("audiences/new"))
    let table: [(KeyValuePairs<String, String>, Int64)] = [
      ([:], 3), (["field": "tags", "comparison": "is", "value": "news"], 2),
      (["field": "tags", "comparison": "any", "value": "d1, d2"], 2),
      (["field": "tags", "comparison": "none", "value": "d1,d2"], 1),
      (["field": "custom.integer.age", "comparison": "gte", "value": "40"], 1),
      (["field": "push_enabled", "comparison": "is", "value": "false"], 1),
      (["user_ids": "user_id\nud1\n\"ud2\",nobody\r\n"], 2),
      (["more": #"[{"name":"tags","criteria":["d2"]}]"#], 1),
    ]
    for (fields, expected) in table {
      let answer = await count(visitor, fields)
      #expect(answer.json["targeted"] == .integer(expected), "\(fields): \(answer.text)")
    }
    for fields: KeyValuePairs<String, String> in [
      ["field": "<b>", "comparison": "is", "value": "x"], ["more": "{"],
      ["field": "custom.integer.age", "comparison": "is", "value": "old"],
      ["user_ids": (0...10_000).map { "u\($0)" }.joined(separator: "\n")],
    ] {
      #expect([400, 422].contains(await count(visitor, fields).status))
      let page = await visitor.post(visitor.path("audiences/new"), fields)
      #expect(page.text.contains("role=\"alert\"") && !page.text.contains("<b>"))
    }
  }

  @Test(
    "a CSV of user ids is read by its column, whatever stands beside it",
    arguments: [
      ("user_id\nud1\nud2\n", 2), ("ud1\r\nud2", 2),
      ("\u{FEFF}name,user_id\r\n\"ud2, Ann\",ud1\r\n", 1),
      ("ud1,ud2\n", 1), ("\"ud1\",\"a\nb\"\nud2,x", 2), ("User_ID , name\nud1,ud2\n", 1),
      ("name,user_id\nud1\n", nil), (" ", nil),
    ])
  func file(_ text: String, targeted: Int?) async throws {
    let fixture = try await Fixture()
    for id in ["d1", "d2", "d3"] {
      try await fixture.register(id) { $0.userID = .set("u" + id) }
    }
    let visitor = try await Visitor.signedIn(fixture, as: .push)
    _ = await visitor.get(visitor.path("audiences/new"))
    let page = await visitor.upload(
      visitor.path("audiences/new"), ["action": "count"], file: Array(text.utf8), named: "ids.csv")
    guard let targeted else {
      #expect(page.text.contains("The CSV names no user") && page.text.contains("Not counted"))
      return
    }
    #expect(page.text.contains(">\(targeted) device"), "\(page.status)")
  }

  @Test("ten thousand ids are counted, saved and deleted; what no form holds cannot be undone")
  func manyUsers() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture, as: .push)
    _ = await visitor.get(visitor.path("audiences/new"))
    for (length, isOffered) in [(20, true), (50, false)] {
      let ids = (0..<Target.userLimit).map { number in
        String(repeating: "u", count: length - 5) + String(number + 10_000)
      }
      let counted = await visitor.upload(
        visitor.path("audiences/new"), ["action": "count"],
        file: Array(ids.joined(separator: "\r\n").utf8), named: "ids.csv")
      #expect(counted.text.contains(ids[9_999]))
      let saved = await visitor.post(
        visitor.path("audiences/new"),
        ["action": "save", "name": "Many", "user_ids": ids.joined(separator: "\n")])
      #expect(saved.status == 303)
      let audience = try #require(
        try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9).elements.first)
      #expect(audience.filters.first?.criteria.count == Target.userLimit)
      let deleted = await visitor.post(
        visitor.path("audiences/\(audience.id)"), ["action": "delete"])
      #expect(deleted.text.contains(">Undo<") == isOffered)
    }
  }

  @Test("it is saved, changed, and deleted; of two people the second is told of the first")
  func saving() async throws {
    let fixture = try await Fixture()
    let visitor = try await Visitor.signedIn(fixture, as: .push)
    _ = await visitor.get(visitor.path("audiences/new"))
    let new = await visitor.post(
      visitor.path("audiences/new"),
      [
        "action": "save", "name": "A <b>", "test": "on", "field": "tags", "comparison": "is_not",
        "value": "x", "more": #"[{"name":"badge","criteria":[{"gt":1,"lt":5}]}]"#,
      ])
    #expect(new.headers["Location"] == visitor.path("audiences"))
    let saved = try #require(
      try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9).elements.first)
    #expect(saved.isTest && saved.filters.count == 2)
    #expect(try Set(AudienceForm(saved).filters()) == Set(saved.filters))
    let path = visitor.path("audiences/\(saved.id)")
    #expect(await visitor.get(path).text.contains("A &lt;b&gt;"))
    let version = saved.updatedAt.iso8601
    fixture.clock.advance(by: .seconds(1))
    #expect(
      await visitor.post(path, ["action": "save", "name": "B", "version": version]).status == 303)
    let second = await visitor.post(path, ["action": "save", "name": "C", "version": version])
    #expect(second.status == 409 && second.text.contains("value=\"C\""))
    #expect(await visitor.post(path, ["action": "save", "version": version]).status == 422)
    let current = try await fixture.store.audience(saved.id, app: fixture.app.id)
    let deleted = await visitor.post(path, ["action": "delete"])
    #expect(deleted.status == 200 && deleted.text.contains("is deleted"))
    #expect(await visitor.get(path).status == 404)

    // Undone with the same id, once, by what this server sealed for this app alone.
    let sealed = try #require(
      deleted.text.firstMatch(of: /name="deleted" value="([^"]+)"/).map { String($0.1) })
    func restore(_ sealed: String) async -> Fixture.Answer {
      await visitor.post(
        visitor.path("audiences/new"), ["action": "restore", "deleted": sealed])
    }
    #expect(await restore("").status == 422)
    #expect(await restore(String(sealed.dropLast()) + "!").status == 422)
    #expect(await restore(sealed).headers["Location"] == path)
    let restored = try #require(try await fixture.store.audience(saved.id, app: fixture.app.id))
    #expect(restored.name == current?.name && restored.filters == current?.filters)
    #expect(restored.createdAt == current?.createdAt && restored.isTest == current?.isTest)
    #expect(await restore(sealed).status == 409)
    #expect(await visitor.post(path, ["action": "delete"]).status == 200)
    let everyone = Identifiers.everyone(in: fixture.app.id)
    #expect(await visitor.get(visitor.path("audiences/\(everyone)")).status == 404)
  }
}
