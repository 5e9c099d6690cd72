import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import Testing
import _Curl
import _TLS

/// Misbehaving servers over real TLS: the handler is called once, the text is shown, the reason is right
/// and no file is left.
@Suite("Bad servers", .timeLimit(.minutes(10)))
struct BadServerTests {
  typealias Answer = RawTLSServer.Answer

  /// A phone, a certificate authority and a server that sends raw bytes.
  struct World {
    let phone: Phone
    let server: RawTLSServer
    let authority: CertificateAuthority
    private let folder = TemporaryFolder()

    init(
      host: String = "localhost", deadline: Duration = .seconds(25),
      headers: [String: String]? = nil, answer: @escaping @Sendable (String, Int) -> Answer
    ) throws {
      authority = try CertificateAuthority()
      _ = try folder.write(authority.certificatePEM.utf8, to: "ca.pem")
      server = try RawTLSServer(try authority.issue(hosts: [host]), answer)
      var configuration = RichConfiguration(deadline: deadline)
      configuration.media.allowsPrivateAddresses = true
      if let headers { configuration.media.headers = { _ in headers } }
      phone = try Phone(configuration: configuration)
    }

    func deliver(_ path: String = "/x", caFile: String? = nil) async -> DeliveryReport {
      let trusted = caFile ?? folder.path("ca.pem")
      let loader = RealNetwork(CurlMediaLoader(caFile: trusted), clock: phone.clock)
      let payload = Push.media("https://localhost:\(server.port)\(path)")
      let report = await phone.deliver(payload, over: loader)
      server.stop()
      return report
    }

    /// The text is shown, and everything else is as it should be.
    func expectText(
      _ report: DeliveryReport, _ reason: MediaFailure.Reason,
      sourceLocation location: SourceLocation = #_sourceLocation
    ) {
      #expect(phone.handlerCalls == 1 && report.run.handlerCalls == 1, sourceLocation: location)
      #expect(report.outcome == .displayed, sourceLocation: location)
      #expect(report.content?.title == "T", sourceLocation: location)
      #expect(report.content?.body == "alt", sourceLocation: location)
      #expect(report.attachments.isEmpty, sourceLocation: location)
      #expect(phone.enriched?.media.map(\.reason) == [reason], sourceLocation: location)
      #expect(phone.folder.contents == [], sourceLocation: location)
    }

    /// The picture is shown, byte for byte.
    func expectPicture(
      _ report: DeliveryReport, _ location: SourceLocation = #_sourceLocation
    ) throws {
      #expect(phone.handlerCalls == 1 && report.run.handlerCalls == 1, sourceLocation: location)
      #expect(report.content?.body == "B", sourceLocation: location)
      let shown = try #require(report.attachments.first, sourceLocation: location)
      let bytes = Array(try Data(contentsOf: shown.file))
      #expect(bytes == BadServerTests.picture, sourceLocation: location)
      #expect(phone.leftovers == [], sourceLocation: location)
    }
  }

  static let picture = (try? Fixtures.bytes("media/picture.png")) ?? []

