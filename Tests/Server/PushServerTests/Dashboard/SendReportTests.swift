import APNs
import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The report of a send", .timeLimit(.minutes(10)))
struct SendReportTests {
  /// An app with devices of some locales, and a client with its analytics key.
  private struct Setting {
    let fixture: Fixture
    let client: DashboardClient

    init(_ locales: [String?]) async throws {
      fixture = try await Fixture()
      for (number, locale) in locales.enumerated() {
        try await fixture.register("d\(number)") { $0.locale = .set(locale) }
      }
      client = try await DashboardClient.signedIn(fixture, as: .analytics)
    }

    func report(_ event: Receipt.Event, of send: String, by devices: [Int]) async throws {
      let receipts = devices.map { device in
        Receipt(
          id: "\(send)-\(device)-\(event.rawValue)", send: send, device: "d\(device)", event: event,
          at: fixture.clock.now)
      }
      _ = try await fixture.store.record(receipts, app: fixture.app.id, at: fixture.clock.now)
    }

    /// The app is opened on a device, not by a tap.
    func open(_ device: Int) async {
      _ = await fixture.request(
        "PUT", "/v6/devices/d\(device)", role: .device, body: #"{"device":{"opened":true}}"#)
    }

    /// A page, read in a session of its own: clocks are set far ahead here.
    func page(_ path: String) async -> String {
      let client = DashboardClient(fixture)
      await client.signIn(fixture.keys[.analytics] ?? "")
      return await client.get(client.path(path)).text.withPlainNumbers
    }
  }

  private static func row(_ title: String, _ cells: String...) -> String {
    "<tr><th scope=\"row\">\(title)</th>"
      + cells.map { "<td class=\"number\">\($0)</td>" }.joined()
  }

  @Test("rates have their counts and intervals, and say how they are counted")
  func rates() async throws {
    let all = try await Setting([nil, nil, nil, nil])
    let id = try await all.fixture.complete(["alert": "Hi"])
    let before = await all.page("reports/sends/\(id)")
    #expect(before.contains(Self.row("Click-through rate", "0", "4")))
    try await all.report(.received, of: id, by: [0, 1, 2])
    try await all.report(.opened, of: id, by: [0])
    all.fixture.clock.advance(by: .seconds(3600))
    await all.open(1)
    let page = await all.page("reports/sends/\(id)")
    for row in [
      Self.row("Click-through rate", "1", "4"), Self.row("Confirmed click-through rate", "1", "3"),
      Self.row("Influenced opens", "2", "4"),
      // Wilson's interval of 1 in 4, as R's prop.test(1, 4, correct = FALSE) has it.
      "25.0 % (4.6 % to 69.9 %)", "Airship has 12 hours and subtracts",
    ] { #expect(page.contains(row), "\(row)") }
  }

  /// OneSignal credits an opening to as many as ten pushes that were not tapped, so their influenced opens may add up to
  /// more than there were openings. Here an opening counts once. Source: OneSignal, "Analytics overview", influence window.
  @Test(
    "an opening after two notifications is influenced by the last one alone, and not after a day")
  func influenced() async throws {
    let all = try await Setting([nil, nil])
    let first = try await all.fixture.complete(["alert": "One"])
    try await all.report(.received, of: first, by: [0, 1])
    all.fixture.clock.advance(by: .seconds(60))
    let second = try await all.fixture.complete(["alert": "Two"])
    try await all.report(.received, of: second, by: [0, 1])
    all.fixture.clock.advance(by: .seconds(24 * 3600))
    await all.open(0)
    all.fixture.clock.advance(by: .milliseconds(1))
    await all.open(1)
    #expect(
      await all.page("reports/sends/\(first)").contains(Self.row("Influenced opens", "0", "2")))
    #expect(
      await all.page("reports/sends/\(second)").contains(Self.row("Influenced opens", "1", "2")))
  }

  @Test("conversions are those that name the notification, or that follow an opening within a day")
  func conversions() async throws {
    let all = try await Setting([nil, nil])
    let id = try await all.fixture.complete(["alert": "Hi"])
    #expect(await all.page("reports/sends/\(id)").contains("No event is a conversion"))
    let (store, app) = (all.fixture.store, all.fixture.app.id)
    try await all.report(.opened, of: id, by: [1])
    try await store.record(
      [DeviceEvent(name: "bought", send: id)], device: "d0", app: app, at: all.fixture.clock.now)
    all.fixture.clock.advance(by: .seconds(24 * 3600))
    try await store.record(
      [DeviceEvent(name: "bought")], device: "d1", app: app, at: all.fixture.clock.now)
    all.fixture.clock.advance(by: .milliseconds(1))
    try await store.record(
      [DeviceEvent(name: "bought")], device: "d1", app: app, at: all.fixture.clock.now)
    let page = await all.page("reports/sends/\(id)")
    #expect(page.contains(Self.row("bought", "2", "2", "100.0 %")), "\(page)")
    #expect(page.contains("within 24 hours after the"))
  }

