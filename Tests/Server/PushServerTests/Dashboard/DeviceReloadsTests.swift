import APNs
import PushModel
import Testing

@testable import PushServer

@Suite("Widgets and controls on the page of a device", .timeLimit(.minutes(10)))
struct DeviceReloadsTests {
  private let path: String
  private let fixture: Fixture
  private let client: DashboardClient

  init() async throws {
    fixture = try await Fixture()
    try await fixture.register("d1")
    client = try await DashboardClient.signedIn(fixture, as: .push)
    path = client.path("people/devices")
  }

  private func set(_ tokens: [ReloadToken], of type: ReloadType) async throws {
    #expect(
      try await fixture.store.setReloadTokens(
        tokens, of: type, device: "d1", app: fixture.app.id, at: fixture.clock.now))
  }

  private func reload(_ type: String) async -> Fixture.Answer {
    await client.post(path, ["device": "d1", "action": "reload-\(type)"])
  }

  @Test("a device without tokens has no section and no button")
  func none() async throws {
    let page = await client.get(path + "/d1")
    #expect(page.status == 200 && !page.text.contains("Widgets and controls"))
    // Somebody may have removed the widget since the page was loaded.
    let answer = await reload("widgets")
    #expect(answer.status == 200 && answer.text.contains("the device has no such token"))
    #expect(fixture.apple.taken.isEmpty)
  }

  @Test("a button reloads the tokens of its type, and the page says what APNs answered")
  func sent() async throws {
    try await set([ReloadToken("0011223344556677")], of: .widgets)
    let first = await client.get(path + "/d1")
    #expect(first.text.contains("Reload widgets") && !first.text.contains("Reload controls"))
    // The answer is shown where the button was.
    #expect(first.text.contains("devices#reloads\"") && first.text.contains("id=\"reloads\""))
    #expect(first.text.contains("…44556677") && !first.text.contains("0011223344556677"))
    try await set([ReloadToken("aa", kind: "<lamp>"), ReloadToken("bb")], of: .controls)
    fixture.apple.answer { push in
      push.deviceToken == "aa"
        ? APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
        : APNsOutcome(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
    }
    let answer = await reload("controls")
    #expect(answer.status == 200 && answer.text.contains("&lt;lamp&gt;"))
    #expect(answer.text.contains("…aa</code>: APNs has accepted the push"))
    #expect(answer.text.contains("…bb</code>: APNs does not know the token any more"))
    // The table no longer has the removed token.
    #expect(!answer.text.contains("<code>…bb</code></td>"))
    #expect(fixture.apple.taken.map(\.push.topic) == ["aa", "bb"].map { _ in controls })
  }

  private var controls: String { fixture.app.bundleID + ".push-type.controls" }

  @Test("a reload beyond the day's budget is held, and the page says why")
  func budget() async throws {
    try await set([ReloadToken("aa")], of: .widgets)
    // The form's token.
    _ = await client.get(path + "/d1")
    for _ in 0..<ReloadBudget.limit { _ = await reload("widgets") }
    let held = await reload("widgets")
    #expect(held.text.contains("No push was sent. It has had its reloads of the day"))
    #expect(fixture.apple.taken.count == ReloadBudget.limit)
  }

  @Test("who may not send sees the tokens and no button, and is refused")
  func rights() async throws {
    try await set([ReloadToken("aa")], of: .widgets)
    let author = try await DashboardClient.person("ann@example.com", .author, fixture)
    let page = await author.get(path + "/d1")
    #expect(page.text.contains("Widgets and controls") && !page.text.contains("Reload widgets"))
    let answer = await author.post(path, ["device": "d1", "action": "reload-widgets"])
    #expect(answer.status == 403)
    #expect(fixture.apple.taken.isEmpty)
  }
}
