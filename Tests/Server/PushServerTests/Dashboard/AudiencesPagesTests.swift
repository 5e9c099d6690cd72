import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("The pages of audiences", .timeLimit(.minutes(10)))
struct AudiencesPagesTests {
  private func count(
    _ client: DashboardClient, _ fields: KeyValuePairs<String, String>
  ) async -> Fixture.Answer {
    await client.post(
      client.path("audiences/new"), fields, headers: [("Accept", "application/json")])
  }

  @Test("the builder counts its devices, and reports invalid conditions")
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
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("audiences/new"))
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
      let answer = await count(client, fields)
      #expect(answer.json["targeted"] == .integer(expected), "\(fields): \(answer.text)")
    }
    for fields: KeyValuePairs<String, String> in [
      ["field": "<b>", "comparison": "is", "value": "x"], ["more": "{"],
      ["field": "custom.integer.age", "comparison": "is", "value": "old"],
      ["user_ids": (0...10_000).map { "u\($0)" }.joined(separator: "\n")],
    ] {
      #expect([400, 422].contains(await count(client, fields).status))
      let page = await client.post(client.path("audiences/new"), fields)
      #expect(page.text.contains("role=\"alert\"") && !page.text.contains("<b>"))
    }
  }

  @Test(
    "a refusal names the condition, and no JSON path",
    arguments: [
      ("colour", "x", "", "The field “colour” of condition 2"),
      ("custom.integer.age", "old", "", "The value of condition 2"),
      ("tags", "x", #"[{"name":"tags","criteria":[]}]"#, "The value of additional filter 1"),
      ("colour", "x", #"[{"name":"tags","criteria":["x"]}]"#, "of condition 2"),
      ("tags", "x", "{", "The additional filters must be a JSON array"),
    ])
  func refusal(field: String, value: String, more: String, words: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    _ = await client.get(client.path("audiences/new"))
    let fields = [
      ("name", "Readers"), ("field", "tags"), ("comparison", "is"), ("value", "a"),
      ("field", field), ("comparison", "is"), ("value", value), ("more", more),
    ]
    let page = await client.post(client.path("audiences/new"), fields + [("action", "save")])
    #expect([400, 422].contains(page.status) && page.text.contains(words), "\(page.text)")
    #expect(page.text.contains("<title>Error: New audience · Martlet</title>"))
    let count = await client.post(
      client.path("audiences/new"), fields, headers: [("Accept", "application/json")])
    #expect(count.error.contains(words) && !count.error.contains("$"), "\(count.text)")
  }

  @Test(
    "a CSV file of user IDs is read by the column user_id, otherwise by the first",
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
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("audiences/new"))
    let page = await client.upload(
      client.path("audiences/new"), ["action": "count"], file: Array(text.utf8), named: "ids.csv")
    guard let targeted else {
      #expect(
        page.text.contains("The CSV file contains no user IDs") && page.text.contains("Not counted")
      )
      return
    }
    #expect(page.text.contains(">\(targeted) device"), "\(page.status)")
  }

  @Test("ten thousand user IDs can be saved; a deletion too long for a form cannot be undone")
  func manyUsers() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("audiences/new"))
    for (length, isOffered) in [(20, true), (50, false)] {
      let ids = (0..<Target.userLimit).map { number in
        String(repeating: "u", count: length - 5) + String(number + 10_000)
      }
      let counted = await client.upload(
        client.path("audiences/new"), ["action": "count"],
        file: Array(ids.joined(separator: "\r\n").utf8), named: "ids.csv")
      #expect(counted.text.contains(ids[9_999]))
      let saved = await client.post(
        client.path("audiences/new"),
        ["action": "save", "name": "Many", "user_ids": ids.joined(separator: "\n")])
      #expect(saved.status == 303)
      let audience = try #require(
        try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9).elements.first)
      #expect(audience.filters.first?.criteria.count == Target.userLimit)
      let deleted = await client.post(
        client.path("audiences/\(audience.id)"), ["action": "delete"])
      #expect(deleted.text.contains(">Undo<") == isOffered)
    }
  }

  @Test("an audience is saved, changed, deleted and restored; a concurrent change is reported")
  func saving() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("audiences/new"))
    let new = await client.post(
      client.path("audiences/new"),
      [
        "action": "save", "name": "A <b>", "test": "on", "field": "tags", "comparison": "is_not",
        "value": "x", "more": #"[{"name":"badge","criteria":[{"gt":1,"lt":5}]}]"#,
      ])
    #expect(new.headers["Location"] == client.path("audiences"))
    let saved = try #require(
      try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9).elements.first)
    #expect(saved.isTest && saved.filters.count == 2)
    #expect(try Set(AudienceForm(saved).filters()) == Set(saved.filters))
    let path = client.path("audiences/\(saved.id)")
    #expect(await client.get(path).text.contains("A &lt;b&gt;"))
    let version = saved.updatedAt.iso8601
    fixture.clock.advance(by: .seconds(1))
    #expect(
      await client.post(path, ["action": "save", "name": "B", "version": version]).status == 303)
    let second = await client.post(path, ["action": "save", "name": "C", "version": version])
    #expect(second.status == 409 && second.text.contains("value=\"C\""))
    #expect(await client.post(path, ["action": "save", "version": version]).status == 422)
    let current = try await fixture.store.audience(saved.id, app: fixture.app.id)
    let deleted = await client.post(path, ["action": "delete"])
    #expect(deleted.status == 200 && deleted.text.contains("was deleted"))
    #expect(await client.get(path).status == 404)

    // Restored once, with the same ID, and only with a token of this server for this app.
    let sealed = try #require(
      deleted.text.firstMatch(of: /name="deleted" value="([^"]+)"/).map { String($0.1) })
    func restore(_ sealed: String) async -> Fixture.Answer {
      await client.post(
        client.path("audiences/new"), ["action": "restore", "deleted": sealed])
    }
    #expect(await restore("").status == 422)
    #expect(await restore(String(sealed.dropLast()) + "!").status == 422)
    #expect(await restore(sealed).headers["Location"] == path)
    let restored = try #require(try await fixture.store.audience(saved.id, app: fixture.app.id))
    #expect(restored.name == current?.name && restored.filters == current?.filters)
    #expect(restored.createdAt == current?.createdAt && restored.isTest == current?.isTest)
    #expect(await restore(sealed).status == 409)
    #expect(await client.post(path, ["action": "delete"]).status == 200)
    let everyone = Identifiers.everyone(in: fixture.app.id)
    #expect(await client.get(client.path("audiences/\(everyone)")).status == 404)
  }
}
