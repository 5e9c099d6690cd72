import APNs
import PushModel
import PushPayload
@testable import PushServer
import Testing

@Suite("Devices over the API", .timeLimit(.minutes(10)))
struct DeviceRoutesTests {
  @Test(
    "a device is created, updated and read in the documented shapes", arguments: ["v4", "v5", "v6"])
  func roundTrip(version: String) async throws {
    let fixture = try await Fixture()
    let first = await fixture.request(
      "PUT", "/\(version)/devices/d-1_A",
      body: """
        {"device":{"user_id":"u","user_email":"u@example.com","tags":["a","b","a"],
        "push_token":"AABB","user_attributes":{"age":{"type":"integer","value":30.9},
        "teams":{"type":"string","value":["x","y"]}}}}
        """)
    #expect(first.status == 200)
    let device = try #require(first.json["device"])
    #expect(device["id"] == "d-1_A")
    #expect(device["user_id"] == "u")
    #expect(device["user_email"] == "u@example.com")
    #expect(device["push_token"] == "aabb")
    #expect(device["tags"] == ["a", "b"])
    #expect(device["platform"] == "iOS")
    #expect(device["user_events"] == [:])
    #expect(device["location"]?.object != nil)
    #expect(
      device["user_attributes"] == [
        "age": ["type": "integer", "value": 30],
        "teams": ["type": "string", "value": ["x", "y"]],
      ])

