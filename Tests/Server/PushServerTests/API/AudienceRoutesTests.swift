import PushModel
import PushPayload
import PushServer
import Testing

@Suite("Audiences over the API", .timeLimit(.minutes(10)))
struct AudienceRoutesTests {
  private static let gold = #"[{"name":"tags","criteria":["gold"]}]"#

  private func create(
    _ fixture: Fixture, _ name: String, to: String = gold, more: String = ""
  ) async throws -> String {
    let answer = await fixture.request(
      "POST", "/v6/audiences", body: #"{"audience":{"name":"\#(name)","to":\#(to)\#(more)}}"#)
    try #require(answer.status == 201)
    return try #require(answer.json["audience"]?["id"]?.string)
  }

  @Test(
    "a target that has an audience's name in place of its id is told the id",
    arguments: ["\"gold\"", "{\"audience\":\"GOLD\"}", "{\"any\":[\"Gold\"]}"])
  func name(target: String) async throws {
    let fixture = try await Fixture()
    let id = try await create(fixture, "Gold")
    let answer = await fixture.request(
      "POST", "/v6/notifications",
      body: #"{"notification":{"to":\#(target),"payload":{"alert":"Hi"}}}"#)
    #expect(answer.status == 404)
    #expect(
      answer.error.hasSuffix(
        " names no audience of this app; the audience of this name has the id \(id)"))
  }

  @Test(
    "a path that takes another method only is told so, also where it could be an id",
    arguments: [
      (
        "GET", "/v6/audiences/count", 404, "there is no audience with this id; this path takes POST"
      ),
      ("PUT", "/v6/notifications/preview", 405, "this path takes POST"),
      ("GET", "/v6/audiences/none", 404, "there is no audience with this id"),
    ])
  func method(method: String, path: String, status: Int, error: String) async throws {
    let answer = await (try Fixture()).request(method, path, body: method == "GET" ? "" : "{}")
    #expect(answer.status == status)
    #expect(answer.error == error)
  }

  @Test("an audience is made, read, sent to, changed and removed")
  func life() async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.tags = .set(["gold"]) }
    try await fixture.register("e")
    let id = try await create(fixture, "Gold", more: #","test":true"#)
    let expected: JSONValue = [
      "id": .string(id), "name": "Gold", "test": true, "device_count": 1,
      "created_at": "2023-11-14T22:13:20.000Z", "updated_at": "2023-11-14T22:13:20.000Z",
    ]
    for version in ["v4", "v5", "v6"] {
      let read = await fixture.request("GET", "/\(version)/audiences/\(id)")
      #expect(read.json == ["audience": expected])
    }
    #expect(await fixture.send(["alert": "Hi"], to: ["audience": .string(id)]).status == 201)

    fixture.clock.advance(by: .seconds(1))
    let changed = await fixture.request(
      "PUT", "/v6/audiences/\(id)", body: #"{"audience":{"name":"All","to":"*"}}"#)
    #expect(changed.json["audience"]?["device_count"] == 2)
    #expect(changed.json["audience"]?["name"] == "All")
    #expect(changed.json["audience"]?["test"] == true)
    #expect(changed.json["audience"]?["updated_at"] == "2023-11-14T22:13:21.000Z")
    let removed = await fixture.request("DELETE", "/v6/audiences/\(id)")
    #expect(removed.status == 200)
    for method in ["GET", "DELETE"] {
      #expect(await fixture.request(method, "/v6/audiences/\(id)").status == 404)
    }
  }

  @Test("the list is paged by number and size")
  func pages() async throws {
    let fixture = try await Fixture()
    for number in 0..<5 { _ = try await create(fixture, "a\(number)") }
    // An audience made from filters has no name.
    _ = await fixture.send(["alert": "Hi"], to: [["name": "tags", "criteria": ["gold"]]])
    var sizes: [Int] = []
    var names: Set<String> = []
    for page in 1...4 {
      let answer = await fixture.request("GET", "/v6/audiences?per=2&page=\(page)")
      let found = answer.json["audiences"]?.array ?? []
      sizes.append(found.count)
      names.formUnion(found.compactMap { $0["name"]?.string })
    }
    #expect(sizes == [2, 2, 1, 0] && names.count == 5)
    #expect(
      await fixture.request("GET", "/v6/audiences").json["audiences"]?.array?.count == 5)
    for query in ["per=0", "per=501", "page=0", "page=x"] {
      #expect(await fixture.request("GET", "/v6/audiences?\(query)").status == 422)
    }
  }

