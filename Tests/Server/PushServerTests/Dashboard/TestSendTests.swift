import APNs
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Test sends of the composer", .timeLimit(.minutes(10)))
struct TestSendTests {
  /// APNs reports that the app was removed from a device.
  private func remove(_ device: String, _ fixture: Fixture) async throws {
    fixture.apple.answer { push in
      .init(kind: .answered, status: 410, reason: .unregistered, apnsID: push.id)
    }
    _ = await fixture.send(
      ["alert": "Hi"], to: [["name": "device_id", "criteria": [.string(device)]]])
    let dispatcher = fixture.dispatcher()
    let running = Task { await dispatcher.run() }
    try await until {
      try await fixture.store.device(device, app: fixture.app.id)?.uninstalledAt != nil
    }
    dispatcher.stop()
    await running.value
  }

  @Test(
    "are refused where nothing would arrive, with the reason at the field",
    arguments: [
      ("nobody", "No test audience and no device has the ID “nobody”."),
      ("off", "Notifications are turned off on this device."),
      ("bare", "This device has no push token"), ("gone", "The app was removed from this device."),
      ("other", "This device runs Android"), ("", "Enter the ID of a test device"),
      ("0123456789abcdef01234567", "No device of this audience can receive pushes."),
      ("0123456789abcdef01234568", "This audience is not a test audience."),
    ])
  func refused(id: String, words: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("off") { $0.isPushEnabled = .set(false) }
    try await fixture.register("bare") { $0.token = .set(nil) }
    try await fixture.register("other") { $0.platform = .set("Android") }
    try await fixture.register("gone")
    try await remove("gone", fixture)
    for (id, isTest) in [("0123456789abcdef01234567", true), ("0123456789abcdef01234568", false)] {
      var audience = Audience(
        id: id, app: fixture.app.id,
        filters: [Filter(field: .builtIn(.deviceID), criteria: [.equals("off")])],
        createdAt: fixture.clock.now)
      (audience.name, audience.isTest) = ("Colleagues", isTest)
      try await fixture.store.save(audience)
    }
    let client = try await DashboardClient.signedIn(fixture, as: .push)
    _ = await client.get(client.path("compose"))
    let before = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).total
    let answer = await client.post(
      client.path("compose"), ["text": "Hi", "test_device": id, "action": "test"])
    #expect(answer.status == 422)
    #expect(answer.text.contains("<a href=\"#test_device\">\(words)"), "\(answer.text)")
    // A test needs no audience.
    #expect(!answer.text.contains("Choose who gets it."))
    #expect(
      try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).total == before)
  }

  @Test("are marked in the list, on their pages and in CSV; other sends are not")
  func marked() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d1")
    let client = try await DashboardClient.signedIn(fixture)
    _ = await client.get(client.path("compose"))
    let answer = await client.post(
      client.path("compose"), ["text": "Try", "test_device": "d1", "action": "test"])
    #expect(answer.text.contains("Test sent. It is on its way to 1 device."))
    _ = await fixture.send(
      ["alert": "One device"], to: [["name": "device_id", "criteria": ["d1"]]])
    _ = await fixture.send(["alert": "All"])
    let tag = "<span class=\"tag\">test</span>"
    for path in ["sends", "reports"] {
      let rows = await client.get(client.path(path)).text.split(separator: "<tr>")
      #expect(rows.filter { $0.contains(tag) }.count == 1)
      #expect(rows.contains { $0.contains(">Try</a>") && $0.contains(tag) }, "\(path)")
    }
    let sends = try await fixture.store.sends(app: fixture.app.id, after: nil, limit: 9).sends
    for send in sends {
      for path in ["sends/\(send.id)", "reports/sends/\(send.id)"] {
        let page = await client.get(client.path(path))
        #expect(page.text.contains(tag) == (send.payload["alert"] == "Try"), "\(path)")
      }
    }
    let lines = await client.get(client.path("reports/sends.csv")).text.split(separator: "\r\n")
    #expect(lines[0].hasSuffix(",\"test\""))
    #expect(lines.dropFirst().map { $0.hasSuffix(",\"yes\"") } == [false, false, true])
  }
}
