import Foundation
import MediaLoading
import PushPayload
import Testing

@testable import RichNotifications

@Suite("What arrives is what it claims")
struct MediaIntakeTests {
  static let url = URL(string: "https://a/i")!

  static func head(_ status: Int = 200, length: Int64? = nil, url: URL = url) -> MediaResponseHead {
    MediaResponseHead(status: status, url: url, mimeType: "image/png", contentLength: length)
  }

  /// Feeds a body in pieces; returns what was written, or why it was refused.
  static func feed(_ body: [UInt8], pieces: Int, head: MediaResponseHead = head()) -> Result<
    (type: MediaType, written: Int), MediaFailure
  > {
    var intake = MediaIntake(allowsPlainHTTP: false)
    var written = 0
    do throws(MediaFailure) {
      try intake.receive(head)
      var rest = body[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(pieces))
        rest = rest.dropFirst(pieces)
        var outcome: Result<Void, MediaFailure> = .success(())
        piece.withUnsafeBytes { bytes in
          do throws(MediaFailure) {
            try intake.receive(bytes) { buffer throws(MediaFailure) in written += buffer.count }
          } catch {
            outcome = .failure(error)
          }
        }
        try outcome.get()
      }
      let type = try intake.end { buffer throws(MediaFailure) in written += buffer.count }
      return .success((type, written))
    } catch {
      return .failure(error)
    }
  }

  static func reason(_ result: Result<(type: MediaType, written: Int), MediaFailure>)
    -> MediaFailure.Reason?
  {
    if case .failure(let failure) = result { failure.reason } else { nil }
  }

  static let signatures: [MediaType: [UInt8]] = [
    .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .mp3: Array("ID3".utf8),
    .mpeg4: [0, 0, 0, 0x20] + Array("ftypisom".utf8),
  ]

  @Test(
    "S6: only 2xx counts", arguments: [100, 199, 200, 204, 299, 300, 302, 304, 400, 404, 500, 503])
  func status(code: Int) {
    let result = Self.feed(Self.signatures[.png]!, pieces: 100, head: Self.head(code))
    #expect(Self.reason(result) == ((200...299).contains(code) ? nil : .httpStatus))
  }

  @Test(
    "S5: each family's limit holds to the byte, counted on what arrives",
    arguments: [MediaType.mp3, .png, .mpeg4])
  func limits(type: MediaType) throws {
    let limit = type.family.maximumBytes
    let body =
      Self.signatures[type]! + [UInt8](repeating: 0, count: limit - Self.signatures[type]!.count)
    #expect(try Self.feed(body, pieces: 65_536).get().written == limit)
    #expect(Self.reason(Self.feed(body + [0], pieces: 65_536)) == .tooLarge)
  }

  @Test(
    "an announced length over the largest limit is refused before a byte",
    arguments: [(50_000_000, false), (50_000_001, true)])
  func announced(length: Int64, isRefused: Bool) {
    var intake = MediaIntake(allowsPlainHTTP: false)
    var reason: MediaFailure.Reason?
    do throws(MediaFailure) { try intake.receive(Self.head(length: length)) } catch {
      reason = error.reason
    }
    #expect(reason == (isRefused ? .tooLarge : nil))
  }

  @Test(
    "HTML, JSON, WebP, an empty body and noise are refused, whatever the server calls them",
    arguments: [
      Array("<!doctype html><html></html>".utf8), Array("{\"error\":1}".utf8),
      Array("RIFF0000WEBP".utf8), Array("The free plan has no pictures".utf8), [], [1, 2, 3, 4],
    ] as [[UInt8]])
  func refused(body: [UInt8]) {
    #expect(Self.reason(Self.feed(body, pieces: 3)) == .unsupportedType)
  }

  @Test(
    "the type is told however the bytes are cut, and every byte is written once",
    arguments: [1, 2, 7, 511, 512, 513, 4096])
  func pieces(size: Int) throws {
    let body = Self.signatures[.png]! + [UInt8](repeating: 7, count: 5000)
    let (type, written) = try Self.feed(body, pieces: size).get()
    #expect(type == .png)
    #expect(written == body.count)
  }

  @Test("a redirect that ends at http: is refused")
  func redirect() {
    let head = Self.head(url: URL(string: "http://a/i")!)
    #expect(Self.reason(Self.feed(Self.signatures[.png]!, pieces: 9, head: head)) == .notHTTPS)
  }
}

@Suite("Where media come from")
struct MediaSourceTests {
  @Test(
    "S8: a URL is fetched, a name is looked up in the bundle",
    arguments: [
      ("https://a/i.png", MediaSource.remote(URL(string: "https://a/i.png")!)),
      ("file://movie.mp4", .bundled("movie.mp4")),
      ("movie.mp4", .bundled("movie.mp4")), ("file:movie.mp4", .bundled("movie.mp4")),
      ("my%20film.mov", .bundled("my film.mov")),
      ("HTTPS://A/i", .remote(URL(string: "HTTPS://A/i")!)),
    ])
  func sources(text: String, source: MediaSource) throws {
    #expect(try MediaSource(text, allowsPlainHTTP: false) == source)
  }

  @Test(
    "what is neither is refused",
    arguments: [
      ("http://a/i.png", MediaFailure.Reason.notHTTPS), ("ftp://a/i.png", .invalidURL),
      ("data:image/png;base64,AA", .invalidURL),
      ("file:///etc/passwd", .invalidURL), ("../secret.png", .invalidURL), ("..", .invalidURL),
      ("a/b.png", .invalidURL),
      ("%2e%2e%2fsecret", .invalidURL), ("https://", .invalidURL), ("file://", .invalidURL),
      ("javascript:alert(1)", .invalidURL),
    ])
  func refused(text: String, reason: MediaFailure.Reason) {
    let failure = #expect(throws: MediaFailure.self) {
      try MediaSource(text, allowsPlainHTTP: false)
    }
    #expect(failure?.reason == reason)
  }

  @Test("plain HTTP is fetched where the app allows it")
  func plain() throws {
    #expect(
      try MediaSource("http://a/i", allowsPlainHTTP: true) == .remote(URL(string: "http://a/i")!))
  }
}
