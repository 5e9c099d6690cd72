import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The pages of templates", .timeLimit(.minutes(10)))
struct StoredTemplatePagesTests {
  private func save(_ name: String, _ payload: JSONValue, _ fixture: Fixture) async throws {
    _ = try await fixture.store.save(
      StoredTemplate(
        app: fixture.app.id, name: name, version: 0, payload: payload, savedAt: fixture.clock.now),
      after: nil)
  }

  @Test("a template is written, edited, composed from and deleted, and its versions stay")
  func wholeWay() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let (compose, list) = (client.path("compose"), client.path("compose/templates"))
    #expect(await client.get(list).text.contains("No templates yet"))
    let new = await client.get(compose + "?edit_template").text
    #expect(new.contains("New template") && !new.contains("Review and send"))
    let first: KeyValuePairs = [
      "action": "template", "stored_name": "welcome", "stored_version": "0", "to": "*",
      "title": "Hello", "text": "One",
    ]
    let saved = await client.post(compose, first)
    #expect(saved.status == 303, "\(saved.text)")
    let page = list + "/welcome"
    #expect(saved.headers["Location"] == page + "?saved=1")
    let taken = await client.post(compose, first)
    #expect(taken.status == 409 && taken.text.contains("There is a template “welcome” already."))
    let edit = await client.get(compose + "?edit_template=welcome").text
    #expect(edit.contains("Edit template welcome") && edit.contains("Save version 2"))
    #expect(edit.contains("value=\"Hello\""))
    let second: KeyValuePairs = [
      "action": "template", "stored_name": "welcome", "stored_version": "1", "to": "*",
      "title": "Hello", "text": "Two",
    ]
    #expect(await client.post(compose, second).status == 303)
    let late = await client.post(compose, second)
    #expect(late.status == 409 && late.text.contains("Somebody else has saved “welcome” meanwhile"))
    let shown = await client.get(page).text
    #expect(shown.contains("Version 2, saved") && shown.contains("?version=1"))
    let old = await client.get(page + "?version=1").text
    #expect(old.contains("Edit from this version") && old.contains("version 2"))
    let card = await client.get(page + "/versions/1/card.png")
    #expect(card.status == 200 && card.headers["Content-Type"] == "image/png")
    #expect(await client.get(page + "/versions/9/card.png").status == 404)
    let message = await client.get(compose + "?template=welcome").text
    #expect(message.contains("value=\"Hello\"") && message.contains("Review and send"))
    #expect(
      await client.get(compose + "?template=welcome&version=1").text.contains("One</textarea>"))
    #expect(await client.get(compose + "?template=none").status == 404)
    #expect(await client.get(list).text.contains("1 of 1 template"))
    let stale = await client.post(page, ["action": "delete", "version": "1"])
    #expect(stale.status == 409 && stale.text.contains("read it again"))
    #expect(await client.post(page, ["action": "delete", "version": "2"]).status == 303)
    #expect(await client.get(list).text.contains("No templates yet"))
    // The audit log links to it without a version.
    #expect(await client.get(page).text.contains("The template was deleted"))
    #expect(await client.get(page + "?version=2").text.contains("The template was deleted"))
  }

  @Test("the composer keeps its message as a template, with what a template has")
  func fromComposer() async throws {
    let fixture = try await Fixture()
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    let compose = client.path("compose")
    _ = await client.get(compose)
    func post(_ more: [(String, String)]) async -> Fixture.Answer {
      await client.post(compose, [("action", "template"), ("title", "Hello")] + more)
    }
    let saved = await post([("stored_name", "greeting"), ("link", "https://e.co/")])
    #expect(saved.status == 200 && saved.text.contains("Saved as a template."), "\(saved.text)")
    let payload = try await fixture.store.template("greeting", app: fixture.app.id)?.payload
    #expect(payload == ["title": "Hello", "url": "https://e.co/"])
    for (fields, words) in [
      ([("stored_name", "")], "Name the template"), ([("stored_name", "a b")], "Name the template"),
      ([("stored_name", "greeting")], "There is a template “greeting” already."),
      ([("stored_name", "x"), ("kind", "message")], "A template is of a push."),
      ([("stored_name", "x"), ("badge", "many")], "Badge"),
    ] {
      let refused = await post(fields)
      #expect(refused.status >= 400 && refused.text.contains(words), "\(words)")
      #expect(refused.text.contains("Error: "))
    }
    #expect(
      try await fixture.store.templates(
        app: fixture.app.id, matching: "", after: nil, limit: 9
      ).total == 1)
  }

  @Test("the form of a campaign takes a template, and names it as long as the message is its own")
  func campaign() async throws {
    let all = try await CampaignFixture(devices: 2)
    try await save("welcome", ["title": "Hello", "alert": "One", "thread": "x"], all.fixture)
    let client = try await DashboardClient.signedIn(all.fixture, as: .push)
    let path = client.path("sends/campaigns/new")
    #expect(await client.get(path).text.contains("welcome, version 1"))
    let base = [
      ("variants", "1"), ("name", "Autumn"), ("to", "*"), ("v0_key", "a"), ("v0_share", "100"),
      ("mode", "all"),
    ]
    let used = await client.post(
      path, base + [("action", "v0_use"), ("v0_choice", "welcome"), ("v0_title", "Old")])
    #expect(used.text.contains("value=\"welcome@1\"") && used.text.contains("value=\"Hello\""))
    #expect(!used.text.contains("value=\"Old\""))
    let message = [
      ("v0_stored", "welcome@1"), ("v0_title", "Hello"), ("v0_text", "One"),
      ("v0_pair_key", "thread"), ("v0_pair_value", "x"),
    ]
    for (changed, template) in [(false, "welcome@1" as JSONValue?), (true, nil)] {
      let more = changed ? [("v0_subtitle", "New")] : []
      let saved = await client.post(path, base + message + more + [("action", "save")])
      let id = try #require(saved.headers["Location"]?.split(separator: "/").last, "\(saved.text)")
      let variant = await all.get("campaigns/\(id)")["campaign"]?["variants"]?.array?[0]
      #expect(variant?["template"] == template && variant?["payload"]?["alert"] == "One")
      let edit = await client.get(client.path("sends/campaigns/\(id)/edit")).text
      #expect(edit.contains("value=\"welcome@1\"") == !changed)
      let review = await client.get(client.path("sends/campaigns/\(id)")).text
      #expect(review.contains("Template welcome@1") == !changed)
    }
  }
}
