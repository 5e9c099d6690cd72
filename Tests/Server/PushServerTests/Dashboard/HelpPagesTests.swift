import Foundation
import PushModel
import TestSupport
import Testing

@testable import PushServer

@Suite("The help of the dashboard", .timeLimit(.minutes(10)))
struct HelpPagesTests {
  @Test(
    "each topic is served by this program, with and without an app", arguments: HelpTopic.allCases)
  func pages(topic: HelpTopic) async throws {
    let client = try await DashboardClient.signedIn(Fixture(), as: .analytics)
    for path in [topic.path(app: client.fixture.app.id), topic.path(app: nil)] {
      let page = await client.get(path)
      #expect(page.status == 200 && page.text.contains("<h1>Help: "))
      #expect(page.text.contains(topic.article))
    }
  }

  @Test("the article of each topic is in the documents", arguments: HelpTopic.allCases)
  func articles(topic: HelpTopic) throws {
    let parts = topic.article.split(separator: "#")
    let text = try String(
      contentsOf: Repository.root.appending(path: String(parts[0])), encoding: .utf8)
    guard parts.count > 1 else { return }
    let anchors = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      line.drop { $0 == "#" }.lowercased().filter {
        $0.isLetter || $0.isNumber || " -".contains($0)
      }
      .split(separator: " ").joined(separator: "-")
    }
    #expect(anchors.contains(String(parts[1])), "\(anchors)")
  }

  @Test(
    "each page leads to the help of its subject",
    arguments: [
      ("home", HelpTopic.home), ("compose", .compose), ("compose/templates", .templates),
      ("compose/templates/x", .templates), ("sends", .sends), ("sends/x", .sends),
      ("sends/campaigns/new", .campaigns), ("sends/messages", .messages),
      ("sends/why", .why), ("sends/activities", .activities), ("sends/calendar", .calendar),
      ("audiences/new", .audiences), ("people/devices/d1", .devices), ("reports/sends/x", .reports),
      ("settings/limits", .settings), ("sends-of-another", .home),
    ])
  func topics(path: String, topic: HelpTopic) {
    #expect(HelpTopic.of(path: "/apps/app1/\(path)") == topic)
  }

  @Test("the page for signing in has help too, and an unknown subject is not found")
  func outside() async throws {
    let client = DashboardClient(try await Fixture())
    #expect(await client.get("/sign-in").text.contains("href=\"/help/account\""))
    #expect(await client.get("/help/account").status == 200)
    #expect(await client.get("/help/nothing").status == 404)
    #expect(await client.get(client.path("home/help/sends")).status == 401)
  }
}
