import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Personalization in the composer", .timeLimit(.minutes(10)))
struct PersonalizationTests {
  /// A client of an app of whose five devices three have a first name.
  private func client() async throws -> DashboardClient {
    let fixture = try await Fixture()
    for (number, name) in ["Ada", "Bea", "Ada", nil, nil].enumerated() {
      try await fixture.register("d\(number)") {
        $0.tags = .set(name == nil ? [] : ["named"])
        $0.attributes["plan"] = Attribute(kind: .string, value: "gold")
        $0.attributes["visits"] = Attribute(kind: .integer, value: .integer(Int64(number)))
        if let name { $0.attributes["first_name"] = Attribute(kind: .string, value: .string(name)) }
      }
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("compose"))
    return client
  }

  private func remarks(
    _ client: DashboardClient, _ fields: [(String, String)]
  ) async -> [(field: String, message: String, advice: String)] {
    let answer = await client.post(
      client.path("compose"), fields, headers: [("Accept", "application/json")])
    #expect(answer.json["sendable"] == true, "\(answer.text)")
    return (answer.json["remarks"]?.array ?? []).filter { $0["severity"] == "warning" }.map {
      ($0["field"]?.string ?? "", $0["message"]?.string ?? "", $0["advice"]?.string ?? "")
    }
  }

  @Test(
    "a name that no device has is warned of at its field, with the nearest one",
    arguments: [
      (
        "text", "{{ custom.frist_name | default: 'you' }}",
        "No device has the attribute “frist_name”", "Did you mean {{ custom.first_name }}?"
      ),
      // A name without `custom.`, as `{{first_name}}` in Customer.io's and Klaviyo's texts, is the most frequent mistake.
      (
        "title", "{{ first_name }}", "“first_name” is not a name that texts can use",
        "Did you mean {{ custom.first_name }}?"
      ),
      ("subtitle", "{{ user_di }}", "“user_di” is not a name", "Did you mean {{ user_id }}?"),
      ("text", "{{ costum.plan }}", "“costum” is not a name", "Did you mean {{ custom.plan }}?"),
      // So is another vendor's name of the object.
      (
        "text", "{{ customer.first_name | default: 'you' }}", "“customer” is not a name",
        "Did you mean {{ custom.first_name }}?"
      ),
      ("text", "{{ custom.shoe_size }}", "No device has the attribute “shoe_size”", ""),
      (
        "lang_fr_text", "{{ custom.plann }}", "No device has the attribute “plann”",
        "Did you mean {{ custom.plan }}?"
      ),
      (
        "link", "app://{{ custom.pln }}", "No device has the attribute “pln”",
        "Did you mean {{ custom.plan }}?"
      ),
    ])
  func misspelt(field: String, text: String, message: String, advice: String) async throws {
    let found = await remarks(
      try await client(),
      [("to", "*"), ("text", "Hi"), ("language", "fr"), (field, text)].filter {
        $0.0 != "text" || field != "text" || $0.1 != "Hi"
      })
    let remark = try #require(found.first { $0.field == field }, "\(found)")
    #expect(remark.message.contains(message) && remark.advice == advice, "\(remark)")
  }

