import Foundation
import PushPayload
import Testing

@testable import MartletKit

@Suite("The record of a device")
struct DeviceRecordTests {
  static let app = Sender(role: "app", session: "1")

  static func record(known: Bool = true) -> DeviceRecord {
    var record = DeviceRecord(id: "d", secret: "s")
    record.isRegistered = known
    return record
  }

  static func begin(
    _ record: inout DeviceRecord, _ flight: String, by sender: Sender = app, at now: Int64
  ) throws -> DeviceUpdate {
    let update = record.begin(flight: flight, by: sender, at: now)
    return try #require(update)
  }

  @Test("only what differs is sent, and what is removed is null")
  func difference() {
    var record = Self.record()
    record.wanted = ["locale": "de", "tags": ["a"]]
    record.known = ["locale": "de", "user_id": "ada", MemberKey.attribute("plan"): "old"]
    #expect(
      record.difference
        == ["tags": ["a"], "user_id": .null, MemberKey.attribute("plan"): .null])
    let update = record.begin(flight: "f", by: Self.app, at: 0)
    #expect(
      update?.body == [
        "device": ["tags": ["a"], "user_id": .null, "user_attributes": ["plan": .null]]
      ])
  }

  @Test("an update whose answer is lost is sent again, also what was removed meanwhile")
  func lostAnswer() throws {
    var record = Self.record()
    record.want("locale", "de")
    let update = try Self.begin(&record, "f", at: 0)
    record.fail(update, isUnread: false)
    record.want("locale", nil)
    #expect(record.difference == ["locale": .null])
    // A request that has surely not arrived leaves no doubt.
    record = Self.record()
    record.want("locale", "de")
    let unsent = try Self.begin(&record, "f", at: 0)
    record.fail(unsent, isUnread: true)
    record.want("locale", nil)
    #expect(record.difference == [:])
  }

  @Test("an app that was killed during an update sends it again")
  func killed() throws {
    var record = Self.record()
    record.want("locale", "de")
    _ = record.begin(flight: "f", by: Self.app, at: 0)
    var next = try #require(DeviceRecord(record.bytes))
    #expect(next == record)
    next.want("locale", nil)
    let again = Sender(role: "app", session: "2")
    #expect(next.waitForFlight(of: again, at: 1) == nil)
    #expect(next.begin(flight: "g", by: again, at: 1)?.members == ["locale": .null])
  }

  @Test(
    "another process waits for an answer a minute, and no longer",
    arguments: [(0, 60_000), (59_999, 60_000), (60_000, nil), (-1, nil)] as [(Int64, Int64?)])
  func flight(now: Int64, wait: Int64?) {
    var record = Self.record()
    record.want("locale", "de")
    _ = record.begin(flight: "f", by: Self.app, at: 0)
    let other = Sender(role: "extension", session: "1")
    #expect(record.waitForFlight(of: other, at: now) == wait)
    #expect(record.waitForFlight(of: Self.app, at: now) == nil)
  }

  @Test("an answer to an update that was taken over puts its members in doubt")
  func takenOver() throws {
    var record = Self.record()
    record.want("locale", "de")
    let first = try Self.begin(&record, "f", at: 0)
    record.want("locale", "fr")
    let second = try Self.begin(
      &record, "g", by: Sender(role: "extension", session: "1"), at: 60_000)
    record.confirm(second, dropped: [])
    #expect(record.difference == [:])
    record.confirm(first, dropped: [])
    #expect(record.difference == ["locale": "fr"])
  }

  @Test("what the server drops is not sent again until it changes")
  func dropped() throws {
    var record = Self.record()
    record.want("locale", "x")
    record.want(MemberKey.attribute("a b"), "old")
    let update = try Self.begin(&record, "f", at: 0)
    record.confirm(
      update,
      dropped: [
        ("$.device.locale", "must be short"), ("$.device.user_attributes['a b'].type", "?"),
      ])
    #expect(record.difference == [:])
    #expect(
      record.refused.mapValues(\.reason) == ["locale": "must be short", "user_attributes.a b": "?"])
    record.want("locale", "y")
    #expect(record.difference == ["locale": "y"])
  }

  @Test("a user who is not proven does not leave the device to the user before")
  func unprovenUser() throws {
    var record = Self.record()
    record.known = ["user_id": "ada"]
    record.want("user_id", "bob")
    let update = try Self.begin(&record, "f", at: 0)
    record.confirm(update, dropped: [("$.device.user_id", "is not proven")])
    #expect(record.difference == ["user_id": .null])
    let removal = try Self.begin(&record, "g", at: 1)
    record.confirm(removal, dropped: [])
    #expect(record.difference == [:] && record.known == [:])
    #expect(record.refused["user_id"]?.reason == "is not proven")
  }

  @Test("the refusal of an earlier user token does not stop the one that the app has given since")
  func newerProof() throws {
    var record = Self.record()
    record.want("user_id", "ada")
    record.proof = "expired"
    let update = try Self.begin(&record, "f", at: 0)
    record.proof = "new"
    record.confirm(update, dropped: [("$.device.user_id", "is not proven")])
    #expect(record.refused == [:] && record.difference == ["user_id": "ada"])
    let again = try Self.begin(&record, "g", at: 1)
    #expect(again.proof == "new")
    record.confirm(again, dropped: [])
    #expect(record.difference == [:] && record.proof == nil)
  }

  @Test("a user token stays until the server has all that it proves")
  func keptProof() throws {
    var record = Self.record()
    record.known = ["user_id": "ada"]
    record.wanted = ["user_id": "ada", "locale": "de"]
    let update = try Self.begin(&record, "f", at: 0)
    record.want("user_email", "ada@example.org")
    record.proof = "token"
    record.confirm(update, dropped: [])
    #expect(record.proof == "token")
    let next = try Self.begin(&record, "g", at: 1)
    #expect(next.proof == "token")
    record.confirm(next, dropped: [("$.device.user_email", "must be an address")])
    #expect(record.proof == nil)
  }

  @Test("an update that was taken over leaves a user without its token as it is")
  func takenOverUser() throws {
    var record = Self.record()
    record.want("user_id", "ada")
    record.proof = "token"
    let first = try Self.begin(&record, "f", at: 0)
    let second = try Self.begin(
      &record, "g", by: Sender(role: "extension", session: "1"), at: 60_000)
    record.confirm(second, dropped: [])
    record.confirm(first, dropped: [])
    #expect(record.difference == [:])
  }

  @Test(
    "the user is not sent again without a token, but for a server that does not know the device")
  func refresh() {
    var record = Self.record()
    record.known = ["user_id": "ada", "locale": "de"]
    record.wanted = record.known
    record.doubtAll()
    #expect(record.difference == ["locale": "de"])
    record.forgetConfirmed()
    #expect(record.difference == ["user_id": "ada", "locale": "de"])
  }

  @Test("an opening is sent at most once")
  func opening() throws {
    for isUnread in [true, false] {
      var record = Self.record()
      record.isOpened = true
      let update = try Self.begin(&record, "f", at: 0)
      #expect(update.isOpened && update.body == ["device": ["opened": true]])
      record.fail(update, isUnread: isUnread)
      #expect(record.isOpened == isUnread)
    }
  }

  @Test(
    "a path of the server names a member or a part of it",
    arguments: [
      ("$.device.tags", "tags", true), ("$.device.tags[3]", "tags", true),
      ("$.device.tagsx", "tags", false), ("$.device.user_attributes.a", "user_attributes.a", true),
      ("$.device.user_attributes.a.value", "user_attributes.a", true),
      ("$.device.user_attributes.ab", "user_attributes.a", false),
      ("$.device.user_attributes['a.b'].value", "user_attributes.a.b", true),
      ("$.device.user_attributes.a", "user_attributes.a.b", false),
    ])
  func paths(path: String, key: String, isNamed: Bool) {
    #expect(MemberKey.names(path, key) == isNamed)
  }

  @Test("a record reads back, and bytes that are none are not one")
  func bytes() {
    var record = Self.record()
    record.wanted = ["locale": "de", "tags": ["a", "b"], "user_attributes.x": ["type": "integer"]]
    record.known = ["locale": "fr"]
    record.doubtful = ["tags"]
    record.refused = ["locale": .init(value: "de", reason: "no")]
    record.proof = "token"
    record.phase = .stopped
    record.refreshedAt = 5
    record.isOpened = true
    _ = record.begin(flight: "f", by: Self.app, at: 3)
    #expect(DeviceRecord(record.bytes) == record)
    for text in ["", "{}", "null", #"{"version":1,"id":"a"}"#, "{\"version\":1", "\u{0}"] {
      #expect(DeviceRecord(Data(text.utf8)) == nil)
    }
  }

  @Test("the profile reads and writes tags, attributes and keys")
  func profile() throws {
    var record = Self.record()
    let values: [String: AttributeValue] = [
      "text": .string("a"), "count": .integer(-3), "share": .number(0.5), "is": .boolean(true),
      "since": .date(Date(timeIntervalSince1970: 1_700_000_000.125)), "many": .strings(["a", "b"]),
      "numbers": .integers([1, 2]), "a.b": .string("dotted"),
    ]
    let old = DeviceProfile(record)
    var new = old
    new.attributes = values
    new.tags = ["b", "a"]
    new.publicKey = "key"
    new.apply(to: &record, since: old)
    #expect(DeviceProfile(record) == new)
    #expect(record.wanted["tags"] == ["a", "b"])
    #expect(
      record.wanted["user_attributes.since"]
        == ["type": "date", "value": "2023-11-14T22:13:20.125Z"])
    var less = new
    less["text"] = nil
    less.tags = []
    less.apply(to: &record, since: new)
    #expect(record.wanted["user_attributes.text"] == nil && record.wanted["tags"] == nil)
  }
}
