import Foundation
import MediaLoading
import PushCrypto
import PushPayload
import Synchronization
import TestSupport
import Testing
import UserNotifications
import _OpenSSLCrypto

@testable import RichNotifications

@Suite("Encrypted payloads")
struct DecryptionTests {
  static let crypto = OpenSSLCrypto()

  static func decryption(_ keys: DeviceKeys) -> RichConfiguration {
    var configuration = RichConfiguration()
    configuration.decryption = PayloadDecryption(crypto: crypto) { keys }
    return configuration
  }

  static func seal(_ inner: String, to keys: DeviceKeys) throws -> JSONValue {
    let sealed = try EncryptedPayload(
      sealing: Array(inner.utf8), to: keys.subscription, provider: crypto)
    return .string(sealed.text)
  }

  static func outer(_ sealed: JSONValue) -> JSONValue {
    [
      "aps": [
        "alert": ["title": "Placeholder", "body": "New message"], "mutable-content": 1, "badge": 9,
      ],
      "_enc": sealed, "_mediaUrl": "https://relay.example/tracker", "_mediaAlt": "relay's words",
      "title": "relay's title",
    ]
  }

  @Test("the decrypted payload is shown, and nothing of the outer payload is read")
  func opens() throws {
    let keys = try DeviceKeys.generate(with: Self.crypto)
    let inner =
      #"{"aps":{"alert":{"title":"Ann","body":"Hi"},"badge":2},"_mediaUrl":"https://a/i","k":1}"#
    let plan = Sample.plan(
      Self.outer(try Self.seal(inner, to: keys)), Self.decryption(keys),
      text: NotificationText(title: "Placeholder", body: "New message"))
    #expect(plan.content.decryption == "ok")
    #expect(plan.content.text == NotificationText(title: "Ann", body: "Hi"))
    #expect(plan.badge == .set(2))
    #expect(plan.content.dialect == .salesforce)
    #expect(plan.attempts.map(\.media.wanted.url) == ["https://a/i"])
    #expect(plan.content.decrypted?["k"] == 1)
    #expect(plan.content.decrypted?["title"] == nil)
  }

  /// Values of `_enc` with the reason for which they cannot be decrypted.
  static let closed:
    [(name: String, make: @Sendable (DeviceKeys) throws -> JSONValue, reason: String)] = [
      ("a number", { _ in 5 }, "malformed"), ("an object", { _ in ["a": 1] }, "malformed"),
      ("no base64url", { _ in "a+b/=" }, "malformed"), ("nothing", { _ in "" }, "truncated"),
      ("too short", { _ in "AAAA" }, "truncated"),
      (
        "another device's", { _ in try seal("{}", to: DeviceKeys.generate(with: crypto)) },
        "authentication"
      ),
      ("no JSON inside", { try seal("hello", to: $0) }, "malformed"),
      ("no object inside", { try seal("[1]", to: $0) }, "malformed"),
    ]

  @Test(
    "a payload that cannot be decrypted shows the placeholder, with the reason", arguments: 0..<8)
  func staysClosed(number: Int) throws {
    let keys = try DeviceKeys.generate(with: Self.crypto)
    let (name, make, reason) = Self.closed[number]
    let text = NotificationText(title: "Placeholder", body: "New message")
    let plan = Sample.plan(Self.outer(try make(keys)), Self.decryption(keys), text: text)
    #expect(plan.content.decryption == reason, "\(name)")
    #expect(plan.content.text == text)
    #expect(plan.attempts.isEmpty && plan.content.dialect == .none)
  }

  @Test("a delivery reads keys and writes files from its beginning on, not when it is made")
  func nothingBeforeItBegins() throws {
    let keys = try DeviceKeys.generate(with: Self.crypto)
    let folder = TemporaryFolder()
    var environment = Sample.environment(clock: ManualClock(), folder: folder.url)
    environment.appGroupFolder = folder.url
    let reads = Mutex(0)
    var configuration = RichConfiguration()
    configuration.decryption = PayloadDecryption(crypto: Self.crypto) {
      reads.withLock { $0 += 1 }
      return keys
    }
    let texts = Mutex<[String]>([])
    let inner = #"{"aps":{"alert":"Hi"}}"#
    let delivery = RichDelivery(
      IncomingNotification(
        payload: Self.outer(try Self.seal(inner, to: keys)), text: NotificationText()),
      configuration: configuration, environment: environment
    ) { content in texts.withLock { $0.append(content.text.body) } }
    #expect(reads.withLock(\.self) == 0 && folder.contents.isEmpty)
    delivery.begin()
    #expect(reads.withLock(\.self) == 1 && !folder.contents.isEmpty)
    // A second call does nothing.
    delivery.begin()
    #expect(reads.withLock(\.self) == 1)
    #expect(texts.withLock(\.self) == ["Hi"])
  }