  @Test("all devices of an audience are exported, page by page, as lines and as a table")
  func export() async throws {
    let fixture = try await Fixture()
    var devices = (0..<2500).map { number in
      ImportedDevice(
        id: "d\(number)", token: Fixture.token("d\(number)"), patch: DevicePatch())
    }
    devices[1].patch.userID = .set("=a,\"b\"")
    devices[1].patch.tags = .set(["x", "y"])
    devices[1].patch.attributes["plan"] = Attribute(kind: .string, value: "gold")
    devices[2].patch.attributes["ages"] = Attribute(kind: .integer, value: [1, 2])
    try await fixture.store.importDevices(devices, app: fixture.app.id, at: fixture.clock.now)
    let id = try await create(fixture, "All", to: #""*""#)

    let lines = await fixture.request("GET", "/v6/audiences/\(id)/devices.ndjson")
    #expect(lines.status == 200)
    #expect(lines.headers["Content-Type"] == "application/x-ndjson")
    #expect(lines.headers["Martlet-Device-Count"] == "2500")
    let parsed = try await lines.streamed().split(separator: "\n").map {
      try JSONValue(parsing: String($0))
    }
    #expect(parsed.map { $0["id"]?.string } == (0..<2500).map { "d\($0)" })
    let listed = await fixture.request("GET", "/v6/audiences/\(id)/devices").json["devices"]
    #expect(Array(parsed.prefix(500)) == listed?.array)

    let table = await fixture.request("GET", "/v6/audiences/\(id)/devices.csv")
    let rows = await table.streamed().split(separator: "\r\n").map(String.init)
    #expect(table.headers["Content-Type"] == "text/csv; charset=utf-8")
    #expect(rows.count == 2501)
    #expect(rows[0].hasPrefix(#""id","token","os_name","user_id","#))
    #expect(rows[0].hasSuffix(#","custom.integer.ages","custom.string.plan""#))
    #expect(rows[2].contains(#","'=a,""b""","","x|y","#) && rows[2].hasSuffix(#","","gold""#))
    #expect(rows[3].hasSuffix(#","[1,2]","""#))

    let nobody = try await create(fixture, "None")
    #expect(
      await fixture.request("GET", "/v6/audiences/\(nobody)/devices.ndjson").streamed().isEmpty)
    for file in ["devices.csv", "devices.ndjson"] {
      #expect(await fixture.request("GET", "/v6/audiences/none/\(file)").status == 404)
      let refused = await fixture.request("GET", "/v6/audiences/\(id)/\(file)", role: .device)
      #expect(refused.status == 403)
    }
  }

