import Foundation
import MediaLoading
import PushCrypto
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import RichNotifications

@Suite("The plan for a notification", .timeLimit(.minutes(10)))
struct EnrichmentPlanTests {
  typealias Delivery = FallbackOrderTests.Delivery

  @Test("a fractional number fills a placeholder of a template")
  func fraction() {
    let payload: JSONValue = ["price": 9.5, "count": 3]
    var text = NotificationText(body: "before")
    text.fill(TextTemplate(body: "{count} for {price}"), from: payload)
    #expect(text.body == "3 for 9.5")
  }

  @Test("a template is filled for every dialect, with and without media")
  func templateOfSwrve() {
    var configuration = RichConfiguration()
    configuration.template = TextTemplate(title: "For {name}")
    let payload: JSONValue = [
      "_p": 1, "_sw": ["media": ["url": "https://a/1", "title": "S", "body": "theirs"]],
      "name": "Ann",
    ]
    let plan = Sample.plan(payload, configuration)
    #expect(plan.content.text == NotificationText(title: "For Ann", body: "B"))
    let ending = EnrichmentPlan.Ending(
      attempt: plan.attempts[0], result: .success(Sample.file("1")))
    #expect(plan.content([ending]).text == NotificationText(title: "For Ann", body: "theirs"))
  }

  @Test(
    "white space alone replaces no text that is there", arguments: ["", " ", "\n\t ", "\u{A0}"])
  func blank(new: String) {
    var text = NotificationText(body: "before")
    text.override(title: nil, subtitle: nil, body: new)
    #expect(text.body == "before")
  }

  @Test(
    "a decrypted payload without text keeps the placeholder",
    arguments: [#"{"_mediaUrl":"https://a/i"}"#, #"{"aps":{"alert":{"loc-key":"K"}}}"#])
  func noInnerText(inner: String) throws {
    let keys = try DecryptionTests.crypto.makeKeys()
    let placeholder = NotificationText(title: "Placeholder", body: "New message")
    let plan = Sample.plan(
      DecryptionTests.outer(try DecryptionTests.seal(inner, to: keys)),
      DecryptionTests.decryption(keys), text: placeholder)
    #expect(plan.content.decryption == "ok")
    #expect(plan.content.text == placeholder)
  }

  @Test(
    "the decrypted badge replaces the outer one, even for a category that is not the extension's")
  func innerBadge() throws {
    let keys = try DecryptionTests.crypto.makeKeys()
    let inner = #"{"aps":{"alert":"Hi","badge":2,"category":"OTHER"}}"#
    let plan = Sample.plan(
      DecryptionTests.outer(try DecryptionTests.seal(inner, to: keys)),
      DecryptionTests.decryption(keys), categories: ["OURS"])
    #expect(plan.badge == .set(2))
  }

  @Test("an empty _nid does not hide the vendor's identifier")
  func emptyName() {
    let plan = Sample.plan(["_nid": "", "_mediaUrl": "https://a/1", "_m": "vendor"])
    #expect(plan.content.messageID == "vendor")
  }

  @Test("a repeated URL is checked against each SHA-256")
  func twinDigest() throws {
    let delivery = Delivery([
      "_martlet": [
        "media": [
          ["url": "https://a/1"],
          ["url": "https://a/1", "sha256": .string(String(repeating: "0", count: 64))],
        ]
      ]
    ])
    for load in delivery.loader.loads { load.sink.respond(200, body: Sample.png) }
    #expect(delivery.content?.media.map(\.result) == [.attached, .failed])
    #expect(delivery.content?.media.map(\.reason) == [nil, .digest])
  }

  @Test("a repeated URL has the fallbacks of each")
  func twinAlternative() throws {
    let delivery = Delivery([
      "_martlet": [
        "media": [
          ["url": "https://a/1"], ["url": "https://a/1", "alternative_url": "https://a/2"],
        ]
      ]
    ])
    for load in delivery.loader.loads { load.sink.respond(404) }
    delivery.loader.sink?.respond(200, body: Sample.png)
    #expect(delivery.content?.media.map(\.result) == [.failed, .alternative])
  }

  @Test("a repeated URL counts toward the maximum number of files")
  func manyTwins() {
    let plan = Sample.plan(Sample.payload(Array(repeating: "https://a/1", count: 7)))
    #expect(plan.attempts.count == 1)
    let ending = EnrichmentPlan.Ending(
      attempt: plan.attempts[0], result: .success(Sample.file("1")))
    let media = plan.content([ending]).media
    #expect(media.count { $0.result == .attached } == 5)
    #expect(media.suffix(2).map(\.reason) == [.budget, .budget])
  }

  @Test("the system's error message, which may contain the host, is a private detail of the trace")
  func systemWords() throws {
    let events = Mutex<[TraceEvent]>([])
    let delivery = Delivery(Sample.payload(["https://a/1"])) {
      $0.trace = { event in events.withLock { $0.append(event) } }
    }
    delivery.loader.sink?.finish(MediaLoadError(.untrusted, "pretending to be secret.example"))
    let all = events.withLock { $0 }
    #expect(!all.contains { $0.message.contains("secret") })
    #expect(all.contains { $0.privateDetail?.contains("secret") == true })
    #expect(delivery.content?.note?.contains("secret") == false)
  }

  @Test("the trace has replaced text and retries")
  func trace() {
    let rules = Mutex<[String]>([])
    let delivery = Delivery(["_st": ["image_url": "https://a/1"], "title": "New", "body": ""]) {
      $0.trace = { event in rules.withLock { $0.append("\(event.stage.rawValue) \(event.rule)") } }
    }
    delivery.loader.sink?.respond(503)
    delivery.clock.advance(to: .milliseconds(500))
    delivery.loader.sink?.respond(200, body: Sample.png)
    let all = rules.withLock { $0 }
    #expect(all.filter { $0 == "text replaced" }.count == 1)
    #expect(all.filter { $0 == "media retry" }.count == 1)
  }
}

extension CryptoProvider {
  fileprivate func makeKeys() throws -> DeviceKeys { try DeviceKeys.generate(with: self) }
}
