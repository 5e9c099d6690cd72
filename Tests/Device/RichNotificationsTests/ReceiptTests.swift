import Foundation
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("A receipt")
struct ReceiptTests {
  static let morning = Date(timeIntervalSince1970: 1_795_253_400.25)

  static func receipt(
    _ notification: String = "n1", device: String = "d1", event: Receipt.Event = .displayed,
    at date: Date = morning
  ) -> Receipt {
    Receipt(notificationID: notification, deviceID: device, event: event, at: date)
  }

  static func json(_ receipt: Receipt) throws -> JSONValue {
    try JSONValue(parsing: JSONEncoder().encode(receipt))
  }

  @Test("is encoded as in the server's API")
  func wire() throws {
    let receipt = Receipt(
      notificationID: "5f0", deviceID: "d1", event: .displayed, at: Self.morning, media: "failed",
      reason: "timeout", duration: .milliseconds(1234))
    #expect(
      try Self.json(receipt) == [
        "id": .string(receipt.id), "notification_id": "5f0", "device_id": "d1",
        "event": "displayed", "at": "2026-11-21T09:30:00.250Z", "media": "failed",
        "reason": "timeout", "duration_ms": 1234,
      ])
  }

  @Test("leaves out values that are nil")
  func sparse() throws {
    let members = try #require(try Self.json(Self.receipt()).object)
    #expect(members.keys.sorted() == ["at", "device_id", "event", "id", "notification_id"])
  }

  @Test("has the same id for the same push, device and event, whenever it happened")
  func sameID() {
    #expect(Self.receipt().id == Self.receipt(at: Self.morning + 60).id)
    #expect(Self.receipt().id.utf8.count == 32)
  }

  @Test("of an expanded notification has the page, the dwell in seconds, the value and the text")
  func expanded() throws {
    let receipt = Receipt(
      notificationID: "5f0", deviceID: "d1", event: .templatePage, at: Self.morning, page: 2,
      dwell: .milliseconds(3499), value: "blue", text: "Hello")
    #expect(
      try Self.json(receipt) == [
        "id": .string(receipt.id), "notification_id": "5f0", "device_id": "d1",
        "event": "template_page", "at": "2026-11-21T09:30:00.250Z", "page": 2,
        "dwell_seconds": 3, "value": "blue", "text": "Hello",
      ])
    let text = try JSONEncoder().encode(receipt)
    #expect(try JSONDecoder().decode(Receipt.self, from: text) == receipt)
  }

  @Test("counts once for each page, whatever the dwell and the answer are")
  func pages() {
    func receipt(_ page: Int?, dwell: Int = 0, value: String? = nil) -> Receipt {
      Receipt(
        notificationID: "n", deviceID: "d", event: .templatePage, at: Self.morning, page: page,
        dwell: .seconds(dwell), value: value)
    }
    #expect(receipt(1).id == receipt(1, dwell: 5, value: "a").id)
    #expect(Set([nil, 0, 1, 11].map { receipt($0).id }).count == 4)
  }

  @Test(
    "a page, a dwell and an answer beyond the limits of the server are left out, or cut to them",
    arguments: [
      (0, 0.0, 0, 0), (99, 0.4999, 0, 99), (100, 0.5, 1, nil), (-1, -1, 0, nil),
      (1, 3600, 3600, 1), (1, 3600.6, 3600, 1), (1, 1e18, 3600, 1),
    ] as [(Int, Double, Int, Int?)])
  func expandedLimits(page: Int, dwell: Double, seconds: Int, kept: Int?) {
    let long = String(repeating: "👍🏽", count: 128)
    for (text, left) in [
      (long, long), (long + "x", long), ("", nil), ("\0", nil), ("a\0b", "ab"),
    ] as [(String, String?)] {
      let receipt = Receipt(
        notificationID: "n", deviceID: "d", event: .templateAnswered, at: Self.morning,
        page: page, dwell: .seconds(dwell), value: text, text: text)
      #expect(receipt.page == kept && receipt.dwellSeconds == seconds)
      #expect(receipt.value == left && receipt.text == left)
    }
  }

  @Test("has another id for another push, device or event, and does not mix them up")
  func otherID() {
    let all = [
      Self.receipt(), Self.receipt("n2"), Self.receipt(device: "d2"),
      Self.receipt(event: .received), Self.receipt("n1d", device: "1"),
      Self.receipt("", device: ""),
    ]
    #expect(Set(all.map(\.id)).count == all.count)
  }

  @Test("is the same after encoding and decoding, for every millisecond")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let date = Date(timeIntervalSince1970: Double.random(in: 0...4e9, using: &random))
      let receipt = Self.receipt(at: date)
      #expect(abs(receipt.at.timeIntervalSince(date)) <= 0.0006)
      let text = try JSONEncoder().encode(receipt)
      #expect(try JSONDecoder().decode(Receipt.self, from: text) == receipt)
    }
  }

  @Test(
    "a date out of range is clamped",
    arguments: [
      (-1.0, "1970-01-01T00:00:00.000Z"), (.nan, "1970-01-01T00:00:00.000Z"),
      (-.infinity, "1970-01-01T00:00:00.000Z"), (.infinity, "9999-12-31T23:59:59.999Z"),
      (1e300, "9999-12-31T23:59:59.999Z"),
    ])
  func dates(seconds: Double, text: String) throws {
    let receipt = Self.receipt(at: Date(timeIntervalSince1970: seconds))
    #expect(try Self.json(receipt)["at"] == .string(text))
  }

  @Test("a negative or infinite duration is clamped")
  func durations() throws {
    func milliseconds(_ duration: Duration) -> Int? {
      Receipt(
        notificationID: "n", deviceID: "d", event: .displayed, at: Self.morning, duration: duration
      ).durationMilliseconds
    }
    #expect(milliseconds(.seconds(-1)) == 0)
    #expect(milliseconds(.seconds(Int64.max)) == 9_000_000_000_000_000)
  }

  @Test(
    "a text that is not a receipt, or has another receipt's id, is refused",
    arguments: [
      "", "{}", "[]", "null", "\u{0}",
      #"{"id":"x","notification_id":"n1","device_id":"d1","event":"displayed","at":"2026-11-21T09:30:00Z"}"#,
      #"{"id":"x","notification_id":"n1","device_id":"d1","event":"displayed","at":"yesterday"}"#,
      #"{"id":1,"notification_id":"n1","device_id":"d1","event":"displayed","at":"2026-11-21T09:30:00Z"}"#,
    ])
  func refused(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Receipt.self, from: Data(text.utf8))
    }
  }
}
