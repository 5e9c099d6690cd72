import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("Devices as lines of a file", .timeLimit(.minutes(5)))
struct DeviceLineTests {
  @Test("a device that is exported and imported into another store is the same")
  func roundTrip() async throws {
    let (old, new) = (try await Fixture(), try await Fixture())
    let body = #"""
      {"device":{"push_token":"AA01","user_id":"ada","user_email":"a@example.com","tags":["vip","ü"],
      "locale":"en_GB","time_zone":"Europe/Paris","app_version":"2.1","os_version":"17.4",
      "sdk_version":"1","push_enabled":false,"development":true,
      "user_attributes":{"age":{"type":"integer","value":30},"names":{"type":"string","value":["A","B"]},
      "since":{"type":"date","value":"2020-01-01T00:00:00Z"},"vip":{"type":"boolean","value":true},
      "score":{"type":"float","value":1.5}}}}
      """#
    #expect(await old.request("PUT", "/v6/devices/one", body: body).status == 200)
    #expect(
      await old.request("PUT", "/v6/devices/two", body: #"{"device":{"user_id":"u"}}"#).status
        == 200)
    let devices = try await old.store.devices(app: old.app.id, above: nil, limit: 10)
    let texts = devices.compactMap { DeviceLine.text(of: $0) }
    #expect(devices.count == 2 && texts.count == 1, "one has no token")
    let answer = await new.request(
      "POST", "/v6/devices/import", role: .admin,
      body: texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"),
      headers: [("Content-Type", "application/x-ndjson")])
    #expect(answer.json["accepted"] == 1 && answer.json["lines"] == [])
    let read = try await new.store.devices(app: new.app.id, above: nil, limit: 10)
    #expect(read.count == 1)
    #expect(read.compactMap { DeviceLine.text(of: $0) } == texts)
    let line = try JSONValue(parsing: texts[0])
    #expect(line["user_attributes"]?["names"]?["value"] == ["A", "B"])
    #expect(line["development"] == true && line["push_enabled"] == false)
    #expect(line["auth_secret"] == nil && line["public_key"] == nil)
  }

  @Test(
    "os_name is read in any letter case", arguments: ["iOS", "ios", "IOS", "Ios"])
  func platform(name: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: "token,os_name\naa,\(name)\n",
      headers: [("Content-Type", "text/csv")])
    #expect(answer.json["accepted"] == 1 && answer.json["lines"] == [])
    let device = try await fixture.store.devices(app: fixture.app.id, above: nil, limit: 1).first
    #expect(device?.platform == "iOS")
  }
}