  @Test(
    "devices of the audience without a value are counted, unless the text has a default for them")
  func missing() async throws {
    let client = try await client()
    _ = await client.fixture.request(
      "POST", "/v6/audiences",
      body: #"{"audience":{"name":"Named","to":[{"name":"tags","criteria":["named"]}]}}"#)
    let named = try #require(
      try await client.fixture.store.audiences(app: client.fixture.app.id, after: nil, limit: 9)
        .elements.first { $0.name == "Named" })
    let hello = ("text", "Hi {{ custom.first_name }}")
    let found = await remarks(client, [("to", "*"), hello])
    #expect(
      found.map(\.message) == [
        "2 devices of 5 in the audience have no “first_name”, and nothing is written in its place."
      ])
    #expect(found.first?.advice.contains("{{ custom.first_name | default:") == true)
    for fields in [
      [("to", named.id), hello], [hello], [("to", "*"), ("text", "{{ custom.plan }}")],
      [("to", "*"), ("text", "Hi {{ custom.first_name | default: 'you' }}")],
      [("to", "*"), ("text", "{% if custom.first_name %}{{ custom.first_name }}{% endif %}!")],
    ] {
      let answer = await client.post(
        client.path("compose"), fields, headers: [("Accept", "application/json")])
      let warnings = (answer.json["remarks"]?.array ?? []).filter { $0["severity"] == "warning" }
      #expect(warnings.isEmpty, "\(fields): \(warnings)")
    }
    // The review says it, too, and does not stand in the way.
    let review = await client.post(
      client.path("compose"), [("to", "*"), hello, ("action", "review")])
    #expect(review.status == 200)
    #expect(review.text.contains("2 devices of 5 in the audience have no “first_name”"))
  }

  @Test("the menu has the attributes with values of devices of the audience")
  func menu() async throws {
    let client = try await client()
    let page = await client.post(client.path("compose"), [("to", "*"), ("text", "Hi")])
    for option in [
      "<option value=\"{{ custom.first_name }}\">first_name: Ada, Bea</option>",
      "<option value=\"{{ custom.plan }}\">plan: gold</option>",
      "<option value=\"{{ custom.visits }}\">visits: 0, 1, 2</option>",
      "<option value=\"{{ user_id }}\">User ID</option>",
    ] { #expect(page.text.contains(option), "\(option)") }
    let campaign = await client.get(client.path("sends/campaigns/new"))
    #expect(campaign.text.contains(">first_name: Ada, Bea</option>"))
  }

  @Test("the menu writes an attribute whose name is not an identifier in quotes")
  func quotedNames() async throws {
    let client = try await client()
    try await client.fixture.register("d9") {
      for name in ["größe", "shoe size", "first-name", "2nd", "_a1"] {
        $0.attributes[name] = Attribute(kind: .string, value: "x")
      }
    }
    let page = await client.post(client.path("compose"), [("to", "*"), ("text", "Hi")])
    for option in [
      "{{ custom[&quot;größe&quot;] }}", "{{ custom[&quot;shoe size&quot;] }}",
      "{{ custom[&quot;first-name&quot;] }}", "{{ custom[&quot;2nd&quot;] }}", "{{ custom._a1 }}",
    ] { #expect(page.text.contains("<option value=\"\(option)\">"), "\(option)") }
  }

  @Test("a variant of a campaign is checked with the campaign's audience")
  func campaign() async throws {
    let client = try await client()
    let fields: [(String, String)] = [
      ("name", "Sale"), ("to", "*"), ("holdout", "obey"), ("variants", "1"), ("v0_key", "a"),
      ("v0_share", "100"), ("v0_text", "Hi {{ custom.first_name }}"), ("mode", "all"),
    ]
    let path = client.path("sends/campaigns/new")
    let preview = await client.post(path, fields + [("action", "preview")])
    let remark = "2 devices of 5 in the audience have no “first_name”"
    #expect(preview.text.contains(remark))
    let saved = await client.post(path, fields + [("action", "save")])
    #expect(saved.status == 303, "\(saved.text)")
    let review = await client.get(saved.headers["Location"] ?? "")
    #expect(review.text.contains(remark))
  }

  @Test("the names that the check knows are those of docs/server/liquid.md")
  func documented() throws {
    let root = Repository.root
    let text = try String(
      contentsOf: root.appending(path: "docs/server/liquid.md"), encoding: .utf8)
    let start = try #require(text.range(of: "## Names"))
    let end = try #require(text[start.upperBound...].range(of: "##"))
    let table = text[start.upperBound..<end.lowerBound]
    let names = table.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`([a-z_]+)/).map { String($0.1) }
    }
    #expect(Set(names) == Set(Personalization.names + ["custom"]))
  }
}
