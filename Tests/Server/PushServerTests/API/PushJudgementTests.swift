import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("One judgement of a push at every door", .timeLimit(.minutes(10)))
struct PushJudgementTests {
  /// Payloads that lint calls an error, with its code and the beginning of the refusal after the payload's path.
  static let refused: [(payload: JSONValue, code: String, error: String)] = [
    (["aps": ["alert": "x"]], "M224", ".aps.alert is a text outside of alert; move it to"),
    (
      ["body": "x"], "M204",
      " has no alert, title, subtitle, badge, sound or content_available; body is"
    ),
    (
      ["message": "x"], "M204",
      " has no alert, title, subtitle, badge, sound or content_available; message"
    ),
    (
      ["Alert": "x"], "M204",
      " has no alert, title, subtitle, badge, sound or content_available; Alert is"
    ),
    (
      ["alert": .null], "M204",
      " has no alert, title, subtitle, badge, sound or content_available; add"
    ),
    (["order": 7], "M204", " has no alert"),
    (["alert": "  "], "M303", ".alert "),
    (["title": ""], "M303", ".title "),
    (["alert": "x", "sound": "/var/x.caf"], "M405", ".sound "),
    (
      ["alert": "x", "_st": ["image_url": "https://e.x/a.jpg"]], "M521", ""
    ),
    (
      ["alert": "x", "mutable_content": true, "_st": ["image_url": "http://e.x/a.jpg"]], "M721",
      "._st.image_url "
    ),
  ]

  @Test(
    "an error of lint is refused by each door with the same words", arguments: refused)
  func doors(payload: JSONValue, code: String, error: String) async throws {
    let all = try await CampaignFixture(devices: 1)
    let fixture = all.fixture
    func post(_ path: String, _ body: JSONValue, method: String = "POST") async -> Fixture.Answer {
      await fixture.request(method, "/v6/\(path)", body: body.text)
    }
    let target: JSONValue = [["name": "device_id", "criteria": ["d0"]]]
    let answers = [
      ("$.notification.payload", await fixture.send(payload)),
      (
        "$.campaign.variants[0].payload",
        await post(
          "campaigns",
          ["campaign": ["name": "n", "to": "*", "variants": [["key": "a", "payload": payload]]]])
      ),
      (
        "$.template.payload",
        await post("templates/t", ["template": ["payload": payload]], method: "PUT")
      ),
      (
        "$.notification.payload",
        await post(
          "transactional/notifications",
          [
            "to": ["field": "device_id", "value": "d0"], "group": "code",
            "notification": ["payload": payload],
          ])
      ),
    ]
    for (path, answer) in answers {
      #expect(answer.status == 422, "\(path) \(answer.text)")
      #expect(answer.json["code"]?.string == code, "\(path) \(answer.text)")
      #expect(
        answer.json["error"]?.string?.hasPrefix(path + error) == true, "\(path) \(answer.text)")
    }
    let preview = await post(
      "notifications/preview", ["notification": ["to": target, "payload": payload]])
    #expect(preview.status == 200, "\(preview.text)")
    let finding = preview.json["findings"]?.array?.first { $0["code"]?.string == code }
    let words = ["path", "message"].compactMap { finding?[$0]?.string }.joined(separator: " ")
    let refusal = "\(words); \(finding?["advice"]?.string ?? "")"
    #expect(answers[0].1.json["error"]?.string == refusal)
  }

  @Test("force sends it all the same, and is in the audit log")
  func force() async throws {
    let all = try await CampaignFixture(devices: 1)
    let fixture = all.fixture
    let payload: JSONValue = ["order": 7]
    let sent = await fixture.request(
      "POST", "/v6/notifications",
      body: JSONValue.object(["notification": ["to": "*", "payload": payload, "force": true]]).text)
    #expect(sent.status == 201, "\(sent.text)")
    let variants: JSONValue = [["key": "a", "payload": payload, "force": true]]
    let campaign = await fixture.request(
      "POST", "/v6/campaigns",
      body: JSONValue.object(["campaign": ["name": "n", "to": "*", "variants": variants]]).text)
    #expect(campaign.status == 201, "\(campaign.text)")
    let id = campaign.json["campaign"]?["id"]?.string ?? ""
    let started = await fixture.request("POST", "/v6/campaigns/\(id)/start")
    #expect(started.status == 200, "\(started.text)")
    let template = await fixture.request(
      "PUT", "/v6/templates/t",
      body: JSONValue.object(["template": ["payload": payload, "force": true]]).text)
    #expect(template.status == 200, "\(template.text)")
    let entries = try await fixture.store.audit(app: fixture.app.id, after: nil, limit: 99).elements
    #expect(
      entries.map(\.action).filter { $0.hasSuffix(".force") }.sorted()
        == ["campaign.force", "notification.force", "template.force"])
    #expect(entries.contains { $0.action == "campaign.force" && $0.object == id })
  }

  @Test(
    "a value that Liquid makes is not refused for what it is without a device",
    arguments: [
      ["alert": "{{ custom.text }}"], ["title": "{% if custom.a %}A{% endif %}"],
      [
        "alert": "x", "mutable_content": true, "_st": ["image_url": "{{ custom.picture }}"],
      ],
    ] as [JSONValue])
  func personal(payload: JSONValue) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.send(payload)
    #expect(answer.status == 201, "\(answer.text)")
  }

  @Test("a member whose name begins the name of another is judged by itself")
  func similarName() async throws {
    let fixture = try await Fixture()
    // The path of `_s` begins that of `_st.image_url`.
    let payload: JSONValue = [
      "alert": "x", "mutable_content": true, "_s": "{{ custom.a }}",
      "_st": ["image_url": "http://example.com/a.jpg"],
    ]
    let answer = await fixture.send(payload)
    #expect(answer.status == 422 && answer.json["code"] == "M721", "\(answer.text)")
  }

  @Test("v4 and v5 take a push that lint calls an error", arguments: ["v4", "v5"])
  func older(version: String) async throws {
    let fixture = try await Fixture()
    let body: JSONValue = ["notification": ["to": "*", "payload": ["order": 7]]]
    #expect(
      await fixture.request("POST", "/\(version)/notifications", body: body.text).status == 201)
  }
}
