import Testing
import _HTTP2

@Suite("Header compression of requests")
struct HeaderCompressorTests {
  private let client: HTTP2Session
  private let server: HTTP2Session

  init() throws {
    client = try HTTP2Session(.client)
    server = try HTTP2Session(.server)
  }

  /// Sends requests until both sides are done, and returns the fields that the server read and the bytes sent.
  private func exchange(_ requests: [[(StaticString, String, Bool)]]) throws
    -> (fields: [[HeaderField]], bytes: Int)
  {
    for request in requests {
      var block = HeaderBlock()
      for (name, value, isIndexed) in request { block.append(name, value, isIndexed: isIndexed) }
      _ = try client.submitRequest(block, body: [])
    }
    var fields: [[HeaderField]] = []
    var count = 0
    for _ in 0..<4 {
      var bytes: [UInt8] = []
      _ = try client.send(into: &bytes, upTo: .max)
      count += bytes.count
      for event in try server.receive(bytes, count: bytes.count) {
        if case .headers(_, let more, _) = event { fields.append(more) }
      }
      bytes = []
      _ = try server.send(into: &bytes, upTo: .max)
      _ = try client.receive(bytes, count: bytes.count)
    }
    return (fields, count)
  }

  private func request(_ number: Int, topic: String = "com.example.app")
    -> [(StaticString, String, Bool)]
  {
    [
      (":method", "POST", true), (":scheme", "https", true), (":authority", "localhost", true),
      (":path", "/3/device/\(number)", false),
      ("authorization", "bearer " + String(repeating: "t", count: 200), true),
      ("apns-id", "id-\(number)", false), ("apns-topic", topic, true),
    ]
  }

  private func expected(_ request: [(StaticString, String, Bool)]) -> [HeaderField] {
    request.map { HeaderField("\($0.0)", $0.1) }
  }

  @Test("nghttp2 reads the fields that were written, and repeated fields take about a byte each")
  func roundTrip() throws {
    let first = try exchange([request(0)])
    #expect(first.fields == [expected(request(0))])
    let requests = (1..<50).map { request($0) }
    let more = try exchange(requests)
    #expect(more.fields == requests.map(expected))
    #expect(more.bytes < 50 * 50)
  }

  @Test("fields that the peer evicted from its dynamic table are sent again")
  func eviction() throws {
    let requests = (0..<90).map { request($0, topic: String(repeating: "\($0 % 45)", count: 60)) }
    #expect(try exchange(requests).fields == requests.map(expected))
  }

  @Test(
    "the size of the peer's dynamic table is never exceeded", arguments: [0, 64, 300, 4096, 65_536])
  func tableSizes(size: UInt32) throws {
    #expect(try exchange([request(0), request(1)]).fields.count == 2)
    server.submitHeaderTableSize(size)
    _ = try exchange([])
    let requests = (2..<20).map { request($0) }
    #expect(try exchange(requests).fields == requests.map(expected))
  }

  @Test("after the peer empties its dynamic table all fields are sent again")
  func forgetting() throws {
    #expect(try exchange([request(0)]).fields.count == 1)
    server.submitHeaderTableSize(0)
    server.submitHeaderTableSize(4096)
    _ = try exchange([])
    #expect(try exchange([request(1), request(2)]).fields.count == 2)
  }

  @Test(
    "a header field of any length arrives",
    arguments: [126, 127, 128, 254, 4063, 4064, 4065, 15_000, 15_500])
  func lengths(count: Int) throws {
    let long = String(repeating: "l", count: count)
    let requests = (0..<3).map { request($0, topic: long) } + [request(3)]
    let isTooLong = count > 15_400
    let read = try exchange(requests).fields
    #expect(isTooLong || read == requests.map(expected))
    #expect(read.last == expected(request(3)))
  }

  @Test(
    "shared fields arrive in order, whatever the peer's dynamic table holds",
    arguments: [
      Array(repeating: "one", count: 20), ["one", "one", "two", "one", "two", "two"],
      (0..<90).map { String(repeating: "\($0 / 2 % 45)", count: 60) },
      ["one", String(repeating: "l", count: 15_350), "one", "one"],
    ], [nil, 0, 300])
  func sharing(topics: [String], tableSize: UInt32?) throws {
    var alike: [String: SharedFields] = [:]
    for (number, topic) in topics.enumerated() {
      if number == 3, let tableSize {
        server.submitHeaderTableSize(tableSize)
        _ = try exchange([])
      }
      let request = request(number, topic: topic)
      let shared = request.filter { $0.2 }
      let fields =
        alike[topic]
        ?? {
          var block = HeaderBlock()
          for (name, value, _) in shared { block.append(name, value) }
          return SharedFields(block)
        }()
      alike[topic] = fields
      var block = HeaderBlock()
      block.append(":path", request[3].1, isIndexed: false)
      block.append(fields)
      block.append("apns-id", request[5].1, isIndexed: false)
      _ = try client.submitRequest(block, body: [])
      let order = [request[3]] + shared + [request[5]]
      #expect(try exchange([]).fields == [expected(order)])
    }
  }
}
