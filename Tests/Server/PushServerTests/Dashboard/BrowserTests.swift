import APNs
import APNsSandbox
import Foundation
import PushModel
import PushPayload
import PushServer
import TestSupport
import Testing
import _TLS

@Suite("The dashboard in a browser", .serialized, .timeLimit(.minutes(30)))
struct BrowserTests {
  private static let root = Repository.root
  /// The number of devices in the audience, one of which has an unregistered token.
  private static let targeted = 40
  /// The number of devices in the audience of the test without a mouse.
  private static let keyboardDevices = 3

  /// What uses the dashboard; Firefox in `make verify`.
  enum Browser: String {
    case chromium, firefox
    static let all: [Self] = Tier.isWhole ? [.chromium, .firefox] : [.chromium]
  }

  @Test(
    "a job on every page works in Chromium, whole also by keyboard, without scripts and in Firefox; axe finds nothing",
    arguments: Browser.all)
  func pages(browser: Browser) async throws {
    let fixture = try await Fixture()
    let gone = Fixture.token("d1")
    let new = NewApp(
      bundleID: fixture.app.bundleID, teamID: fixture.app.teamID, keyID: fixture.app.keyID,
      privateKey: try fixture.secretKey.privateKey(of: fixture.app))
    let apple = try await LocalAPNs(for: new) { configuration in
      configuration.goneTokens = [gone: Int64(Date().timeIntervalSince1970 * 1000) + 3_600_000]
    }
    for number in 1...Self.targeted {
      try await fixture.register("d\(number)") {
        $0.tags = .set(["news"])
        $0.attributes = ["name": Attribute(kind: .string, value: "Ada")]
      }
    }
    for number in 1...Self.keyboardDevices {
      try await fixture.register("k\(number)") { $0.tags = .set(["keyboard"]) }
    }
    for (number, locale) in ["fr_FR", "fr_CA", "de_DE", "ar", "en_US"].enumerated() {
      try await fixture.register("l\(number)") {
        $0.tags = .set(["speakers"])
        $0.locale = .set(locale)
      }
    }
    for number in 1...2 {
      try await fixture.register("kind-\(number)") { $0.tags = .set(["kinds"]) }
    }
    // A device whose user does not allow notifications.
    try await fixture.register("off") {
      $0.isPushEnabled = .set(false)
      $0.tags = .set(["off"])
    }
    var endpoints = APNsSender.Endpoints()
    endpoints.production = apple.endpoint
    endpoints.development = apple.endpoint
    endpoints.extraTrustPEM = apple.authority.certificatePEM
    var configuration = PushServer.Configuration()
    configuration.site.mediaFolder = fixture.directory.path("media")
    configuration.site.mediaLoader = { ScriptedMedia([:]) }
    let provider = try await OpenIDPeer([
      #"{"sub":"barbara","email":"barbara@example.com","email_verified":true,"name":"Barbara Liskov"}"#,
      #"{"sub":"margaret","name":"Margaret Hamilton"}"#,
    ])
    configuration.site.identityProvider = IdentityProvider(
      issuer: provider.issuer, clientID: "martlet", clientSecret: "any", name: "Example ID")
    let server = try PushServer.started(
      configuration, store: fixture.store, secretKey: fixture.secretKey,
      sender: APNsSender(endpoints: endpoints, secretKey: fixture.secretKey)
    ) { print("serve: \($0)") }

    let folder = fixture.directory
    _ = try folder.write("<!doctype html><script>alert(1)</script>", to: "page.png")
    try Data(count: 60_000_000).write(to: folder.file("large.png"))
    let key = try folder.write(new.privateKey, to: "AuthKey_KEY1234567.p8")
    let wrongKey = try folder.write(Fixture.newApp().privateKey, to: "AuthKey_WRONG.p8")
    let keys = fixture.keys.map { ($0.key.rawValue, JSONValue.string($0.value)) }
    let given: JSONValue = [
      "browser": .string(browser.rawValue),
      "url": .string("http://127.0.0.1:\(server.port)"),
      "keys": .object(Dictionary(uniqueKeysWithValues: keys)),
      "app": ["id": .string(fixture.app.id), "name": .string(fixture.app.name)],
      "picture": .string(Self.root.appending(path: "Tests/Fixtures/media/picture.png").path()),
      "video": .string(Self.root.appending(path: "Tests/Fixtures/media/gold.mp4").path()),
      "device": "d2", "gone": "d1", "gone_token": .string(gone), "key": .string(key),
      "wrong_key": .string(wrongKey), "targeted": .integer(Int64(Self.targeted)),
      "off": "off", "keyboard_devices": .integer(Int64(Self.keyboardDevices)),
      "folder": .string(folder.path("")), "whole": .bool(Tier.isWhole),
    ]
    let file = try folder.write(given.text, to: "server.json")
    let run = await runProgram(
      Self.root.appending(path: ".build/python/bin/python").path(),
      [Self.root.appending(path: "Tests/Browser/dashboard.py").path(), file])
    let lines = run.output.split(separator: "\n")
    let problems = lines.filter { $0.hasPrefix("problem: ") }
    #expect(
      run.status == 0,
      "\((problems.isEmpty ? lines.suffix(12) : problems.prefix(12)).joined(separator: "\n"))")
    print(lines.filter { !$0.hasPrefix("problem: ") }.joined(separator: "\n"))

