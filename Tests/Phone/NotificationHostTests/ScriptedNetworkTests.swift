import Foundation
import MediaLoading
import NotificationHost
import Synchronization
import Testing

@Suite("The scripted network", .timeLimit(.minutes(10)))
struct ScriptedNetworkTests {
  private static let url = "https://a/i"
  private static let body = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }

  @Test("delivers the scripted head and body")
  func whole() async throws {
    var answer = ScriptedNetwork.Response(headers: ["X-A": "1"], body: .bytes(Self.body))
    answer.mimeType = "image/png"
    let result = try await load(answer)
    #expect(result.head?.status == 200 && result.head?["x-a"] == "1")
    #expect(result.head?.mimeType == "image/png" && result.head?.contentLength == 40_000)
    #expect(result.bytes == Self.body && result.error == nil && result.ends == 1)
    answer.announcesLength = false
    #expect(try await load(answer).head?.contentLength == nil)
    answer.headers = ["content-type": "image/gif"]
    #expect(try await load(answer).head?.mimeType == "image/gif")
  }

  @Test("has responses that describe themselves in few words")
  func descriptions() {
    typealias Response = ScriptedNetwork.Response
    var redirect = Response()
    redirect.redirectsTo = URL(string: "https://b/j")
    var broken = Response(body: .endless([1, 2]))
    (broken.announcesLength, broken.stallsAfter, broken.breaksAfter) = (false, 4, 5)
    var short = Response(body: .file(URL(filePath: "/tmp/a.png")))
    short.announcedLength = 9
    var failure = Response()
    failure.failure = .offline
    let descriptions = [
      (Response(status: 404), "404"), (Response(body: .onePixelPNG), "200 with 67 bytes"),
      (redirect, "302, redirected to https://b/j"),
      (short, "200 with the file a.png, announced as 9 bytes"),
      (
        broken,
        "200 with 2 bytes without end, of unannounced length, stalled after 4 bytes, "
          + "broken off after 5 bytes"
      ), (failure, "the failure offline"),
    ]
    for (response, text) in descriptions { #expect("\(response)" == text) }
  }

  @Test("delivers a redirect and does not follow it")
  func redirect() async throws {
    var answer = ScriptedNetwork.Response()
    answer.redirectsTo = URL(string: "https://b/j")
    let network = ScriptedNetwork([Self.url: answer], clock: VirtualClock())
    let result = try await load(network)
    #expect(result.head?.status == 302 && result.head?["Location"] == "https://b/j")
    #expect(result.bytes.isEmpty && result.error == nil)
    #expect(network.requests.map(\.url.absoluteString) == [Self.url])
    answer.redirectsTo = nil
    #expect(answer.status == 200 && answer.headers.isEmpty)
  }

  @Test(
    "resumes where the tag is the same and strong, and only there",
    arguments: [
      (tag: "\"1\"", ifRange: "\"1\"", range: "bytes=39990-", status: 206),
      (tag: "\"1\"", ifRange: "\"1\"", range: "bytes=0-", status: 206),
      (tag: "\"1\"", ifRange: "\"1\"", range: "bytes=39999-", status: 206),
      (tag: "\"1\"", ifRange: "\"1\"", range: "bytes=40000-", status: 416),
      (tag: "\"2\"", ifRange: "\"1\"", range: "bytes=39990-", status: 200),
      (tag: "W/\"1\"", ifRange: "W/\"1\"", range: "bytes=39990-", status: 200),
      (tag: nil, ifRange: "\"1\"", range: "bytes=39990-", status: 200),
      (tag: "\"1\"", ifRange: nil, range: "bytes=39990-", status: 200),
      (tag: "\"1\"", ifRange: "\"1\"", range: nil, status: 200),
      (tag: "\"1\"", ifRange: "\"1\"", range: "lines=1-", status: 200),
      (tag: "\"1\"", ifRange: "\"1\"", range: "bytes=-5", status: 200),
      (tag: "\"1\"", ifRange: "\"1\"", range: "bytes=99999999999999999999-", status: 200),
    ] as [(tag: String?, ifRange: String?, range: String?, status: Int)])
  func resumes(_ row: (tag: String?, ifRange: String?, range: String?, status: Int)) async throws {
    var answer = ScriptedNetwork.Response(body: .bytes(Self.body))
    answer.headers["ETag"] = row.tag
    var headers: [String: String] = [:]
    headers["range"] = row.range
    headers["If-Range"] = row.ifRange
    let result = try await load(answer, headers: headers)
    #expect(result.head?.status == row.status && result.error == nil)
    let start = Int(row.range?.filter(\.isNumber) ?? "") ?? 0
    switch row.status {
    case 206:
      #expect(result.head?["content-range"] == "bytes \(start)-39999/40000")
      #expect(result.head?.contentLength == Int64(40_000 - start))
      #expect(result.bytes == Array(Self.body[start...]))
    case 416:
      #expect(result.head?["content-range"] == "bytes */40000" && result.bytes.isEmpty)
    default:
      #expect(result.head?["content-range"] == nil && result.bytes == Self.body)
    }
  }

  @Test("delivers a URL's responses in order, repeats the last one, and records requests")
  func turns() async throws {
    var broken = ScriptedNetwork.Response(headers: ["ETag": "\"1\""], body: .bytes(Self.body))
    broken.breaksAfter = 10
    var whole = broken
    whole.breaksAfter = nil
    let network = ScriptedNetwork(inSequence: [Self.url: [broken, whole]], clock: VirtualClock())
    let first = try await load(network)
    #expect(first.bytes.count == 10 && first.error?.code == .network)
    let headers = ["Range": "bytes=10-", "If-Range": "\"1\""]
    for _ in 0..<2 {
      let rest = try await load(network, headers: headers)
      #expect(first.bytes + rest.bytes == Self.body && rest.error == nil)
    }
    #expect(network.requests.map(\.headers) == [[:], headers, headers])
  }

  @Test(
    "ends as the script says", arguments: [MediaLoadError.Code.offline, .untrusted, .network])
  func failure(code: MediaLoadError.Code) async throws {
    var answer = ScriptedNetwork.Response(body: .bytes(Self.body))
    answer.failure = code
    let result = try await load(answer)
    #expect(result.head == nil && result.ends == 1 && result.error?.code == code)
  }

  @Test("is offline for every URL that it does not know")
  func unknown() async throws {
    let network = ScriptedNetwork(inSequence: [Self.url: []], clock: VirtualClock())
    #expect(try await load(network).error?.code == .offline)
    #expect(try await load(ScriptedNetwork(clock: VirtualClock())).error?.code == .offline)
  }

  @Test("in Low Data Mode sends only what is meant for it", arguments: [true, false])
  func constrained(isAllowed: Bool) async throws {
    let network = ScriptedNetwork(
      [Self.url: ScriptedNetwork.Response(body: .bytes(Self.body))], clock: VirtualClock(),
      isConstrained: true)
    let result = try await load(network) { $0.allowsConstrainedNetwork = isAllowed }
    #expect(result.error?.code == (isAllowed ? nil : .constrained))
    #expect(network.requests.count == (isAllowed ? 1 : 0))
  }

  @Test("under App Transport Security sends no cleartext without an exception")
  func cleartext() async throws {
    let answer = ScriptedNetwork.Response(body: .bytes(Self.body))
    let exception: [String: Any] = ["NSAppTransportSecurity": ["NSAllowsArbitraryLoads": true]]
    for (rules, count) in [
      (TransportSecurity(), 0), (TransportSecurity(infoPlist: exception), 1), (nil, 1),
    ] {
      let network = ScriptedNetwork(
        ["http://a/i": answer], clock: VirtualClock(), transportSecurity: rules)
      let result = try await load(network, url: "http://a/i")
      #expect(result.error?.code == (count == 0 ? .network : nil))
      #expect(network.requests.count == count)
    }
  }

  @Test("sends nothing that no loader sends")
  func refused() async throws {
    let network = ScriptedNetwork(clock: VirtualClock())
    let result = try await load(network, url: "https://127.0.0.1/x") {
      $0.allowsPrivateAddress = false
    }
    #expect(result.error?.code == .privateAddress && network.requests.isEmpty)
  }

  @Test(
    "a wrong Content-Length: too long is a lost connection, too short truncates",
    arguments: [10, 40_001])
  func lies(length: Int) async throws {
    var answer = ScriptedNetwork.Response(body: .bytes(Self.body))
    answer.announcedLength = Int64(length)
    let result = try await load(answer)
    #expect(result.head?.contentLength == Int64(length))
    #expect(result.bytes == Array(Self.body.prefix(length)))
    #expect(result.error?.code == (length == 10 ? nil : .network))
  }

  @Test("says so where a scripted file cannot be read")
  func unreadable() async throws {
    let answer = ScriptedNetwork.Response(body: .file(URL(filePath: "/nowhere/x.png")))
    let result = try await load(answer)
    #expect(result.head?.contentLength == nil && result.error?.code == .network)
  }

  @Test("takes its time on the virtual clock")
  func time() async throws {
    let clock = VirtualClock()
    let network = ScriptedNetwork(
      [Self.url: ScriptedNetwork.Response(body: .bytes([UInt8](repeating: 0, count: 65_536)))],
      clock: clock, latency: .seconds(3), bandwidth: 16_384)
    #expect(try await load(network).error == nil)
    #expect(clock.now == .seconds(7))
  }

  @Test("stalls as scripted, and ends when it is canceled")
  func stalls() async throws {
    var answer = ScriptedNetwork.Response(body: .bytes(Self.body))
    answer.stallsAfter = 10
    let clock = VirtualClock()
    let sink = CollectingSink()
    let network = ScriptedNetwork([Self.url: answer], clock: clock)
    let url = try #require(URL(string: Self.url))
    let load = network.load(MediaRequest(url: url), into: sink)
    _ = clock.schedule(after: .seconds(5)) { load.cancel() }
    let result = await sink.result()
    #expect(result.bytes.count == 10 && result.error?.code == .canceled && result.ends == 1)
  }

  private func load(
    _ answer: ScriptedNetwork.Response, headers: [String: String] = [:]
  ) async throws -> CollectingSink.Result {
    let network = ScriptedNetwork([Self.url: answer], clock: VirtualClock())
    return try await load(network, headers: headers)
  }

  private func load(
    _ network: ScriptedNetwork, url: String = Self.url, headers: [String: String] = [:],
    change: (inout MediaRequest) -> Void = { _ in }
  ) async throws -> CollectingSink.Result {
    var request = MediaRequest(url: try #require(URL(string: url)), headers: headers)
    change(&request)
    let sink = CollectingSink()
    _ = network.load(request, into: sink)
    return await sink.result()
  }
}

private final class CollectingSink: MediaSink {
  struct Result: Sendable {
    var head: MediaResponseHead?
    var bytes: [UInt8] = []
    var error: MediaLoadError?
    var ends = 0
  }

  private let state = Mutex(Result())
  private let (ended, end) = AsyncStream<Void>.makeStream()

  func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
    state.withLock { $0.head = head }
    return .proceed
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
    let bytes = Array(bytes)
    state.withLock { $0.bytes += bytes }
    return .proceed
  }

  func finish(_ error: MediaLoadError?) {
    state.withLock {
      $0.error = error
      $0.ends += 1
    }
    end.yield()
  }

  func result() async -> Result {
    for await _ in ended { break }
    return state.withLock { $0 }
  }
}
