import Foundation
import PushCrypto
import PushPayload
import Synchronization
import TestSupport
import Testing
import UserNotifications
import _OpenSSLCrypto

@testable import RichNotifications

@Suite("Required encryption, and repeated messages", .timeLimit(.minutes(10)))
struct RequiredEncryptionTests {
  static let placeholder = NotificationText(title: "App", body: "Open the app")
  static let inner = #"{"aps":{"alert":"Hi","badge":2},"_nid":"n1","_mediaUrl":"https://a/i"}"#

  let keys: DeviceKeys

  init() throws { keys = try DeviceKeys.generate(with: DecryptionTests.crypto) }

  private func configuration(requiresEncryption: Bool = true) -> RichConfiguration {
    var configuration = DecryptionTests.decryption(keys)
    configuration.requiresEncryption = requiresEncryption
    configuration.placeholder = Self.placeholder
    return configuration
  }

  private func plan(
    _ payload: JSONValue, requiresEncryption: Bool = true, in folder: TemporaryFolder? = nil,
    request: String = "r", categories: [String] = [], category: String = ""
  ) -> EnrichmentPlan {
    var environment = Sample.environment()
    environment.appGroupFolder = folder?.url
    environment.categories = categories
    return EnrichmentPlan(
      IncomingNotification(
        payload: payload, text: NotificationText(title: "relay", body: "relay"), category: category,
        identifier: request),
      configuration: configuration(requiresEncryption: requiresEncryption),
      environment: environment)
  }

  private func sealed(_ inner: String = Self.inner) throws -> JSONValue {
    DecryptionTests.outer(try DecryptionTests.seal(inner, to: keys))
  }

  @Test(
    "a plain payload shows the placeholder, and nothing of it is used",
    arguments: [.null, nil] as [JSONValue?])
  func plain(sealed: JSONValue?) {
    var payload = DecryptionTests.outer(.null).object ?? [:]
    payload["_enc"] = sealed
    payload["_nid"] = "n1"
    payload["_martlet"] = ["buttons": [["id": "a", "title": "Tap"]]]
    let plan = plan(.object(payload))
    #expect(plan.content.text == Self.placeholder)
    #expect(plan.content.isWithheld)
    #expect(plan.content.decryption == "not-encrypted")
    #expect(plan.content.messageID == nil && plan.content.deepLink == nil)
    #expect(plan.attempts.isEmpty && plan.buttons == nil && plan.badge == nil)
    #expect(plan.content.dialect == .none && plan.content.categoryIdentifier == nil)
  }

  @Test("a plain payload of a category that is not the extension's shows the placeholder, too")
  func category() {
    let plan = plan(["aps": ["alert": "x"]], categories: ["a"], category: "b")
    #expect(plan.content.text == Self.placeholder)
  }

  @Test("an encrypted payload is shown")
  func decrypted() throws {
    let plan = plan(try sealed())
    #expect(plan.content.text.body == "Hi" && !plan.content.isWithheld)
    #expect(plan.content.decryption == "ok" && plan.attempts.count == 1)
  }

  @Test("a payload that cannot be decrypted shows the placeholder and not the relay's text")
  func undecrypted() throws {
    let other = try DeviceKeys.generate(with: DecryptionTests.crypto)
    let payload = DecryptionTests.outer(try DecryptionTests.seal(Self.inner, to: other))
    let plan = plan(payload)
    #expect(plan.content.text == Self.placeholder && plan.content.isWithheld)
    #expect(plan.content.decryption == "authentication")
    let lenient = self.plan(payload, requiresEncryption: false)
    #expect(lenient.content.text.body == "relay" && !lenient.content.isWithheld)
  }

  @Test("the same bytes again are shown as the placeholder", arguments: [true, false])
  func repeated(requiresEncryption: Bool) throws {
    let (folder, payload) = (TemporaryFolder(), try sealed())
    let first = plan(payload, requiresEncryption: requiresEncryption, in: folder, request: "r1")
    #expect(first.content.decryption == "ok")
    let second = plan(payload, requiresEncryption: requiresEncryption, in: folder, request: "r2")
    #expect(second.content.decryption == "replayed" && second.content.isWithheld)
    #expect(second.content.text == Self.placeholder)
    #expect(second.content.decrypted == nil && second.attempts.isEmpty && second.badge == nil)
    #expect(second.content.messageID == nil)
  }

