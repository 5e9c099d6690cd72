import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
import _Curl
import _TLS

/// Interrupted downloads, slow servers and untrusted ones.
extension BadServerTests {
  private static func range(_ head: String) -> String? {
    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("range:") }.map {
      $0.dropFirst("range:".count).trimmingCharacters(in: .whitespaces)
    }
  }

  private static func rest(from start: Int, tag: String = "\"1\"") -> Answer {
    Answer(
      """
      HTTP/1.1 206 Partial Content
      ETag: \(tag)
      Content-Range: bytes \(start)-\(picture.count - 1)/\(picture.count)
      Content-Length: \(picture.count - start)


      """, body: picture[start...])
  }

  @Test("a reset of a response with an entity tag: the rest is requested")
  func resumed() async throws {
    let world = try World { head, number in
      number == 0
        ? .ok("ETag: \"1\"", body: Self.picture, sent: 60_000, .reset) : Self.rest(from: 60_000)
    }
    try world.expectPicture(await world.deliver())
    #expect(world.server.requests.map(Self.range) == [nil, "bytes=60000-"])
    #expect(world.server.requests.last?.contains("If-Range: \"1\"\r\n") == true)
  }

  @Test("a reset without a strong entity tag: the whole file is requested")
  func fromTheStart() async throws {
    for tag in ["X-No-Tag: 1", "ETag: W/\"1\""] {
      let world = try World { _, number in
        .ok(
          tag, body: Self.picture, sent: number == 0 ? 60_000 : nil, number == 0 ? .reset : .close)
      }
      try world.expectPicture(await world.deliver())
      #expect(world.server.requests.map(Self.range) == [nil, nil])
    }
  }

  @Test("a refused or wrong range never makes a mixed file")
  func unresumable() async throws {
    let answers: [(Answer, tries: Int)] = [
      (.ok("ETag: \"2\"", body: Self.picture), 2),
      (Answer("HTTP/1.1 416 Range Not Satisfiable\nContent-Length: 0\n\n"), 3),
      (Self.rest(from: 59_999), 3), (Self.rest(from: 0), 3),
    ]
    for (second, tries) in answers {
      let world = try World { _, number in
        switch number {
        case 0: .ok("ETag: \"1\"", body: Self.picture, sent: 60_000, .reset)
        case 1: second
        default: .ok("ETag: \"1\"", body: Self.picture)
        }
      }
      try world.expectPicture(await world.deliver())
      #expect(world.server.requests.count == tries)
    }
  }

  @Test("a Content-Length that is too short truncates the file, which the system refuses")
  func tooShort() async throws {
    let world = try World { _, _ in .ok(length: 100_000, body: Self.picture, sent: 118_648) }
    let report = await world.deliver()
    #expect(report.attachments.isEmpty && report.names(.attachmentContent), "\(report)")
    #expect(world.phone.handlerCalls == 1 && world.phone.leftovers == [])
  }

  @Test("interim responses are skipped")
  func interim() async throws {
    let world = try World { _, _ in
      let good = Answer.ok("Content-Type: image/png", body: Self.picture)
      return Answer(
        "HTTP/1.1 103 Early Hints\nContent-Type: text/html\nContent-Length: 1\n\n",
        body: Array("HTTP/1.1 102 Processing\r\n\r\n".utf8) + good.bytes)
    }
    try world.expectPicture(await world.deliver())
  }

  @Test("a redirect to another origin is followed without the app's header fields")
  func otherOrigin() async throws {
    let elsewhere = Slot()
    let world = try World(headers: ["Authorization": "Bearer secret"]) { _, _ in
      Answer(
        "HTTP/1.1 302 Found\nLocation: https://localhost:\(elsewhere.port)/y\nContent-Length: 0\n\n"
      )
    }
    let second = try RawTLSServer(try world.authority.issue(hosts: ["localhost"])) { _, _ in
      .ok(body: Self.picture)
    }
    elsewhere.set(second.port)
    try world.expectPicture(await world.deliver())
    second.stop()
    #expect(world.server.requests.allSatisfy { $0.contains("Authorization: Bearer secret\r\n") })
    #expect(second.requests.count == 1)
    #expect(second.requests.allSatisfy { !$0.lowercased().contains("authorization") })
    #expect(second.requests.allSatisfy { !$0.contains("secret") })
  }

  @Test("a slow or stalled response is ended at the deadline", arguments: [0, 1, 2, 3])
  func slow(row: Int) async throws {
    let head = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n"
    let answers = [
      Answer(head, body: Self.chunk(Array(Self.picture.prefix(64))), .drip(Self.chunk([0]))),
      Answer("HTTP/1.1 200 OK\n", .drip(Array("X: 1\r\n".utf8))), Answer("", .hold),
      Answer(head, body: Self.chunk(Array(Self.picture.prefix(5000))), .hold),
    ]
    let world = try World(deadline: .milliseconds(300)) { _, _ in answers[row] }
    let report = await world.deliver()
    world.expectText(report, .timeout)
    #expect(report.run.elapsed >= .milliseconds(300) && !report.run.expired)
    // On a busy machine the deadline may come before the request.
    #expect(world.server.requests.count <= 1)
  }

  @Test(
    "a certificate of another authority, or for another name, is not trusted, and not tried again")
  func untrusted() async throws {
    let folder = TemporaryFolder()
    let other = try folder.write(try CertificateAuthority().certificatePEM, to: "ca.pem")
    let stranger = try World { _, _ in .ok(body: Self.picture) }
    stranger.expectText(await stranger.deliver(caFile: other), .untrusted)
    #expect(stranger.server.requests.isEmpty, "nothing was asked of it")
    let impostor = try World(host: "elsewhere.example") { _, _ in .ok(body: Self.picture) }
    impostor.expectText(await impostor.deliver(), .untrusted)
    #expect(impostor.server.requests.isEmpty)
  }
}

/// The port of a server that is started later.
private final class Slot: Sendable {
  private let kept = Atomic<UInt16>(0)
  var port: UInt16 { kept.load(ordering: .acquiring) }
  func set(_ port: UInt16) { kept.store(port, ordering: .releasing) }
}