  @Test("a device may have more conversions than one, so that they are no share of the devices")
  func manyConversions() async throws {
    let all = try await Setting([nil, nil])
    let id = try await all.fixture.complete(["alert": "Hi"])
    try await all.fixture.store.record(
      Array(repeating: DeviceEvent(name: "played", send: id), count: 5), device: "d0",
      app: all.fixture.app.id, at: all.fixture.clock.now)
    let page = await all.page("reports/sends/\(id)")
    #expect(page.contains(Self.row("played", "5", "2", "250.0 %")), "\(page)")
    #expect(page.contains("<dt>Conversions</dt><dd><span>5</span><small class=\"note-line\">"))
    let both = await all.page("reports/compare?a=\(id)&b=\(id)")
    #expect(
      both.contains(
        "<th scope=\"row\">Conversions “played”</th><td>5 (250.0 %)</td><td>5 (250.0 %)</td>"),
      "\(both)")
  }

  @Test("openings are counted by the text that devices got, or by their language")
  func languages() async throws {
    let all = try await Setting(["fr_FR", "fr_CA", "de", "en_US", nil])
    let plain = try await all.fixture.complete(["alert": "Hi"])
    try await all.report(.opened, of: plain, by: [0, 2])
    let page = await all.page("reports/sends/\(plain)")
    for row in [
      Self.row("French", "1", "2"), Self.row("German", "1", "1"), Self.row("English", "0", "1"),
      Self.row("Not known", "0", "1"),
    ] { #expect(page.contains(row), "\(row)") }
    let localized = try await all.fixture.complete(["alert": ["default": "Hi", "fr": "Salut"]])
    try await all.report(.opened, of: localized, by: [1, 2, 3])
    let texts = await all.page("reports/sends/\(localized)")
    #expect(texts.contains(Self.row("French", "1", "2")))
    #expect(texts.contains(Self.row("Fallback", "2", "3")))
    #expect(texts.contains("Openings by the text that devices get now"))
  }

  @Test("two sends are compared side by side, and a difference says whether it may be chance")
  func comparison() async throws {
    let all = try await Setting(Array(repeating: nil, count: 40))
    let first = try await all.fixture.complete(["title": "One", "alert": "Hi {{ custom.name }}"])
    let second = try await all.fixture.complete(["alert": "Two"])
    let report = await all.page("reports/sends/\(first)")
    #expect(report.contains("<option value=\"\(second)\">Two (2023-11-14)</option>"))
    #expect(!report.contains("<option value=\"\(first)\">"))
    let path = "reports/compare?a=\(first)&b=\(second)"
    #expect(await all.page(path).contains("No device has reported an opening of either."))
    try await all.report(.opened, of: first, by: [0, 1, 2])
    try await all.report(.opened, of: second, by: [0, 1, 2, 3, 4])
    let close = await all.page(path)
    #expect(close.contains("The difference between the click-through rates may be chance."))
    #expect(close.contains("<span class=\"muted\">may be chance</span>"))
    try await all.report(.opened, of: second, by: Array(5..<20))
    let page = await all.page(path)
    for words in [
      "B was opened more often, and such a difference is hardly chance.", "<title>Comparison: One",
      "7.5 % (2.6 % to 19.9 %)", "50.0 % (35.2 % to 64.8 %)", "42.5 points (",
      "<tr><th scope=\"row\">Opened</th><td>3</td><td>20</td><td></td></tr>",
      "A: One – Hi … by hour", "B: Two by hour",
    ] { #expect(page.contains(words), "\(words)") }
    #expect(await all.client.get(all.client.path("reports/compare?a=\(first)&b=no")).status == 404)
    #expect(await all.client.get(all.client.path("reports/compare")).status == 404)
  }

  @Test(
    "the report as CSV has the same numbers, and a send without answers says that there are none")
  func csv() async throws {
    let all = try await Setting(["fr", "de"])
    let id = try await all.fixture.complete(["alert": "Hi"])
    try await all.report(.opened, of: id, by: [0])
    let file = await all.client.get(all.client.path("reports/sends/\(id)/report.csv"))
    #expect(file.headers["Content-Disposition"] == "attachment; filename=\"report-\(id).csv\"")
    for line in [
      "\"section\",\"name\",\"count\",\"of\"", "\"counts\",\"sent\",\"2\",\"2\"",
      "\"rates\",\"ctr\",\"1\",\"2\"", "\"languages\",\"fr\",\"1\",\"1\"",
      "\"opened_by_hour\",\"2023-11-14T22:00:00.000Z\",\"1\",\"\"",
    ] { #expect(file.text.contains(line + "\r\n"), "\(line): \(file.text)") }

    let waiting = await all.fixture.request(
      "POST", "/v6/notifications",
      body:
        #"{"notification":{"to":"*","scheduled_at":"2023-12-01T00:00:00Z","payload":{"alert":"Later"}}}"#
    )
    let other = waiting.json["notification"]?["id"]?.string ?? ""
    let page = await all.page("reports/sends/\(other)")
    #expect(page.contains("There is nothing to report yet: APNs has not answered for any device."))
    #expect(page.contains("<title>Report: Later · Martlet</title>"))
  }

  @Test(
    "titles are shown as they read, with a mark where each device has a value of its own",
    arguments: [
      ("Hi {{ custom.name }}!", "Hi …!"),
      ("Hi {{ custom.name | default: \"there\" }}!", "Hi there!"),
      ("Hi{% if custom.name %} {{ custom.name }}{% endif %}!", "Hi!"),
      ("{{ custom.name | upcase }} {{ user_id }}", "… …"),
      ("{{ custom.total }} €", "… €"), ("50% off", "50% off"),
      ("{{ broken", "{{ broken"),
      ("{% if custom.vip %}VIP{% endif %}", "{% if custom.vip %}VIP{% endif %}"),
    ])
  func titles(text: String, shown: String) {
    let zero = Timestamp(milliseconds: 0)
    let send = Send(
      id: "s", messageID: "m", app: "a", audience: "e",
      payload: ["title": .string(text), "alert": ["default": .string(text), "fr": "Salut"]],
      createdAt: zero)
    #expect(send.summary == "\(shown) – \(shown)")
  }
}