    let second = await fixture.request(
      "PUT", "/\(version)/devices/d-1_A",
      body: """
        {"device":{"user_id":null,"tags":["c"],
        "user_attributes":{"vip":{"type":"boolean","value":true},"age":null}}}
        """)
    #expect(second.status == 200)
    let read = await fixture.request("GET", "/\(version)/devices/d-1_A")
    #expect(read.status == 200)
    let stored = try #require(read.json["devices"])
    #expect(stored["user_id"]?.isNull == true)
    #expect(stored["email"] == "u@example.com")
    #expect(stored["user_email"] == nil)
    #expect(stored["push_enabled"] == true)
    #expect(stored["tags"] == ["c"])
    #expect(stored["installed_at"] == "2023-11-14T22:13:20.000Z")
    #expect(
      stored["user_attributes"] == [
        "teams": ["type": "string", "value": ["x", "y"]],
        "vip": ["type": "boolean", "value": true],
      ])
  }

  struct Value: Sendable, CustomTestStringConvertible {
    var type: String
    var value: JSONValue
    /// The stored value; `nil` where the member is dropped.
    var stored: JSONValue?
    var testDescription: String { "\(type) \(value.text.prefix(40))" }
  }

  static let values: [Value] = [
    Value(type: "integer", value: 5, stored: 5),
    Value(type: "integer", value: -5.9, stored: -5),
    Value(type: "integer", value: 2_147_483_647, stored: 2_147_483_647),
    Value(type: "integer", value: -2_147_483_647, stored: -2_147_483_647),
    Value(type: "integer", value: 2_147_483_648),
    Value(type: "integer", value: -2_147_483_648),
    Value(type: "integer", value: "5"),
    Value(type: "integer", value: true),
    Value(type: "integer", value: [1, 2], stored: [1, 2]),
    Value(type: "integer", value: [1, "2"]),
    Value(type: "float", value: 1.5, stored: 1.5),
    Value(type: "float", value: 3, stored: 3),
    Value(type: "float", value: 3.5e38),
    Value(type: "float", value: "1.5"),
    Value(
      type: "string", value: .string(String(repeating: "é", count: 255)),
      stored: .string(String(repeating: "é", count: 255))),
    Value(type: "string", value: .string(String(repeating: "é", count: 256))),
    Value(type: "string", value: "", stored: ""),
    Value(type: "string", value: 5),
    Value(type: "boolean", value: false, stored: false),
    Value(type: "boolean", value: [true]),
    Value(type: "boolean", value: 1),
    Value(type: "date", value: "2020-02-29", stored: "2020-02-29T00:00:00.000Z"),
    Value(
      type: "date", value: ["2020-02-29T10:00:00+02:00"], stored: ["2020-02-29T08:00:00.000Z"]),
    Value(type: "date", value: "tomorrow"),
    Value(type: "date", value: 1_700_000_000),
    Value(type: "colour", value: "red"),
    Value(type: "string", value: ["a", "b", .string(String(repeating: "c", count: 256))]),
    Value(
      type: "string", value: .array(Array(repeating: "a", count: 100)),
      stored: .array(Array(repeating: "a", count: 100))),
    Value(type: "string", value: .array(Array(repeating: "a", count: 101))),
  ]

  @Test("an attribute's value is kept within its type's limits or dropped", arguments: values)
  func attribute(_ row: Value) async throws {
    let fixture = try await Fixture()
    let attribute: JSONValue = ["type": .string(row.type), "value": row.value]
    let body: JSONValue = [
      "device": ["user_id": "u", "user_attributes": ["x": attribute]]
    ]
    // A valid member beside an invalid one is stored.
    let answer = await fixture.request("PUT", "/v6/devices/d", body: body.text)
    #expect(answer.status == 200)
    let stored = answer.json["device"]?["user_attributes"]?["x"]
    #expect(stored == row.stored.map { ["type": .string(row.type), "value": $0] })

    // Without a valid member the update is refused.
    let alone: JSONValue = ["device": ["user_attributes": ["x": attribute]]]
    let decided = await fixture.request("PUT", "/v6/devices/e", body: alone.text)
    #expect(decided.status == (row.stored == nil ? 422 : 200))
    if row.stored == nil {
      #expect(decided.error.hasPrefix("$.device.user_attributes.x"))
      #expect(try await fixture.store.device("e", app: fixture.app.id) == nil)
    }
  }

  static let keys: [(key: String, value: JSONValue, isValid: Bool)] = [
    ("push_token", "00ff", true), ("push_token", "0", false), ("push_token", "zz", false),
    ("push_token", "", false), ("push_token", .null, true), ("push_token", 5, false),
    ("push_token", .string(String(repeating: "a", count: 400)), true),
    ("push_token", .string(String(repeating: "a", count: 402)), false),
    ("platform", "iOS", true), ("platform", "ios", false), ("development", true, true),
    ("development", 1, false), ("push_enabled", false, true), ("push_enabled", "no", false),
    ("push_quiet", true, true), ("push_quiet", 1, false),
    ("tags", ["a"], true), ("tags", [], true), ("tags", "a", false), ("tags", [1], false),
    ("tags", [""], false), ("tags", .array((0..<100).map { .string("t\($0)") }), true),
    ("tags", .array((0..<101).map { .string("t\($0)") }), false),
    ("user_id", .string(String(repeating: "u", count: 255)), true),
    ("user_id", .string(String(repeating: "u", count: 256)), false), ("user_id", 5, false),
    ("locale", "en_US", true), ("time_zone", "Europe/Berlin", true), ("app_version", "1.2", true),
    ("os_version", "18.1", true), ("badge", 3, true), ("badge", -1, false),
    ("public_key", .string(String(repeating: "A", count: 87)), true),
    ("public_key", .string(String(repeating: "A", count: 88)), false),
    ("public_key", .string(String(repeating: "+", count: 87)), false),
    ("auth_secret", .string(String(repeating: "-", count: 22)), true),
    ("auth_secret", "short", false), ("shoe_size", 5, false), ("id", "d", true),
  ]

  @Test("each member of a device accepts its documented values only", arguments: keys)
  func key(key: String, value: JSONValue, isValid: Bool) async throws {
    let fixture = try await Fixture()
    let body: JSONValue = ["device": .object([key: value])]
    let answer = await fixture.request("PUT", "/v6/devices/d", body: body.text)
    #expect(answer.status == (isValid ? 200 : 422))
    if !isValid { #expect(answer.error.hasPrefix("$.device.\(key)")) }
  }

  @Test(
    "an id is 1 to 64 letters, digits, hyphens and underscores",
    arguments: [
      ("a", true), (String(repeating: "a", count: 64), true),
      (String(repeating: "a", count: 65), false), ("a.b", false), ("a%20b", false),
      ("%C3%A9", false), ("a%2Fb", false),
    ])
  func id(_ id: String, isValid: Bool) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "PUT", "/v6/devices/\(id)", body: #"{"device":{"user_id":"u"}}"#)
    #expect(answer.status == (isValid ? 200 : 422))
  }

  @Test("an empty device is accepted, a missing one is not")
  func bodies() async throws {
    let fixture = try await Fixture()
    let table: [(String, Int, String)] = [
      (#"{"device":{}}"#, 200, ""), (#"{}"#, 422, "$.device is missing"),
      (#"{"device":[]}"#, 400, "$.device must be an object, not an array"),
      (
        #"{"device":{"user_attributes":5}}"#, 422,
        "$.device.user_attributes must be an object, not a number"
      ),
    ]
    for (body, status, error) in table {
      let answer = await fixture.request("PUT", "/v6/devices/d", body: body)
      #expect(answer.status == status)
      #expect(answer.error == error)
    }
    #expect(await fixture.request("GET", "/v6/devices/none").status == 404)
  }

  @Test(
    "a CSV file is imported, rejected rows are listed by line, and of two equal tokens the first counts"
  )
  func importing() async throws {
    let fixture = try await Fixture()
    let csv = #"""
      token,os_name,user_id,custom.integer.age,custom.string.name,custom.boolean.vip,custom.date.since,custom.float.score\#r
      aa01,iOS,u1,30,"Ann, ""A""",true,2020-01-01,1.5\#r
      AA02,Android,,,,,,
      xx,iOS,u3,,,,,
      aa04,Symbian,u4,,,,,
      aa01,iOS,u5,,,,,
      aa06,iOS,u6,old,,,,

      aa08,iOS
      aa09,iOS,"two
      lines",,,,,
      aa11,iOS,u11,,,perhaps,,
      """#
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: csv,
      headers: [("Content-Type", "text/csv; charset=utf-8")])
    #expect(answer.status == 200)
    let losses: [JSONValue] = [
      [
        "line": 7,
        "error": "kept, but lost custom.integer.age, which must be a valid integer",
      ],
      [
        "line": 12,
        "error": "kept, but lost custom.boolean.vip, which must be a valid boolean",
      ],
    ]
    #expect(
      answer.json == [
        "accepted": 5, "accepted_with_losses": 2,
        "rejected": 4,
        "lines": [
          ["line": 4, "error": "token must be an even number of hex digits, 2 to 400"],
          ["line": 5, "error": "os_name must be iOS or Android"],
          ["line": 6, "error": "the token is on line 2 already"], losses[0],
          ["line": 9, "error": "the row has 2 fields, but the first line names 8"], losses[1],
        ],
        "skipped": 0, "left_without_token": 0,
      ])
    #expect(try await fixture.store.deviceCount(app: fixture.app.id) == 5)
    _ = await fixture.send(
      ["alert": "Hi"],
      to: [
        ["name": "custom.integer.age", "criteria": [30]],
        ["name": "custom.string.name", "criteria": ["Ann, \"A\""]],
        ["name": "custom.boolean.vip", "criteria": [true]],
        ["name": "custom.date.since", "criteria": [["lt": "2021-01-01"]]],
        ["name": "custom.float.score", "criteria": [1.5]],
        ["name": "user_id", "criteria": ["u1"]],
      ])
    _ = await fixture.dispatcher().sendDueBatches()
    #expect(fixture.apple.taken.map(\.push.deviceToken) == ["aa01"])
  }

  @Test("a file with an invalid first line is refused")
  func headers() async throws {
    let fixture = try await Fixture()
    let table = [
      ("", "line 1: the file is empty; it must begin with a line of column names"),
      ("token,user_id\n", "line 1: the column os_name is missing"),
      ("os_name\n", "line 1: the column token is missing"),
      ("token,os_name,token\n", "line 1: the column \"token\" is given twice"),
      (
        "token,os_name,colour\n",
        "line 1: \"colour\" is not a column; use token, os_name, user_id, user_email, id, locale, language, time_zone,"
          + " tags, push_enabled, location and custom.<string|integer|float|date|boolean>.<name>"
      ),
    ]
    for (csv, error) in table {
      let answer = await fixture.request(
        "POST", "/v6/devices/import", role: .admin, body: csv,
        headers: [("Content-Type", "text/csv")])
      #expect(answer.status == 422)
      #expect(answer.error == error)
    }
  }

  @Test("devices are stored in the order of their tokens and ids, each with its own values")
  func importOrder() async throws {
    let fixture = try await Fixture()
    let rows = (0..<50).map { "\(Fixture.token("d\($0)")),iOS,user-\($0)\n" }.joined()
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: "token,os_name,user_id\n" + rows,
      headers: [("Content-Type", "text/csv")])
    #expect(answer.json["accepted"] == 50 && answer.json["lines"] == [])
    let stored = try await fixture.store.devices(app: fixture.app.id, above: nil, limit: 60)
    // Their unique indexes are filled faster in this order.
    #expect(stored.compactMap(\.token) == (0..<50).map { Fixture.token("d\($0)") }.sorted())
    #expect(stored.map(\.id) == stored.map(\.id).sorted() && Set(stored.map(\.id)).count == 50)
    for number in 0..<50 {
      let device = stored.first { $0.userID == "user-\(number)" }
      #expect(device?.token == Fixture.token("d\(number)"))
    }
  }

  @Test("an import of several transactions is complete, and a repeat changes nothing")
  func largeImport() async throws {
    let fixture = try await Fixture()
    let rows = (0..<11_000).map { "\(Fixture.token("d\($0)")),iOS,u\($0)" }
    let csv = "token,os_name,user_id\n" + rows.joined(separator: "\n")
    for _ in 0..<2 {
      let answer = await fixture.request(
        "POST", "/v6/devices/import", role: .admin, body: csv,
        headers: [("Content-Type", "text/csv")])
      #expect(answer.json["accepted"] == 11000 && answer.json["lines"] == [])
      #expect(try await fixture.store.deviceCount(app: fixture.app.id) == 11000)
    }
  }

  @Test(
    "an import is answered once its devices are indexed, but not while all devices are",
    arguments: [true, false])
  func importIsIndexed(isReady: Bool) async throws {
    let fixture = try await Fixture()
    let log = MemoryLog()
    log.save(MemoryLog.devices(1...3))
    let router = Router(
      Actions(
        store: fixture.store, secretKey: fixture.secretKey, clock: fixture.clock.serverClock,
        audiences: Audiences(log)))
    if !isReady { router.beginPreparing() }
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: "token,os_name\naa,iOS\n",
      headers: [("Content-Type", "text/csv")], to: router)
    #expect(answer.json["accepted"] == 1 && answer.json["lines"] == [])
    #expect(log.reads.scanned == (isReady ? 3 : 0))
  }

  @Test("tags are counted before any of them is looked at")
  func tagCount() async throws {
    let fixture = try await Fixture()
    for (count, status) in [(100, 200), (101, 422), (20_000, 422)] {
      let tags: [JSONValue] = (0..<count).map { .string("t\($0)") }
      let body: JSONValue = ["device": ["tags": .array(tags)]]
      let answer = await fixture.request("PUT", "/v6/devices/d", body: body.text)
      #expect(answer.status == status)
      if status == 422 { #expect(answer.error == "$.device.tags must have at most 100 tags") }
    }
    // An element that is wrong, too, is not reached.
    let tags: [JSONValue] = [1] + [JSONValue](repeating: "t", count: 100)
    let body: JSONValue = ["device": ["tags": .array(tags)]]
    let answer = await fixture.request("PUT", "/v6/devices/d", body: body.text)
    #expect(answer.error == "$.device.tags must have at most 100 tags")
  }

  @Test(
    "members are counted before any of them is looked at",
    arguments: [(200, 200), (201, 422), (50_000, 422)])
  func memberCount(count: Int, status: Int) async throws {
    let fixture = try await Fixture()
    // Each but one is not known: an app may be newer than its server.
    var device: [String: JSONValue] = ["locale": "en"]
    for number in 1..<count { device["member\(number)"] = .integer(Int64(number)) }
    let answer = await fixture.request(
      "PUT", "/v6/devices/d", body: JSONValue.object(["device": .object(device)]).text)
    #expect(answer.status == status)
    if status == 200 {
      #expect(answer.json["dropped"]?.array?.count == count - 1)
    } else {
      #expect(answer.error == "$.device must have at most 200 members")
    }
    let attributes = JSONValue.object(
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("name\($0)", .integer(1)) }))
    let second = await fixture.request(
      "PUT", "/v6/devices/d",
      body: JSONValue.object(["device": ["locale": "en", "user_attributes": attributes]]).text)
    #expect(second.status == 200)
    #expect(second.text.contains("must have at most 200 members") == (status == 422))
  }
}
