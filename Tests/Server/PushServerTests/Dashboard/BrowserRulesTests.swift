import Foundation
import PushModel
import Testing

@testable import PushServer

@Suite("The rules that browsers get", .timeLimit(.minutes(10)))
struct BrowserRulesTests {
  @Test(
    "every answer is taken for what its type says, and JSON is saved instead of shown",
    arguments: [
      ("/v6/notifications", 200), ("/v6/notifications/none", 404), ("/v6/none", 404),
      ("/v6/openapi.json", 200), ("/healthz", 200), ("/media/none", 404),
      ("/assets/0000/style.css", 404),
    ])
  func types(path: String, status: Int) async throws {
    let fixture = try await Fixture()
    for role in [APIKey.Role.push, nil] {
      let answer = await fixture.request("GET", path, role: role)
      if role != nil { #expect(answer.status == status) }
      #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
      let isJSON = answer.headers["Content-Type"] == "application/json"
      #expect(
        answer.headers["Content-Disposition"]
          == (isJSON ? #"attachment; filename="api.json""# : nil))
    }
  }

  @Test("strings cannot become markup or code on a page, and no other page frames it")
  func policy() async throws {
    let client = try await DashboardClient.signedIn(Fixture())
    let header = await client.get(client.path("compose")).headers["Content-Security-Policy"] ?? ""
    let rules = header.split(separator: "; ").map(String.init)
    for rule in [
      "default-src 'none'", "script-src 'self'", "base-uri 'none'", "form-action 'self'",
      "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ] { #expect(rules.contains(rule), "\(rule)") }
  }

  @Test("fields for passwords are masked, and managers of passwords may fill them")
  func passwords() async throws {
    let page = await DashboardClient(try await Fixture()).get("/sign-in").text
    let field = try #require(page.firstMatch(of: /<input id="password"[^>]*>/)).0
    #expect(field.contains(#"type="password""#))
    #expect(field.contains(#"autocomplete="current-password""#))
    #expect(!field.contains("onpaste") && !field.contains("readonly"))
  }
}
