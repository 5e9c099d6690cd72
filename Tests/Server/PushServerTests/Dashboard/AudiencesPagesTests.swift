import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite("The pages of audiences", .timeLimit(.minutes(10)))
struct AudiencesPagesTests {
  /// The builder after an action, as its script asks for it.
  private func builder(
    _ client: DashboardClient, _ fields: [(String, String)], action: String = "who_show"
  ) async -> Fixture.Answer {
    await client.post(client.path("audiences/conditions"), fields + [("action", action)])
  }

  /// The fields of rows of a list.
  private static func rows(_ rows: [ConditionRow], of list: String = "all") -> [(String, String)] {
    rows.flatMap { row in
      [
        ("who_\(list)_field", row.field), ("who_\(list)_is", row.comparison.rawValue),
        ("who_\(list)_value", row.value), ("who_\(list)_extra", row.extra),
      ]
    }
  }

  private static func row(
    _ field: String, _ comparison: ConditionComparison, _ value: String
  ) -> [(String, String)] {
    rows([ConditionRow(field: field, comparison: comparison, value: value)])
  }

  /// Three devices, of which the last one does not allow pushes.
  private func fixture() async throws -> Fixture {
    let fixture = try await Fixture()
    for (id, age) in [("d1", 20), ("d2", 40)] {
      try await fixture.register(id) {
        $0.tags = .set(["news", id])
        $0.userID = .set("u" + id)
        $0.attributes = [
          "age": Attribute(kind: .integer, value: .integer(Int64(age))),
          "plan": Attribute(kind: .string, value: .string("<b> \(id)")),
        ]
      }
    }
    try await fixture.register("d3") { $0.isPushEnabled = .set(false) }
    return fixture
  }

  @Test("the builder counts the devices by whether a push reaches them")
  func counting() async throws {
    let client = try await DashboardClient.signedIn(fixture(), as: .push)
    _ = await client.get(client.path("audiences/new"))
    let group = [("who_any0_kind", "conditions"), ("who_any1_kind", "conditions")]
    let table: [([(String, String)], String)] = [
      ([], "3 devices"), (Self.row("tags", .equals, "news"), "2 devices"),
      (Self.row("tags", .any, "d1, d2"), "2 devices"),
      (Self.row("tags", .none, "d1,d2"), "1 device"),
      (Self.row("tags", .isNotSet, ""), "1 device"),
      (Self.row("custom.integer.age", .gte, "40"), "1 device"),
      (Self.row("push_enabled", .no, ""), "1 device"),
      ([("user_ids", "user_id\nud1\n\"ud2\",nobody\r\n")], "2 devices"),
      (
        group
          + Self.rows([ConditionRow(field: "tags", value: "d1")], of: "any0")
          + Self.rows(
            [ConditionRow(field: "push_enabled", comparison: .no)], of: "any1"), "2 devices"
      ),
      (
        [("who_except0_kind", "conditions")]
          + Self.rows([ConditionRow(field: "tags", value: "d1")], of: "except0"), "2 devices"
      ),
      (
        Self.row("kept", .equals, #"{"name":"custom.integer.age","criteria":[{"gt":20,"lt":41}]}"#),
        "1 device"
      ),
    ]
    for (fields, expected) in table {
      let answer = await builder(client, fields)
      #expect(answer.text.contains("<strong>\(expected)</strong>"), "\(fields): \(answer.text)")
    }
    let all = await builder(client, [])
    #expect(all.text.contains("<strong>2</strong> reachable by push"))
    #expect(all.text.contains("<strong>1</strong> opted out"))
    let nobody = await builder(
      client,
      Self.rows([
        ConditionRow(field: "tags", value: "news"), ConditionRow(field: "tags", value: "new"),
      ]))
    #expect(nobody.text.contains("No device matches.</strong>"))
    #expect(nobody.text.contains("No device matches “Tags include new”."))
    #expect(!nobody.text.contains("No device matches “Tags include news”."))
  }

  @Test("the builder offers the app's fields and the values that devices have")
  func choices() async throws {
    let client = try await DashboardClient.signedIn(fixture(), as: .push)
    _ = await client.get(client.path("audiences/new"))
    let page = await client.get(client.path("audiences/new"))
    #expect(page.text.contains(#"<option value="custom.integer.age">age (number)</option>"#))
    #expect(page.text.contains(#"<option value="last_opened">Last opened</option>"#))
    let row = await builder(client, Self.row("custom.string.plan", .equals, ""))
    #expect(row.text.contains(#"<option value="&lt;b&gt; d1" label="&lt;b&gt; d1 · 1 device">"#))
    let path = client.path("audiences/conditions/values")
    let values = await client.get(path + "?field=tags&text=D")
    #expect(
      values.json == [
        "values": [["text": "d1", "devices": 1], ["text": "d2", "devices": 1]], "whole": true,
      ])
    #expect(await client.get(path + "?field=colour").status == 422)
    #expect(await client.get(path + "?field=location").json["values"] == [])
  }

