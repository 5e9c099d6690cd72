import APNs
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer
@testable import _HTTPServer

@Suite("The pages of reports", .timeLimit(.minutes(10)))
struct ReportsPagesTests {
  /// A fixture with three opens from 22:13 UTC of 2023-11-14 on, one each hour.
  private func opened() async throws -> Fixture {
    let fixture = try await Fixture()
    let body = #"{"device":{"opened":true}}"#
    for _ in 0..<3 {
      _ = await fixture.request("PUT", "/v6/devices/d", role: .device, body: body)
      fixture.clock.advance(by: .seconds(3600))
    }
    return fixture
  }

  @Test("the opens of several hours are one bar, table row and CSV line")
  func days() async throws {
    let fixture = try await opened()
    let client = try await DashboardClient.signedIn(fixture, as: .analytics)
    let page = await client.get(client.path("reports"))
    #expect(page.status == 200)
    #expect(page.text.contains("<title>2023-11-14: 2</title>"))
    #expect(page.text.contains("<title>2023-11-15: 1</title>"))
    #expect(page.text.contains("30 bars, 2023-10-17 to 2023-11-15: maximum 2, 2023-11-14."))
    #expect(page.text.contains("<th scope=\"row\">2023-11-14</th><td class=\"number\">2</td>"))
    #expect(page.text.contains("reports?days=30\" aria-current=\"true\""))
    #expect(page.text.matches(of: /<svg\b/).count == 7 && !page.text.contains("style="))
    let file = await client.get(client.path("reports/days.csv?from=2023-11-13&to=2023-11-15"))
    #expect(file.headers["Content-Type"] == "text/csv; charset=utf-8")
    #expect(
      file.headers["Content-Disposition"]
        == "attachment; filename=\"days-2023-11-13-2023-11-15.csv\"")
    #expect(
      file.text == """
        "day","opens","sessions","active_users","installs","uninstalls","pushes_sent","pushes_rejected"\r
        "2023-11-13","0","0","0","0","0","0","0"\r
        "2023-11-14","2","2","1","1","0","0","0"\r
        "2023-11-15","1","1","1","0","0","0","0"\r

        """)
  }

  @Test(
    "the period has the requested number of days",
    arguments: [
      ("", 30), ("?days=7", 7), ("?days=90", 90), ("?from=2023-11-14&to=2023-11-14", 1),
      ("?from=2022-11-15&to=2023-11-15", 366), ("?from=2023-11-14&to=2999-01-01", 2),
    ])
  func spans(query: String, days: Int) async throws {
    let client = try await DashboardClient.signedIn(opened())
    let page = await client.get(client.path("reports\(query)"))
    #expect(page.status == 200)
    #expect(page.text.matches(of: /<th scope="row">/).count == 7 * days)
    let file = await client.get(client.path("reports/days.csv\(query)"))
    #expect(file.text.matches(of: /\r\n/).count == days + 1)
  }

  @Test(
    "an invalid period is refused with a reason, and the form keeps its fields",
    arguments: [
      ("?days=8", "choose 7, 30 or 90"), ("?days=", "choose 7"),
      ("?from=2023-11-14&to=", "to must be"), ("?from=x%22%3E%3Cb%3E", "from must be"),
      ("?from=2023-11-15&to=2023-11-14", "must not be after"),
      ("?from=2024-01-01&to=2024-01-02", "in the future"),
      ("?from=2022-11-14&to=2023-11-15", "366 days"), ("?from=0001-01-01", "366 days"),
    ])
  func refused(query: String, words: String) async throws {
    let client = try await DashboardClient.signedIn(opened())
    let page = await client.get(client.path("reports\(query)"))
    #expect(page.status == 422 && page.text.contains(words), "\(page.text)")
    #expect(page.text.contains("role=\"alert\"") && !page.text.contains("><b>"))
    if query.contains("from=2023") { #expect(page.text.contains("value=\"2023-11-1")) }
    #expect(await client.get(client.path("reports/days.csv\(query)")).status == 422)
  }

  @Test("without data the report says what is counted")
  func empty() async throws {
    let client = try await DashboardClient.signedIn(try await Fixture())
    let page = await client.get(client.path("reports"))
    #expect(page.text.contains("<h2>No data for these days</h2>"))
    // One empty state stands in place of the charts.
    #expect(!page.text.contains("<svg") && page.text.contains("No sends yet."))
    #expect(!page.text.contains("funnel"))
  }

  @Test("a send's report has its counts, failure reasons and media results; the CSV its text")
  func send() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    try await fixture.register("d2")
    let id = try await fixture.complete(["alert": "=HYPERLINK(\"x\")"])
    var receipt = Receipt(id: "r", send: id, device: "d1", event: .displayed, at: fixture.clock.now)
    (receipt.reason, receipt.media) = ("too-large", "failed")
    _ = try await fixture.store.record([receipt], app: fixture.app.id, at: fixture.clock.now)

    let client = try await DashboardClient.signedIn(fixture, as: .analytics)
    let page = await client.get(client.path("reports/sends/\(id)"))
    #expect(page.status == 200 && !page.text.contains("View send"))
    let text = page.text.withPlainNumbers
    for step in [
      "<dt>Targeted</dt><dd><span>2</span></dd>",
      "<dt>Accepted</dt><dd><span>2</span> <small>100.0 %</small></dd>",
      "<dt>Displayed</dt><dd><span>1</span> <small>50.0 %</small></dd>",
      "<dt>Conversions</dt><dd><span>0</span></dd>",
    ] { #expect(text.contains(step), "\(step)") }
    for row in [
      "<th scope=\"row\">Media too large<div class=\"muted\">too-large</div>",
      "<tr><th scope=\"row\">Not displayed</th><td class=\"number\">1</td>",
      "Displayed by hour</title>", "22:00 UTC</time></th><td class=\"number\">1</td>",
    ] { #expect(page.text.contains(row), "\(row)") }
    let list = await client.get(client.path("reports"))
    #expect(list.text.contains("<a href=\"\(client.path("reports/sends/\(id)"))\">=HYPERLINK"))
    let file = await client.get(client.path("reports/sends.csv"))
    #expect(file.text.hasPrefix("\"id\",\"notification\",\"state\",\"accepted\",\"targeted\","))
    #expect(file.text.contains("\"\(id)\",\"'=HYPERLINK(\"\"x\"\")\",\"complete\","))
    #expect(file.text.hasSuffix("\"2\",\"2\",\"0\",\"0\",\"0\",\"1\",\"0\",\"0\",\"0\",\"no\"\r\n"))
    #expect(await client.get(client.path("reports/sends/none")).status == 404)
    let admin = try await DashboardClient.signedIn(fixture)
    let both = await admin.get(admin.path("sends/\(id)"))
    #expect(both.text.contains(admin.path("reports/sends/\(id)")))
    let push = try await DashboardClient.signedIn(fixture, as: .push)
    #expect(await !push.get(push.path("sends/\(id)")).text.contains("/reports/"))
  }

  @Test("the CSV of sends has every send of the app, over more than one page")
  func allSends() async throws {
    let fixture = try await Fixture()
    let everyone = Audience(
      id: Identifiers.everyone(in: fixture.app.id), app: fixture.app.id, filters: [],
      createdAt: fixture.clock.now)
    for number in 0...1000 {
      let send = Send(
        id: "send\(number)", messageID: "message\(number)", app: fixture.app.id,
        audience: everyone.id, payload: ["alert": "x"], createdAt: fixture.clock.now)
      _ = try await fixture.store.accept(send, to: everyone, segments: [])
    }
    let client = try await DashboardClient.signedIn(fixture, as: .analytics)
    let file = await client.get(client.path("reports/sends.csv"))
    #expect(file.headers["Content-Disposition"] == "attachment; filename=\"sends.csv\"")
    let ids = file.text.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != "," } }
    #expect(ids.count == 1001 && Set(ids).count == 1001)
    #expect(ids.first == "\"send1000\"" && ids.last == "\"send0\"")
  }

  @Test("the CSV of a send has its devices with their outcomes, or those that failed alone")
  func devices() async throws {
    let fixture = try await Fixture()
    for id in ["d1", "d2", "d3"] {
      try await fixture.register(id) { $0.userID = .set("=u" + id) }
    }
    fixture.apple.answer { push in
      push.deviceToken == Fixture.token("d2")
        ? .init(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
        : .init(kind: .answered, status: 200, apnsID: push.id)
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
    let client = try await DashboardClient.signedIn(fixture)
    let page = await client.get(client.path("reports/sends/\(id)"))
    #expect(page.text.contains(client.path("sends/\(id)/devices.csv?failed")))
    let all = await client.get(client.path("sends/\(id)/devices.csv")).text
    let lines = all.split(separator: "\r\n")
    #expect(lines.count == 4)
    #expect(
      lines[0] == #""device_id","user_id","result","status","reason","apns_id","time""#)
    #expect(
      lines[1].hasPrefix(
        "\"d1\",\"'=ud1\",\"sent\",\"200\",\"\",\"\(Identifiers.apnsID(send: id, device: "d1"))\",")
    )
    let failed = await client.get(client.path("sends/\(id)/devices.csv?failed"))
    #expect(
      failed.headers["Content-Disposition"] == "attachment; filename=\"failed-\(id).csv\"")
    let rows = failed.text.split(separator: "\r\n").dropFirst()
    #expect(rows.count == 1 && rows.first?.contains("\"BadDeviceToken\"") == true)
    #expect(await client.get(client.path("sends/none/devices.csv")).status == 404)
    // An analytics key learns no device.
    let analytics = try await DashboardClient.signedIn(fixture, as: .analytics)
    #expect(await analytics.get(analytics.path("sends/\(id)/devices.csv")).status == 403)
    let report = await analytics.get(analytics.path("reports/sends/\(id)"))
    #expect(!report.text.contains("devices.csv"))
  }

  @Test("a file whose next page cannot be read says in its last line that it is incomplete")
  func incompleteFile() async throws {
    let response = try await CSVTable.stream(named: "x.csv", header: ["a"]) { place in
      guard place == nil else { throw StoreError(.failed, "gone") }
      return ([["1"]], "next")
    }
    guard case .stream(let chunks) = response.body.source else {
      Issue.record("the file is not streamed")
      return
    }
    var text = ""
    for await chunk in chunks { text += String(decoding: chunk, as: UTF8.self) }
    #expect(text.hasPrefix("\"a\"\r\n\"1\"\r\n\"The file is incomplete"))
    await #expect(throws: StoreError.self) {
      try await CSVTable.stream(named: "x.csv", header: ["a"]) { _ in
        throw StoreError(.failed, "gone")
      }
    }
  }

  @Test("an expanded notification is a table by page and one by answer, in the payload's words")
  func template() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d")
    let template: JSONValue = [
      "kind": "carousel",
      "pages": [
        ["title": "<Coat>", "media": ["url": "https://a.example/1.png"]],
        ["media": ["url": "https://a.example/2.png"]],
      ],
    ]
    let poll: JSONValue = [
      "kind": "poll", "choices": [["id": "a", "title": "Blue"], ["id": "b", "title": "Red"]],
    ]
    func send(_ template: JSONValue) async throws -> String {
      let sent = await fixture.send([
        "alert": "Hi", "category": "expanded", "_martlet": ["template": template],
      ])
      return try #require(sent.json["notification"]?["id"]?.string, "\(sent.text)")
    }
    let (shop, question) = (try await send(template), try await send(poll))
    func receipt(
      _ send: String, _ event: Receipt.Event, page: Int? = nil, value: String? = nil
    ) -> Receipt {
      var receipt = Receipt(
        id: "\(send) \(event) \(page ?? -1) \(value ?? "")", send: send, device: "d", event: event,
        at: fixture.clock.now)
      (receipt.page, receipt.dwell, receipt.value) = (page, page.map { $0 + 2 }, value)
      return receipt
    }
    let client = try await DashboardClient.signedIn(fixture)
    let path = client.path("reports/sends/\(shop)")
    #expect(await !client.get(path).text.contains("Expanded notification"))
    try await fixture.store.record(
      [
        receipt(shop, .templateViewed), receipt(shop, .templatePage, page: 0),
        receipt(shop, .templatePage, page: 1), receipt(shop, .templateOpened, page: 1),
        receipt(question, .templateViewed), receipt(question, .templateAnswered, value: "b"),
        receipt(question, .templateAnswered, value: "<i>"),
      ], app: fixture.app.id, at: fixture.clock.now)
    for path in [path, client.path("sends/\(shop)")] {
      let page = await client.get(path)
      #expect(page.status == 200)
      for row in [
        "<h2>Expanded notification</h2>", "aria-label=\"Pages of the expanded notification\"",
        "<th scope=\"row\">Expanded</th><td class=\"number\">1</td>",
        "<th scope=\"row\">Page 1: &lt;Coat&gt;</th><td class=\"number\">1</td>",
        "<th scope=\"row\">Page 2</th><td class=\"number\">1</td>",
        "<td class=\"number\">3.0 s</td><td class=\"number\">1</td>",
      ] { #expect(page.text.contains(row), "\(row)") }
      #expect(!page.text.contains("<h3>Answers</h3>"))
    }
    for path in ["reports/sends/\(question)", "sends/\(question)"] {
      let page = await client.get(client.path(path))
      for row in [
        "aria-label=\"Answers in the expanded notification\"",
        "<th scope=\"row\">Red</th><td class=\"number\">1</td>",
        "<th scope=\"row\">&lt;i&gt;</th><td class=\"number\">1</td>",
      ] { #expect(page.text.contains(row), "\(row)") }
      #expect(!page.text.contains("<h3>Pages</h3>"))
    }
  }

  @Test("a send of another app has no report")
  func otherApp() async throws {
    let fixture = try await Fixture()
    let other = try await fixture.makeOtherApp()
    let sent = await fixture.send(["alert": "Secret"])
    let id = sent.json["notification"]?["id"]?.string ?? ""
    let client = DashboardClient(fixture)
    await client.signIn(other.keys.first { $0.role == .admin }?.key ?? "")
    for path in ["reports", "reports/sends.csv", "reports/sends/\(id)"] {
      let answer = await client.get("/apps/\(other.app.id)/\(path)")
      #expect(answer.status == (path.hasSuffix(id) ? 404 : 200) && !answer.text.contains("Secret"))
    }
  }

  @Test("a push key has no access to reports, nor has a key of another app")
  func roles() async throws {
    let fixture = try await opened()
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    for path in ["reports", "reports/days.csv", "reports/sends.csv", "reports/sends/x"] {
      #expect(await client.get(client.path(path)).status == 403)
      #expect(await DashboardClient(fixture).get(client.path(path)).status == 401)
    }
  }
}
