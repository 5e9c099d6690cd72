import Testing

@testable import PushServer

@Suite("Texts of requests that are not stored as they are", .timeLimit(.minutes(5)))
struct RequestTextTests {
  @Test(
    "U+0000 is refused with its path",
    arguments: [
      (#"{"device":{"user_id":"a\u0000b"}}"#, "$.device.user_id has the character U+0000"),
      (#"{"device":{"tags":["x","\u0000"]}}"#, "$.device.tags[1] has the character U+0000"),
      (#"{"device":{"a\u0000":1}}"#, "$.device has a key that has the character U+0000"),
    ])
  func zero(body: String, error: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request("PUT", "/v6/devices/d", body: body)
    #expect(answer.status == 422 && answer.error.hasPrefix(error))
    #expect(await fixture.request("GET", "/v6/devices/d%00").status == 422)
    #expect(await fixture.request("GET", "/v6/notifications?cursor=\0").status == 422)
    // A backslash before the escape makes it a text of six characters.
    let text = #"{"device":{"user_id":"a\\u0000b"}}"#
    #expect(await fixture.request("PUT", "/v6/devices/d", body: text).status == 200)
  }

  @Test("a segment of a path whose escapes are not UTF-8 is not left out")
  func path() async throws {
    let fixture = try await Fixture()
    #expect(await fixture.request("GET", "/v6/notifications/%FF").status == 400)
    #expect(await fixture.request("GET", "/v6/notifications").status == 200)
  }

  @Test(
    "a form whose text is not UTF-8 or has U+0000 is refused with the field",
    arguments: [
      ("a=M%FCller", 400, "the field a is not UTF-8"),
      ("a=b%00", 422, "the field a has the character U+0000"),
    ])
  func form(text: String, status: Int, words: String) {
    let error = #expect(throws: RequestError.self) { try Form(urlEncoded: text) }
    #expect(error?.status == status && error?.message.hasPrefix(words) == true)
  }

  @Test("a list of users that is not UTF-8 is refused with its line")
  func list() {
    let bytes = Array("user_id\nM".utf8) + [0xFC] + Array("ller\n".utf8)
    let error = #expect(throws: RequestError.self) { try AudienceForm.ids(csv: bytes) }
    #expect(error?.message.hasPrefix("line 2 is not UTF-8; it looks like Windows-1252") == true)
  }
}