  @Test("without a script the buttons add and remove conditions, and say what has the focus")
  func buttons() async throws {
    let client = try await DashboardClient.signedIn(fixture(), as: .push)
    _ = await client.get(client.path("audiences/new"))
    var fields = Self.row("tags", .equals, "news") + [("name", "Readers")]
    let added = await client.post(
      client.path("audiences/new"), fields + [("action", "who_group_except_conditions")])
    #expect(added.status == 200 && added.text.contains("value=\"Readers\""))
    let select = try #require(added.text.firstMatch(of: /<select id="who_except0_0_field"[^>]*>/))
    #expect(select.0.contains(" autofocus"))
    fields += [("who_except0_kind", "conditions")]
    fields += Self.rows([ConditionRow(field: "tags", value: "d1")], of: "except0")
    let saved = await client.post(client.path("audiences/new"), fields + [("action", "save")])
    #expect(saved.status == 303)
    let list = await client.get(client.path("audiences"))
    #expect(list.text.contains("Tags include news, but not Tags include d1"))
  }

  @Test(
    "a refusal names the condition, and no JSON path",
    arguments: [
      ("colour", "x", "colour: The field"),
      ("custom.integer.age", "old", "age: “old” is not a whole number."),
      ("custom.integer.age", "", "age: Enter a value."),
      ("kept", "{", "Condition: The value"), ("kept", "[]", "Condition: The"),
    ])
  func refusal(field: String, value: String, words: String) async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .push)
    _ = await client.get(client.path("audiences/new"))
    let fields =
      [("name", "Readers")]
      + Self.rows([
        ConditionRow(field: "tags", value: "a"), ConditionRow(field: field, value: value),
      ])
    let page = await client.post(client.path("audiences/new"), fields + [("action", "save")])
    #expect(page.status == 422 && page.text.contains(words), "\(page.text)")
    #expect(page.text.contains("<title>Error: New audience · Martlet</title>"))
    #expect(page.text.contains("role=\"alert\"") && !page.text.contains("$."))
    #expect(page.text.contains("href=\"#who_all_1_value\""))
  }

  @Test("an audience that the API made is shown, and kept as it is when it is saved")
  func unharmed() async throws {
    let fixture = try await fixture()
    let to: JSONValue = [
      "all": [
        ["name": "last_opened", "criteria": [["gte": "-7d"]], "not_filter": true],
        ["name": "badge", "criteria": [["gt": 1, "lt": 5], 9]],
      ],
      "any": [[["name": "tags", "criteria": ["news"]]]],
      "except": [[["name": "user_id", "criteria": ["ud1"]]]],
    ]
    let body: JSONValue = ["audience": ["name": "Made", "to": to]]
    let made = await fixture.request("POST", "/v6/audiences", body: body.text)
    let id = try #require(made.json["audience"]?["id"]?.string, "\(made.text)")
    let before = try #require(try await fixture.store.audience(id, app: fixture.app.id))
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let path = client.path("audiences/\(id)")
    let page = await client.get(path)
    #expect(page.text.contains("Badge is more than 1 and less than 5 or 9"))
    let fields = AudienceConditions(before).fields.map { ($0.name, $0.value) }
    let saved = await client.post(path, fields + [("name", "Made"), ("action", "save")])
    #expect(saved.status == 409)
    let version = [("version", before.updatedAt.iso8601)]
    let second = await client.post(path, fields + version + [("name", "Made"), ("action", "save")])
    #expect(second.status == 303, "\(second.text)")
    let after = try #require(try await fixture.store.audience(id, app: fixture.app.id))
    #expect(after.filters == before.filters)
    #expect(after.any == before.any && after.except == before.except)
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
      let shown = await client.get(client.path("audiences/\(audience.id)"))
      #expect(shown.text.contains("\n\(ids[9_999])</textarea>"))
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
        "action": "save", "name": "A <b>", "test": "on", "who_all_field": "tags",
        "who_all_is": "is_not", "who_all_value": "x", "who_all_extra": "",
      ])
    #expect(new.headers["Location"] == client.path("audiences"))
    let saved = try #require(
      try await fixture.store.audiences(app: fixture.app.id, after: nil, limit: 9).elements.first)
    #expect(saved.isTest && saved.filters.count == 1)
    let path = client.path("audiences/\(saved.id)")
    #expect(await client.get(path).text.contains("A &lt;b&gt;"))
    let version = saved.updatedAt.iso8601
    fixture.clock.advance(by: .seconds(1))
    #expect(
      await client.post(path, ["action": "save", "name": "B", "version": version]).status == 303)
    let second = await client.post(path, ["action": "save", "name": "C", "version": version])
    #expect(second.status == 409 && second.text.contains("value=\"C\""))
    // A refused form still has the version that its user knows.
    let refused = await client.post(path, ["action": "save", "version": version])
    #expect(refused.status == 422)
    #expect(refused.text.contains("name=\"version\" value=\"\(version)\""))
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