  @Test("without keys, or with unreadable keys, the placeholder is shown")
  func noKeys() throws {
    struct Locked: Error {}
    let keys = try DeviceKeys.generate(with: Self.crypto)
    let payload = Self.outer(try Self.seal("{}", to: keys))
    var locked = RichConfiguration()
    locked.decryption = PayloadDecryption(crypto: Self.crypto) { throw Locked() }
    #expect(Sample.plan(payload).content.decryption == "no-key")
    #expect(Sample.plan(payload, locked).content.decryption == "no-key")
    #expect(Sample.plan(payload, locked).content.text.body == "B")
  }

  @Test(
    "a localization key in the decrypted payload is looked up; without a translation the literal is used",
    arguments: [
      (#"{"loc-key":"GREETING","loc-args":["Ann"]}"#, "Hello Ann"),
      (#"{"loc-key":"NONE","body":"Literal"}"#, "Literal"), (#"{"loc-key":"NONE"}"#, "Placeholder"),
      (#"{"body":"a\u0000b"}"#, "ab"),
    ])
  func localised(alert: String, body: String) throws {
    let keys = try DeviceKeys.generate(with: Self.crypto)
    var environment = Sample.environment()
    environment.localized = { key, arguments in
      key == "GREETING" ? "Hello \(arguments.joined())" : nil
    }
    let payload = Self.outer(try Self.seal("{\"aps\":{\"alert\":\(alert)}}", to: keys))
    let plan = EnrichmentPlan(
      IncomingNotification(payload: payload, text: NotificationText(body: "Placeholder")),
      configuration: Self.decryption(keys), environment: environment)
    #expect(plan.content.text.body == body)
  }

  @Test("a null _enc is not an encrypted payload")
  func null() {
    #expect(Sample.plan(Self.outer(.null)).content.decryption == nil)
  }

  @Test("userInfo is the decrypted payload, and properties that it lacks are unchanged")
  func content() async throws {
    let keys = try DeviceKeys.generate(with: Self.crypto)
    let inner =
      #"{"aps":{"alert":"Hi","category":"CHAT","thread-id":"t","sound":"ping.caf"},"k":1}"#
    let content = UNMutableNotificationContent()
    content.title = "Placeholder"
    content.badge = 9
    content.userInfo = Self.outer(try Self.seal(inner, to: keys)).userInfo
    let enricher = RichEnricher(
      configuration: Self.decryption(keys), environment: Sample.environment())
    let shown = await enricher.enrich(
      UNNotificationRequest(identifier: "id", content: content, trigger: nil))
    #expect(shown.title == "" && shown.body == "Hi")
    #expect(shown.categoryIdentifier == "CHAT" && shown.threadIdentifier == "t")
    #expect(shown.badge == 9)
    #expect(JSONValue(userInfo: shown.userInfo) == (try JSONValue(parsing: inner)))
  }
}

@Suite("The SHA-256 of a media file")
struct DigestTests {
  static let digest = OpenSSLCrypto.sha256(Sample.png)
    .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()

  @Test(
    "the SHA-256 of the whole file is checked; another file fails, and so does a check without cryptography",
    arguments: [
      (digest, true, MediaOutcome.Result.attached), (digest.uppercased(), true, .attached),
      (String(digest.reversed()), true, .failed), ("none", true, .failed), (digest, false, .failed),
    ])
  func check(sha256: String, hasCrypto: Bool, result: MediaOutcome.Result) throws {
    let (loader, folder) = (ManualLoader(), TemporaryFolder())
    var environment = Sample.environment(loader, clock: ManualClock(), folder: folder.url)
    if hasCrypto { environment.crypto = OpenSSLCrypto() }
    let outcomes = Mutex<[EnrichedContent]>([])
    let payload: JSONValue = [
      "_martlet": ["media": [["url": "https://a/1", "sha256": .string(sha256)]]]
    ]
    RichDelivery(
      IncomingNotification(payload: payload, text: NotificationText()), environment: environment
    ) { content in outcomes.withLock { $0.append(content) } }
    .begin()
    loader.sink?.respond(200, body: Sample.png)
    let content = try #require(outcomes.withLock { $0.first })
    #expect(content.media.map(\.result) == [result])
    #expect(content.media.map(\.reason) == [result == .attached ? nil : .digest])
    #expect(folder.contents.count == (result == .attached ? 1 : 0))
  }
}