  @Test(
    "tags that an import would read as others are exported as JSON",
    arguments: [
      (["a", "b"], "a|b"), (["a|b", "c"], #"["a|b","c"]"#), ([" a"], #"[" a"]"#),
      (["[x]"], #"["[x]"]"#),
    ] as [([String], String)])
  func tags(_ tags: [String], cell: String) async throws {
    let fixture = try await Fixture()
    try await fixture.register("d") { $0.tags = .set(tags) }
    let id = try await create(fixture, "All", to: #""*""#)
    let table = await fixture.request("GET", "/v6/audiences/\(id)/devices.csv").streamed()
    let quoted = cell.replacing("\"", with: "\"\"")
    #expect(table.contains(#"","\#(quoted)","#), "\(table)")
  }

  @Test("the devices are walked by cursor, which expires")
  func devices() async throws {
    let fixture = try await Fixture()
    let devices = (0..<501).map { number in
      ImportedDevice(
        id: "d\(number)", token: Fixture.token("d\(number)"), patch: DevicePatch())
    }
    try await fixture.store.importDevices(devices, app: fixture.app.id, at: fixture.clock.now)
    let id = try await create(fixture, "All", to: #""*""#)
    let path = "/v6/audiences/\(id)/devices"
    var seen: Set<String> = []
    var cursor = ""
    var sizes: [Int] = []
    repeat {
      let page = await fixture.request("GET", path + (cursor.isEmpty ? "" : "?cursor=\(cursor)"))
      #expect(page.json["meta"]?["total"] == 501)
      let devices = page.json["devices"]?.array ?? []
      sizes.append(devices.count)
      seen.formUnion(devices.compactMap { $0["id"]?.string })
      cursor = try #require(page.json["meta"]?["cursor"]?.string)
    } while sizes.last != 0
    #expect(sizes == [500, 1, 0] && seen.count == 501)
    let other = try await create(fixture, "Other")
    for path in ["/v6/audiences/\(other)/devices?cursor=\(cursor)", path + "?cursor=x"] {
      #expect(await fixture.request("GET", path).status == 404)
    }
    fixture.clock.advance(by: .seconds(86_400))
    #expect(await fixture.request("GET", path + "?cursor=\(cursor)").status == 404)
  }

  @Test(
    "a target is counted without being stored",
    arguments: [
      ("\"*\"", 3), (gold, 1), (#"{"user_ids":["u","v","w"]}"#, 2),
      (#"[{"name":"tags","criteria":["gold"],"not_filter":true}]"#, 2),
    ])
  func count(to: String, expected: Int) async throws {
    let fixture = try await Fixture()
    try await fixture.register("a") { $0.tags = .set(["gold"]) }
    try await fixture.register("b") { $0.userID = .set("u") }
    try await fixture.register("c") { $0.userID = .set("v") }
    let answer = await fixture.request(
      "POST", "/v6/audiences/count", body: #"{"audience":{"to":\#(to)}}"#)
    let count = JSONValue.integer(Int64(expected))
    #expect(answer.status == 200)
    #expect(
      answer.json == [
        "device_count": count, "push_enabled": count, "targeted": count, "quiet": 0,
      ])
    #expect(await fixture.request("GET", "/v6/audiences").json == ["audiences": []])
  }

  @Test(
    "devices that a push cannot reach are counted and listed",
    arguments: [
      (#"[{"name":"push_enabled","criteria":[false]}]"#, ["off"]),
      (#"[{"name":"platform","criteria":["Android"]}]"#, ["android"]),
      ("\"*\"", ["off", "android", "bare", "d"]),
    ])
  func unreachable(to: String, expected: [String]) async throws {
    let fixture = try await Fixture()
    for id in ["off", "android", "bare", "d"] {
      try await fixture.register(id) {
        if id == "off" { $0.isPushEnabled = .set(false) }
        if id == "android" { $0.platform = .set("Android") }
        if id == "bare" { $0.token = .set(nil) }
      }
    }
    let size = JSONValue.integer(Int64(expected.count))
    let count = await fixture.request(
      "POST", "/v6/audiences/count", body: #"{"audience":{"to":\#(to)}}"#)
    #expect(count.json["device_count"] == size && count.json["targeted"] == size)
    #expect(count.json["push_enabled"] == (expected.contains("d") ? 1 : 0))
    let id = try await create(fixture, "A", to: to)
    let read = await fixture.request("GET", "/v6/audiences/\(id)")
    #expect(read.json["audience"]?["device_count"] == size)
    let page = await fixture.request("GET", "/v6/audiences/\(id)/devices").json
    #expect(page["meta"]?["total"] == size)
    #expect(page["devices"]?.array?.compactMap { $0["id"]?.string } == expected)
  }

  @Test(
    "an invalid audience is refused",
    arguments: [
      (#"{}"#, 422), (#"{"audience":5}"#, 400), (#"{"audience":{"to":"*"}}"#, 422),
      (#"{"audience":{"name":"","to":"*"}}"#, 422), (#"{"audience":{"name":5,"to":"*"}}"#, 400),
      (#"{"audience":{"name":"a"}}"#, 422), (#"{"audience":{"name":"a","to":"none"}}"#, 404),
      (#"{"audience":{"name":"a","to":{"user_ids":[]}}}"#, 422),
      (#"{"audience":{"name":"a","to":"*","test":1}}"#, 400),
    ])
  func refused(body: String, status: Int) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request("POST", "/v6/audiences", body: body)
    #expect(answer.status == status && !answer.error.isEmpty)
  }

  @Test("the audience of everyone cannot be changed")
  func everyone() async throws {
    let fixture = try await Fixture()
    let id = await fixture.send(["alert": "Hi"]).json["to"]?["id"]?.string ?? ""
    for (method, body) in [("DELETE", ""), ("PUT", #"{"audience":{"name":"x"}}"#)] {
      #expect(await fixture.request(method, "/v6/audiences/\(id)", body: body).status == 409)
    }
  }
}