  @Test("a relay that changes the record size does not make another message of it")
  func recordSize() throws {
    let folder = TemporaryFolder()
    let text = try #require(try sealed()["_enc"]?.string)
    var bytes = try #require(Base64URL.decode(text))
    #expect(
      plan(DecryptionTests.outer(.string(text)), in: folder, request: "1").attempts.count == 1)
    // The four bytes after the salt of 16 are the record size, which is not authenticated.
    bytes[19] += 1
    let changed = DecryptionTests.outer(.string(Base64URL.encode(bytes)))
    #expect(plan(changed).content.decryption == "ok")
    #expect(plan(changed, in: folder, request: "2").content.decryption == "replayed")
  }

  @Test("the message encrypted again is shown where it replaces the first, and refused beside it")
  func again() throws {
    let folder = TemporaryFolder()
    #expect(plan(try sealed(), in: folder, request: "c").content.decryption == "ok")
    #expect(plan(try sealed(), in: folder, request: "c").content.decryption == "ok")
    #expect(plan(try sealed(), in: folder, request: "d").content.decryption == "replayed")
  }

  @Test("without a folder no message is refused")
  func noFolder() throws {
    let payload = try sealed()
    for _ in 0..<2 { #expect(plan(payload).content.decryption == "ok") }
  }

  private func enrich(
    _ payload: JSONValue, _ change: (UNMutableNotificationContent) -> Void = { _ in }
  ) async -> (content: UNNotificationContent, rules: [String]) {
    let content = UNMutableNotificationContent()
    content.body = "relay"
    content.userInfo = payload.userInfo
    change(content)
    let rules = Mutex<[String]>([])
    var configuration = configuration()
    configuration.trace = { event in
      rules.withLock { $0.append("\(event.stage.rawValue) \(event.rule)") }
    }
    let shown = await RichEnricher(
      configuration: configuration, environment: Sample.environment()
    ).enrich(UNNotificationRequest(identifier: "id", content: content, trigger: nil))
    return (shown, rules.withLock { $0 })
  }

  @Test("nothing that the system read from a plain payload is passed on")
  func content() async {
    let (shown, rules) = await enrich(["aps": ["alert": "relay"], "k": 1]) { content in
      content.title = "relay"
      content.subtitle = "relay"
      content.badge = 9
      content.sound = UNNotificationSound(named: UNNotificationSoundName("relay.caf"))
      content.categoryIdentifier = "relay"
      content.threadIdentifier = "relay"
      content.targetContentIdentifier = "relay"
      content.filterCriteria = "relay"
      content.interruptionLevel = .timeSensitive
      content.relevanceScore = 1
    }
    #expect(shown.title == "App" && shown.subtitle == "" && shown.body == "Open the app")
    #expect(shown.userInfo.isEmpty && shown.badge == nil && shown.sound == .default)
    #expect(shown.categoryIdentifier == "" && shown.threadIdentifier == "")
    #expect(shown.targetContentIdentifier == nil && shown.filterCriteria == nil)
    #expect(shown.interruptionLevel == .active && shown.relevanceScore == 0)
    #expect(rules.contains("decryption not-encrypted") && rules.contains("text placeholder"))
  }

  @Test("a plain payload without a sound stays silent")
  func silent() async {
    #expect(await enrich(["aps": ["alert": "relay"]]).content.sound == nil)
  }

  @Test("a replay window that cannot be used is in the trace, and the message is shown")
  func unknown() throws {
    let folder = TemporaryFolder()
    _ = try folder.write("x", to: "Library")
    let plan = plan(try sealed(), in: folder)
    #expect(plan.repeatIsUnknown && plan.content.decryption == "ok")
    let rules = Mutex<[String]>([])
    let sink: @Sendable (TraceEvent) -> Void = { event in
      rules.withLock { $0.append(event.rule) }
    }
    DeliveryTrace(clock: ManualClock(), start: .zero, sinks: [sink]).didPlan(plan)
    #expect(rules.withLock { $0.contains("replay-unchecked") })
  }
}
