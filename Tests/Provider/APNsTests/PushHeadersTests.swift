import TestSupport
import Testing
import _HTTP2

@testable import APNs

/// Apple's "Establishing a connection to APNs" asks to index what rarely changes, and "Sending notification requests to
/// APNs" not to fill the table with collapse ids and expirations that differ.
@Suite("Header fields of pushes, as nghttp2 reads them")
struct PushHeadersTests {
  /// What differs between pushes.
  struct Varying: Sendable, CustomTestStringConvertible {
    var expiration: APNsExpiration?
    var collapseID: String?
    var topic = "com.example.app"

    var testDescription: String {
      "\(expiration.map { String($0.seconds) } ?? "-") \(collapseID ?? "-") \(topic)"
    }
  }

  private static let id = String(repeating: "c", count: 60)
  private static let other = String(repeating: "d", count: 60)

  /// Writes the headers of pushes, and returns the bytes of each request, once the server has read what was
  /// written.
  private func exchange(_ pushes: [Varying]) throws -> [Int] {
    let client = try HTTP2Session(.client)
    let server = try HTTP2Session(.server)
    var writer = PushHeaders(authority: "localhost")
    var block = HeaderBlock()
    let notifications = pushes.enumerated().map { number, push in
      APNsNotification(
        deviceToken: "ab\(number)", topic: push.topic, expiration: push.expiration,
        collapseID: push.collapseID, payload: [])
    }
    var fields: [[String: String]] = []
    var counts: [Int] = []
    for number in notifications.indices {
      writer.write(number, of: notifications, authorization: "bearer x", to: &block)
      _ = try client.submitRequest(block, body: [])
      var bytes: [UInt8] = []
      _ = try client.send(into: &bytes, upTo: .max)
      counts.append(bytes.count)
      for event in try server.receive(bytes, count: bytes.count) {
        guard case .headers(_, let read, _) = event else { continue }
        #expect(Set(read.map(\.name)).count == read.count)
        fields.append(
          Dictionary(read.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
      }
    }
    try #require(fields.count == pushes.count)
    for (number, notification) in notifications.enumerated() {
      #expect(fields[number][":path"] == "/3/device/ab\(number)")
      #expect(fields[number]["apns-id"] == notification.id)
      #expect(fields[number]["apns-topic"] == notification.topic)
      #expect(
        fields[number]["apns-expiration"] == notification.expiration.map { String($0.seconds) })
      #expect(fields[number]["apns-collapse-id"] == notification.collapseID)
    }
    return counts
  }

  @Test("a collapse id and an expiration that many pushes share take a byte each")
  func shared() throws {
    let one = Varying(expiration: 1_700_000_000, collapseID: Self.id)
    let next = Varying(expiration: 1_700_000_001, collapseID: Self.other)
    let bytes = try exchange(Array(repeating: one, count: 5) + Array(repeating: next, count: 5))
    let without = try exchange(Array(repeating: Varying(), count: 10))
    let more = zip(bytes, without).map { $0 - $1 }
    // A name that is new to the table is added with its first value; a value of a name that is known, when it comes again.
    #expect(more[1..<5].allSatisfy { $0 == 2 })
    #expect(more[5] > Self.other.utf8.count && more[6] > Self.other.utf8.count)
    #expect(more[7...].allSatisfy { $0 == 2 })
  }

  @Test(
    "collapse ids that differ each time are not indexed, so that the provider token stays in the table"
  )
  func different() throws {
    let filling = String(repeating: "c", count: 57)
    let pushes = (100..<190).map { Varying(collapseID: "\($0)" + filling) }
    let bytes = try exchange(pushes)
    #expect(Set(bytes[10...]).count == 1)
    #expect(bytes[10] < bytes[0] && bytes[10] > 60)
  }

  @Test("the fields are those of the push, whatever came before", arguments: 0..<40)
  func sequences(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pushes = (0..<30).map { _ in
      Varying(
        expiration: [nil, 0, 1_700_000_000].randomElement(using: &random) ?? nil,
        collapseID: [nil, Self.id, Self.other].randomElement(using: &random) ?? nil,
        topic: Int.random(in: 0..<8, using: &random) == 0
          ? "com.example.app.voip" : "com.example.app")
    }
    _ = try exchange(pushes)
  }
}
