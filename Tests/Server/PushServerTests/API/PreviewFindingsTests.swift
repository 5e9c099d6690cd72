import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("What a preview finds in the texts of a payload", .timeLimit(.minutes(10)))
struct PreviewFindingsTests {
  /// Three devices with a plan, of which one has a first name.
  private func fixture() async throws -> Fixture {
    let fixture = try await Fixture()
    for (number, name) in ["Ada", nil, nil].enumerated() {
      try await fixture.register("d\(number)") {
        $0.attributes["plan"] = Attribute(kind: .string, value: "gold")
        $0.attributes["größe"] = Attribute(kind: .string, value: "M")
        if let name { $0.attributes["first_name"] = Attribute(kind: .string, value: .string(name)) }
      }
    }
    return fixture
  }

  private func preview(_ alert: String, _ fixture: Fixture) async -> (status: Int, json: JSONValue)
  {
    let body: JSONValue = ["notification": ["to": "*", "payload": ["alert": .string(alert)]]]
    let answer = await fixture.request("POST", "/v6/notifications/preview", body: body.text)
    return (answer.status, answer.json)
  }

  static let findings: [(alert: String, code: String, message: String, advice: String)] = [
    (
      "Hi {{ customer.first_name }}", "unknown-name", "“customer” is not a name",
      "Did you mean {{ custom.first_name }}?"
    ),
    (
      "Hi {{ subscriber.plan | default: 'you' }}", "unknown-name", "“subscriber” is not a name",
      "Did you mean {{ custom.plan }}?"
    ),
    (
      "{% if costum.vip %}Hi{% endif %}Ho", "unknown-name", "“costum” is not a name",
      "Did you mean {{ custom.vip }}?"
    ),
    (
      "{{ first_name }}", "unknown-name", "“first_name” is not a name",
      "Did you mean {{ custom.first_name }}?"
    ),
    ("{{ time_zon }}", "unknown-name", "“time_zon” is not a name", "Did you mean {{ time_zone }}?"),
    ("{{ weather.today }}!", "unknown-name", "“weather” is not a name", ""),
    (
      "{{ custom.frist_name | default: 'you' }}", "unknown-attribute",
      "No device has the attribute “frist_name”", "Did you mean {{ custom.first_name }}?"
    ),
    (
      "{{ custom['grösse'] | default: 'M' }}", "unknown-attribute",
      "No device has the attribute “grösse”",
      "Did you mean {{ custom[\"größe\"] }}?"
    ),
    (
      "Hi {{ custom.first_name }}", "missing-default",
      "2 devices of 3 in the audience have no “first_name”",
      "Write {{ custom.first_name | default: \"…\" }} with what they get."
    ),
  ]

  @Test(
    "a name without a value is a warning with its path and the nearest name", arguments: findings)
  func finding(alert: String, code: String, message: String, advice: String) async throws {
    let answer = await preview(alert, try await fixture())
    #expect(answer.status == 200)
    let all = answer.json["findings"]?.array ?? []
    let finding = try #require(all.first { $0["code"]?.string == code }, "\(all)")
    #expect(finding["severity"] == "warning" && finding["path"] == "$.notification.payload.alert")
    #expect(finding["message"]?.string?.hasPrefix(message) == true, "\(finding)")
    #expect(finding["advice"]?.string == advice)
  }

  @Test(
    "names that every device has, or that have a default, are not found",
    arguments: [
      "Hi {{ custom.plan }}", "{{ custom[\"größe\"] }}", "{{ custom.first_name | default: 'you' }}",
      "{% if custom.first_name %}{{ custom.first_name }}{% else %}Hi{% endif %}",
      "{% assign x = custom.plan %}{{ x }}", "{{ device_id }}", "Hi",
    ])
  func known(alert: String) async throws {
    let answer = await preview(alert, try await fixture())
    let codes = (answer.json["findings"]?.array ?? []).compactMap { $0["code"]?.string }
    #expect(answer.status == 200 && codes.allSatisfy { !$0.contains("-") }, "\(codes)")
  }

  static let refused: [(alert: String, error: String)] = [
    ("Hi {{ custom.first_name | default: “there” }}", "LEFT DOUBLE QUOTATION MARK (U+201C)"),
    ("{% if custom.plan == ‘gold’ %}Gold{% endif %}", "LEFT SINGLE QUOTATION MARK (U+2018)"),
    ("{{ custom.plan\u{A0}}}", "NO-BREAK SPACE (U+00A0)"),
    ("{{ custom.plan | upcas }}", "unknown filter 'upcas': did you mean 'upcase'?"),
  ]

  @Test("Liquid that does not compile is 422 with its path, line and column", arguments: refused)
  func refusal(alert: String, error: String) async throws {
    let answer = await preview(alert, try await fixture())
    #expect(answer.status == 422)
    let text = answer.json.text
    #expect(text.contains("$.notification.payload.alert: line 1, column"), "\(text)")
    #expect(text.contains(error), "\(text)")
  }

  @Test("the findings of a campaign's variant are those of its own devices")
  func campaign() async throws {
    let all = try await CampaignFixture(devices: 2)
    let id = try await all.create([
      "variants": [["key": "a", "share": 100, "payload": ["alert": "{{ customer.plan }}!"]]]
    ])
    let variant = await all.post("campaigns/\(id)/preview").json["variants"]?.array?.first
    let finding = variant?["findings"]?.array?.first { $0["code"] == "unknown-name" }
    #expect(finding?["path"] == "$.variants[0].payload.alert", "\(variant ?? .null)")
    #expect(finding?["advice"] == "Did you mean {{ custom.plan }}?")
  }
}