    let payloads = apple.journal.compactMap { $0["payload"] }
    if browser == .chromium { checkComposed(payloads) }
    if Tier.isWhole {
      // The cart reminder went to whoever did the event with as much in the cart, once.
      let reminders = payloads.compactMap {
        $0["aps"]?["alert"]?.string ?? $0["aps"]?["alert"]?["body"]?.string
      }
      .filter { $0.hasPrefix("Still in your cart") || $0 == "Your cart is still there" }
      #expect(reminders == ["Still in your cart: shoes"])
    }
    // Each of the devices got the text of its language.
    for (title, count) in [("Soldes d'automne", 2), ("تخفيضات الخريف", 1), ("Autumn sale", 2)] {
      let shown = payloads.filter { $0["aps"]?["alert"]?["title"] == .string(title) }
      #expect(shown.count == count, "\(title)")
    }
    await server.stop()
    await apple.stop()
    await provider.stop()
  }

  /// What was written in the composer is what APNs received: the uploaded picture, the markup as text, and the templates.
  private func checkComposed(_ payloads: [JSONValue]) {
    let sale = payloads.filter { $0["aps"]?["alert"]?["title"] == "<b>Sale</b> & \"more\"" }
    #expect(sale.count >= Self.targeted)
    #expect(sale.allSatisfy { $0["aps"]?["alert"]?["body"] == "Hello Ada" })
    let url = sale.first?["_martlet"]?["media"]?.array?.first?["url"]?.string ?? ""
    #expect(url.contains("/media/") && url.hasSuffix(".png"))
    // The templates that were filled with scripts, by keyboard, and without scripts.
    let templates = [
      ("Autumn", ["Scarf", "Hat"]), ("By keyboard", ["Page 1", "Page 0"]),
      ("No script", ["Page 1", "Page 0"]),
    ]
    for (title, pages) in templates.prefix(Tier.sample(1, of: templates.count)) {
      let payload = payloads.first { $0["aps"]?["alert"]?["title"] == .string(title) }
      let template = payload?["_martlet"]?["template"]
      #expect(template?["kind"] == "carousel", "\(title)")
      #expect(template?["pages"]?.array?.map { $0["title"]?.string } == pages)
      #expect(payload?["aps"]?["category"] == "expanded")
      #expect(payload?["aps"]?["mutable-content"] == 1)
      #expect(template?["pages"]?.array?.allSatisfy { $0["media"]?["url"]?.string != nil } == true)
    }
  }

  @Test("an upload of 60 MB is refused before it is read")
  func large() async throws {
    let fixture = try await Fixture()
    let server = try PushServer.started(
      .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple
    ) { _ in }
    let answer = try await curl(
      "POST", "http://127.0.0.1:\(server.port)/apps/\(fixture.app.id)/compose", key: nil,
      body: String(repeating: "x", count: 60_000_000), type: "multipart/form-data; boundary=m",
      expectsContinue: true)
    #expect(answer.status == 413)
    await server.stop()
  }
}
