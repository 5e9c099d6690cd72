import Foundation
import MediaLoading
import PushPayload
import Testing

@testable import RichNotifications

@Suite("Checks of a media file while it is received")
struct MediaIntakeTests {
  static let url = URL(string: "https://a/i")!

  static let reference = MediaReference(url: "https://a/i", path: "m")

  static func head(_ status: Int = 200, length: Int64? = nil, _ more: [String: String] = [:])
    -> MediaResponseHead
  {
    var headers = more
    headers["Content-Type"] = "image/png"
    headers["Content-Length"] = length.map(String.init)
    return MediaResponseHead(status: status, headers: headers)
  }

  /// Feeds a body in pieces, and returns the written bytes or the failure.
  static func feed(_ body: [UInt8], pieces: Int, head: MediaResponseHead = head()) -> Result<
    (type: MediaType, written: Int), MediaFailure
  > {
    var intake = MediaIntake(reference, url: url)
    var written = 0
    do throws(MediaFailure) {
      _ = try intake.receive(head)
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
      let type = try intake.checkEnd { buffer throws(MediaFailure) in written += buffer.count }.type
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
    .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
    .mp3: Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 0],
    .mpeg4: [0, 0, 0, 0x20] + Array("ftypisom".utf8),
  ]

  @Test(
    "only 2xx counts", arguments: [100, 199, 200, 204, 299, 300, 302, 304, 400, 404, 500, 503])
  func status(code: Int) {
    let result = Self.feed(Self.signatures[.png]!, pieces: 100, head: Self.head(code))
    #expect(Self.reason(result) == ((200...299).contains(code) ? nil : .httpStatus))
  }

  @Test(
    "each family's limit is exact, counted in received bytes",
    arguments: [MediaType.mp3, .png, .mpeg4])
  func limits(type: MediaType) throws {
    let limit = type.family.maximumBytes
    let body =
      Self.signatures[type]! + [UInt8](repeating: 0, count: limit - Self.signatures[type]!.count)
    #expect(try Self.feed(body, pieces: 65_536).get().written == limit)
    #expect(Self.reason(Self.feed(body + [0], pieces: 65_536)) == .tooLarge)
  }

  @Test(
    "an announced length over the largest limit is refused before the body",
    arguments: [(50_000_000, false), (50_000_001, true)])
  func announced(length: Int64, isRefused: Bool) {
    var intake = MediaIntake(Self.reference, url: Self.url)
    var reason: MediaFailure.Reason?
    do throws(MediaFailure) { _ = try intake.receive(Self.head(length: length)) } catch {
      reason = error.reason
    }
    #expect(reason == (isRefused ? .tooLarge : nil))
  }

  @Test(
    "HTML, JSON, WebP, an empty body and random bytes are refused, whatever the Content-Type",
    arguments: [
      Array("<!doctype html><html></html>".utf8), Array("{\"error\":1}".utf8),
      Array("RIFF0000WEBP".utf8), Array("The free plan has no pictures".utf8), [], [1, 2, 3, 4],
    ] as [[UInt8]])
  func refused(body: [UInt8]) {
    #expect(Self.reason(Self.feed(body, pieces: 3)) == .unsupportedType)
  }

  @Test(
    "the type is found for any division into pieces, and every byte is written once",
    arguments: [1, 2, 7, 511, 512, 513, 4096])
  func pieces(size: Int) throws {
    let body = Self.signatures[.png]! + [UInt8](repeating: 7, count: 5000)
    let (type, written) = try Self.feed(body, pieces: size).get()
    #expect(type == .png)
    #expect(written == body.count)
  }

  @Test("a body shorter than its announced length is a transient failure")
  func cut() {
    let result = Self.feed(Sample.png, pieces: 100, head: Self.head(length: 609))
    #expect(Self.reason(result) == .network)
    if case .failure(let failure) = result { #expect(failure.isTransient) }
  }

  @Test(
    "an announced length over the family's limit is refused once the family is known",
    arguments: [(10_000_000, false), (10_000_001, true)])
  func announcedOfFamily(length: Int64, isRefused: Bool) {
    let result = Self.feed(Sample.png, pieces: 512, head: Self.head(length: length))
    #expect(Self.reason(result) == (isRefused ? .tooLarge : .network))
  }

  @Test(
    "a redirect is reported; one without Location is a failure",
    arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) throws {
    var intake = MediaIntake(Self.reference, url: Self.url)
    #expect(try intake.receive(Self.head(status, ["Location": "/x"])) == .redirect("/x"))
    #expect(Self.reason(Self.feed([1], pieces: 1, head: Self.head(status))) == .httpStatus)
  }

  @Test(
    "some statuses are transient failures",
    arguments: [(500, true), (503, true), (429, true), (408, true), (404, false), (501, false)])
  func transient(status: Int, isTransient: Bool) {
    guard case .failure(let failure) = Self.feed([], pieces: 1, head: Self.head(status)) else {
      return
    }
    #expect(failure.isTransient == isTransient)
  }
}

@Suite("Resuming a file")
struct ResumptionTests {
  /// An intake that has received 600 bytes of a response with these headers.
  static func begun(_ headers: [String: String]) throws -> MediaIntake {
    var intake = MediaIntake(MediaIntakeTests.reference, url: MediaIntakeTests.url)
    _ = try intake.receive(MediaResponseHead(status: 200, headers: headers))
    Array(Sample.png.prefix(600)).withUnsafeBytes { bytes in
      do throws(MediaFailure) {
        try intake.receive(bytes) { _ throws(MediaFailure) in }
      } catch {
        Issue.record(error)
      }
    }
    return intake
  }

  @Test(
    "only a strong entity tag of an uncompressed body allows resuming",
    arguments: [
      (["ETag": "\"a\""], true), (["ETag": "W/\"a\""], false), ([:], false), (["ETag": "a"], false),
      (["ETag": "\"a\"", "Content-Encoding": "gzip"], false),
      (["ETag": "\"a\"", "Accept-Ranges": "none"], false),
      (["Last-Modified": "Sat, 21 Nov 2026 05:00:00 GMT"], false),
    ])
  func resumable(headers: [String: String], isResumable: Bool) throws {
    #expect(try Self.begun(headers).isResumable == isResumable)
  }

  @Test("206 continues the file; 200 starts it again")
  func goesOn() throws {
    var rest = try Self.begun(["ETag": "\"a\""])
    let part = ["ETag": "\"a\"", "Content-Range": "bytes 600-607/608", "Content-Length": "8"]
    #expect(try rest.receive(MediaResponseHead(status: 206, headers: part)) == .body)
    #expect(rest.bytes == 600)
    var again = try Self.begun(["ETag": "\"a\""])
    #expect(try again.receive(MediaIntakeTests.head()) == .bodyFromStart)
    #expect(again.bytes == 0)
  }

  @Test(
    "a 206 that was not requested, or of another range, is refused",
    arguments: ["bytes 0-7/608", "bytes 601-607/608", "bytes */608", "600-607", ""])
  func wrongPart(range: String) throws {
    var intake = try Self.begun(["ETag": "\"a\""])
    let head = MediaResponseHead(status: 206, headers: ["Content-Range": range])
    let failure = #expect(throws: MediaFailure.self) { try intake.receive(head) }
    #expect(failure?.reason == .httpStatus)
    var fresh = MediaIntake(MediaIntakeTests.reference, url: MediaIntakeTests.url)
    let unasked = #expect(throws: MediaFailure.self) { try fresh.receive(head) }
    #expect(unasked?.status == 206)
  }
}
