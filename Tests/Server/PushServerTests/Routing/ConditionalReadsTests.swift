import PushPayload
import PushServer
import Testing

@testable import PushServer

@Suite("Entity tags and compression", .timeLimit(.minutes(10)))
struct ConditionalReadsTests {
  private func get(
    _ fixture: Fixture, _ path: String, _ headers: [(String, String)] = []
  ) async -> Fixture.Answer {
    await fixture.request("GET", path, headers: headers)
  }

  @Test(
    "an unchanged answer is 304 without a body, in every form of If-None-Match",
    arguments: ["/v6/notifications", "/v6/openapi.json"])
  func unchanged(path: String) async throws {
    let fixture = try await Fixture()
    let first = await get(fixture, path)
    let tag = try #require(first.headers["ETag"])
    #expect(tag.hasPrefix("W/\"") && first.headers["Cache-Control"]?.hasSuffix("no-cache") == true)
    let opaque = String(tag.dropFirst(2))
    for field in [tag, opaque, "*", "\"x\", \(tag)", "\"x\",\(opaque)"] {
      let again = await get(fixture, path, [("If-None-Match", field)])
      #expect(again.status == 304 && again.bytes.isEmpty && again.headers["ETag"] == tag)
      #expect(again.headers["Content-Type"] == nil)
    }
    for field in ["\"x\"", "x", String(tag.dropLast(2)) + "\""] {
      #expect(await get(fixture, path, [("If-None-Match", field)]).status == 200)
    }
  }

  @Test("a changed answer has another tag")
  func changed() async throws {
    let fixture = try await Fixture()
    let first = await get(fixture, "/v6/notifications")
    let tag = try #require(first.headers["ETag"])
    _ = await fixture.send(["alert": "Hi"])
    let second = await get(fixture, "/v6/notifications", [("If-None-Match", tag)])
    #expect(second.status == 200 && second.headers["ETag"] != tag)
  }

  @Test("an answer to a change, and an error, have no tag and are not stored")
  func changes() async throws {
    let fixture = try await Fixture()
    let answers = [
      await fixture.send(["alert": "Hi"]), await get(fixture, "/v6/notifications/none"),
      await fixture.request("PUT", "/v6/devices/d", body: #"{"device":{"user_id":"u"}}"#),
    ]
    for answer in answers {
      #expect(answer.headers["ETag"] == nil && answer.headers["Cache-Control"] == "no-store")
    }
  }

  @Test("a long answer is compressed for callers who accept gzip, with the same tag")
  func compressed() async throws {
    let fixture = try await Fixture()
    for _ in 0..<20 { _ = await fixture.send(["alert": "Hi"]) }
    for path in ["/v6/notifications", "/v6/openapi.json"] {
      let plain = await get(fixture, path)
      let small = await get(fixture, path, [("Accept-Encoding", "br, gzip")])
      #expect(
        plain.headers["Content-Encoding"] == nil && plain.headers["Vary"] == "Accept-Encoding")
      #expect(
        small.headers["Content-Encoding"] == "gzip" && small.bytes.starts(with: [0x1F, 0x8B]))
      #expect(small.bytes.count < plain.bytes.count / 2)
      #expect(small.headers["ETag"] == plain.headers["ETag"])
    }
    let short = await get(fixture, "/v6/audiences", [("Accept-Encoding", "gzip")])
    #expect(short.headers["Content-Encoding"] == nil && short.json["audiences"] == [])
  }
}