  /// A server's misbehavior, and the expected result.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var answer: Answer
    var reason: MediaFailure.Reason
    var tries = 1
  }

  static let cases: [Case] = [
    Case(
      testDescription: "nothing, and the end", answer: Answer(""), reason: .network, tries: 3),
    Case(
      testDescription: "half a status line", answer: Answer("HTTP/1.1 2", .reset),
      reason: .network, tries: 3),
    Case(
      testDescription: "half a head", answer: Answer("HTTP/1.1 200 OK\nContent-Le", .reset),
      reason: .network, tries: 3),
    Case(
      testDescription: "no body",
      answer: Answer("HTTP/1.1 200 OK\nContent-Length: 0\n\n"), reason: .unsupportedType),
    Case(
      testDescription: "a body without end, in chunks",
      answer: Answer(
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n",
        body: chunk(Array(picture.prefix(64))),
        .endless(chunk([UInt8](repeating: 0, count: 65_536)))
      ), reason: .tooLarge),
    Case(
      testDescription: "a body without end, to the end of the connection",
      answer: Answer(
        "HTTP/1.1 200 OK\nConnection: close\n\n", body: picture,
        .endless([UInt8](repeating: 0, count: 65_536))), reason: .tooLarge),
    Case(
      testDescription: "a chunk without a size",
      answer: Answer(
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nzz\n", body: picture), reason: .network,
      tries: 3),
    Case(
      testDescription: "a little gzip that would be a gigabyte",
      answer: .ok("Content-Encoding: gzip", "Content-Type: image/png", body: gzipBomb),
      reason: .unsupportedType),
    Case(
      testDescription: "a length that is too long", answer: .ok(length: 200_000, body: picture),
      reason: .network, tries: 3),
    Case(
      testDescription: "a length beyond every limit",
      answer: .ok(length: 50_000_001, body: picture), reason: .tooLarge),
    Case(
      testDescription: "a length beyond every number",
      answer: Answer(
        "HTTP/1.1 200 OK\nContent-Length: 99999999999999999999999999\n\n", body: picture, .hold),
      reason: .network, tries: 3),
    Case(
      testDescription: "two lengths that differ",
      answer: Answer(
        "HTTP/1.1 200 OK\nContent-Length: 10\nContent-Length: 118648\n\n", body: picture),
      reason: .network, tries: 3),
    Case(
      testDescription: "304, although nothing was there",
      answer: Answer("HTTP/1.1 304 Not Modified\nETag: \"1\"\n\n"), reason: .httpStatus),
    Case(
      testDescription: "206, although all was asked for",
      answer: Answer(
        "HTTP/1.1 206 Partial Content\nContent-Range: bytes 0-118647/118648\nContent-Length: 118648\n\n",
        body: picture), reason: .httpStatus),
    Case(
      testDescription: "416, although no range was asked for",
      answer: Answer("HTTP/1.1 416 Range Not Satisfiable\nContent-Length: 0\n\n"),
      reason: .httpStatus),
    Case(
      testDescription: "garbage instead of HTTP",
      answer: Answer("", body: (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 197) }),
      reason: .network, tries: 3),
    Case(
      testDescription: "a picture instead of HTTP", answer: Answer("", body: picture),
      reason: .network, tries: 3),
    Case(
      testDescription: "a flood of header fields",
      answer: Answer("HTTP/1.1 200 OK\n", .endless(Array("X-Flood: 1\r\n".utf8))),
      reason: .network, tries: 3),
    Case(
      testDescription: "one header field without end",
      answer: Answer("HTTP/1.1 200 OK\nX: ", .endless([UInt8](repeating: 0x61, count: 4096))),
      reason: .network, tries: 3),
    Case(
      testDescription: "interim answers without end",
      answer: Answer("", .endless(Array("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n".utf8))),
      reason: .network, tries: 3),
    Case(
      testDescription: "a redirect to nowhere", answer: Answer("HTTP/1.1 302 Found\n\n"),
      reason: .httpStatus),
    Case(
      testDescription: "a redirect to itself",
      answer: Answer("HTTP/1.1 302 Found\nLocation: /x\nContent-Length: 0\n\n"),
      reason: .redirects),
    Case(
      testDescription: "a redirect to http:",
      answer: Answer("HTTP/1.1 301 Moved\nLocation: http://localhost/x\nContent-Length: 0\n\n"),
      reason: .notHTTPS),
    Case(
      testDescription: "a redirect to a file",
      answer: Answer("HTTP/1.1 302 Found\nLocation: file:///etc/passwd\nContent-Length: 0\n\n"),
      reason: .invalidURL),
  ]

  @Test("the text is shown without the picture", arguments: cases)
  func misbehaves(row: Case) async throws {
    let answer = row.answer
    let world = try World { _, _ in answer }
    world.expectText(await world.deliver(), row.reason)
    #expect(world.server.requests.count == row.tries)
  }

  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }

  /// A zero, and then 258 more, four million times over (RFC 1951 section 3.2.6: length 285 and
  /// distance 0 with fixed codes, thirteen bits). Eight such are thirteen bytes, which repeat.
  static let gzipBomb: [UInt8] = {
    var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<24 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
    let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << $1 }
    }
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bytes[..<2]
    file.reserveCapacity(6_600_000)
    for _ in 0..<500_000 { file += bytes[2..<15] }
    return file
  }()
}
