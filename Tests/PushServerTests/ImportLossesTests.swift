import PushPayload
import PushStore
import Testing

@testable import PushServer

@Suite("Imports that lose a part of a device", .timeLimit(.minutes(5)))
struct ImportLossesTests {
  private func post(_ body: String, type: String = "text/csv", to fixture: Fixture) async
    -> JSONValue
  {
    await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: body, headers: [("Content-Type", type)]
    ).json
  }

  private func lines(_ rows: JSONValue?) -> [Int64] {
    rows?.array?.compactMap { $0["line"]?.integer } ?? []
  }

  @Test("CSV has columns for id, language, time zone, tags, permission and location")
  func columns() async throws {
    let fixture = try await Fixture()
    let answer = await post(
      """
      token,os_name,user_id,id,language,time_zone,tags,push_enabled,location,custom.string.phone
      aa01,iOS,="00123",dev-1,de_DE,europe/berlin,a|b,false,"52.5, 13.4",
      aa02,iOS,NULL,,,Mars/Phobos,"[""x""]",1,here,4.91512E+11
      ,,,,,,,,,
      aa03,iOS,4.91512E+11,,,+05:30,"[""x",,,
      aa04,iOS,,a b,,,,,,
      aa05,iOS,,,,,,perhaps,,
      """, to: fixture)
    #expect(
      answer["accepted"] == 3 && answer["accepted_with_losses"] == 2 && answer["skipped"] == 1)
    #expect(lines(answer["losses"]) == [3, 5] && lines(answer["rejected"]) == [6, 7])
    #expect(lines(answer["lines"]) == [3, 5, 6, 7])
    let text = answer["losses"]?.array?.first?["error"]?.string ?? ""
    for word in ["kept, but lost", "time_zone", "location", "custom.string.phone"] {
      #expect(text.contains(word), "\(word)")
    }
    let device = try #require(try await fixture.store.device("dev-1", app: fixture.app.id))
    #expect(device.userID == "00123" && device.tags == ["a", "b"] && device.locale == "de_DE")
    #expect(device.timeZone == "Europe/Berlin" && !device.isPushEnabled)
    #expect(device.location.latitude == 52.5 && device.location.longitude == 13.4)
    let stored = try await fixture.store.devices(app: fixture.app.id, above: nil, limit: 10)
    #expect(stored.compactMap(\.userID) == ["00123"])
  }

  @Test(
    "a cell that spreadsheets and databases write is a text, nothing, or a rounded number",
    arguments: [
      ("=\"00123\"", "00123", false), ("NULL", "", false), ("null", "", false), ("\\N", "", false),
      ("Null", "Null", false), ("4.91512E+11", "4.91512E+11", true), ("5E+20", "5E+20", true),
      ("1,5E+3", "1,5E+3", true), ("E+5", "E+5", false), ("=\"", "=\"", false),
      ("x+y", "x+y", false),
    ])
  func cells(cell: String, text: String, isRounded: Bool) {
    #expect(CSVCell.text(cell) == text)
    #expect(CSVCell.isRounded(cell) == isRounded)
  }

  @Test(
    "a line of JSON keeps its device without what is not understood, but not without its permission"
  )
  func jsonLines() async throws {
    let fixture = try await Fixture()
    let answer = await post(
      """
      {"push_token":"aa01","time_zone":"Mars/Phobos","user_id":"u"}
      {"push_token":"aa02","push_enabled":"no"}
      {"push_token":"aa03","development":1}
      {"push_token":"aa04","tags":["a",1]}
      """, type: "application/x-ndjson", to: fixture)
    #expect(answer["accepted"] == 2 && lines(answer["losses"]) == [1, 4])
    #expect(lines(answer["rejected"]) == [2, 3])
  }

  @Test("20 lines are listed of 21 that are rejected or lose a part")
  func limit() async throws {
    let fixture = try await Fixture()
    for count in [20, 21] {
      let rows = (0..<count).map { "\(Fixture.token("d\($0)")),iOS,Mars\n" }.joined()
      let answer = await post("token,os_name,time_zone\n" + rows, to: fixture)
      #expect(answer["accepted_with_losses"] == .integer(Int64(count)))
      #expect(lines(answer["lines"]).count == 20 && lines(answer["losses"]).count == count)
    }
  }

  @Test("a token that an id of the file takes is counted, and one that is swapped is not")
  func ghosts() async throws {
    let fixture = try await Fixture()
    _ = await post("token,os_name\naa01,iOS\n", to: fixture)
    let named = await post("id,token,os_name\nmine,aa01,iOS\nother,aa02,iOS\n", to: fixture)
    #expect(named["left_without_token"] == 1)
    let swapped = await post("id,token,os_name\nmine,aa02,iOS\nother,aa01,iOS\n", to: fixture)
    #expect(swapped["left_without_token"] == 0)
    // A line without an id is the device that has the token.
    let again = await post("token,os_name,user_id\naa01,iOS,u\n", to: fixture)
    #expect(again["left_without_token"] == 0)
    #expect(try await fixture.store.device("other", app: fixture.app.id)?.userID == "u")
  }

  @Test(
    "a file with other separators than commas is refused",
    arguments: [(";", "semicolons"), ("\t", "tabs")])
  func separators(separator: String, name: String) async throws {
    let fixture = try await Fixture()
    let answer = await fixture.request(
      "POST", "/v6/devices/import", role: .admin, body: "token\(separator)os_name\n",
      headers: [("Content-Type", "text/csv")])
    #expect(answer.status == 422 && answer.error.hasPrefix("line 1: \(name) separate the columns"))
  }

  @Test(
    "a field over the limit refuses its row",
    arguments: [CSVReader.fieldLimit, CSVReader.fieldLimit + 1])
  func longField(count: Int) {
    var reader = CSVReader()
    reader.feed(Array(("a," + String(repeating: "x", count: count) + "\n").utf8))
    #expect(reader.next()?.cutFields == (count > CSVReader.fieldLimit ? [1] : []))
  }
}

/// What an export of another service loses, by the column that is damaged.
@Suite("Damaged columns of other services' exports")
struct VendorLossesTests {
  private static let fine = #"{"a":"1"}"#

  static let cells: [(column: String, cell: String, loss: String?)] = [
    ("tags", "{'a': '1'}", "tags"), ("tags", #"{"a"=>"1"}"#, "tags"),
    ("tags", #"{"a":"1""#, "tags"),
    ("tags", "a:1", "tags"), ("tags", "[1]", "tags"), ("tags", "[]", nil), ("tags", "null", nil),
    ("tags", "", nil), ("tags", "NULL", nil), ("tags", #"{"a":null}"#, nil), ("tags", fine, nil),
    ("tags", String(repeating: "x", count: 5000), "tags"),
    ("timezone_id", "Mars/Phobos", "time_zone"), ("timezone_id", "W. Europe Standard Time", nil),
    ("external_user_id", "4.91512E+11", "external_user_id"),
    ("external_user_id", String(repeating: "u", count: 256), "user_id"),
    ("notification_types", "abc", "notification_types"), ("notification_types", "", nil),
  ]

  @Test(
    "a column of OneSignal's that is not understood is named, and its device kept",
    arguments: cells)
  func oneSignal(column: String, cell: String, loss: String?) throws {
    let quoted = "\"" + cell.replacing("\"", with: "\"\"") + "\""
    let csv = "identifier,device_type,\(column)\naa01,0,\(quoted)\n"
    let export = try VendorExport(Array(csv.utf8), of: .oneSignal)
    #expect(export.rejected.isEmpty)
    let losses = export.losses(with: [], without: [])
    #expect(losses.map(\.line) == (loss == nil ? [] : [2]))
    if let loss { #expect(losses.first?.error.hasPrefix("kept, but lost \(loss), which ") == true) }
    let device = try JSONValue(parsing: export.lines)
    #expect(device["push_token"] == "aa01")
    #expect(device["push_enabled"] == .bool(loss != "notification_types"))
  }

  static let members: [(member: String, value: JSONValue, loss: String?)] = [
    ("tags", "x", "tags"), ("tags", ["a", 1], "tags[1]"), ("tags", [], nil), ("tags", .null, nil),
    ("opt_in", "yes", "opt_in"), ("opt_in", .null, nil), ("named_user_id", 5, "named_user_id"),
    ("ios", ["tz": "Nowhere"], "time_zone"), ("ios", ["tz": 3], "tz"), ("ios", ["tz": "UTC"], nil),
  ]

  @Test(
    "a member of Airship's that is not understood is named, and its device kept", arguments: members
  )
  func airship(member: String, value: JSONValue, loss: String?) throws {
    let channel: JSONValue = [
      "channel_id": "c", "device_type": "ios", "push_address": "aa01", member: value,
    ]
    let export = try VendorExport(
      JSONValue.object(["channels": [channel]]).bytes, of: .airship)
    #expect(export.rejected.isEmpty)
    let losses = export.losses(with: [], without: [])
    #expect(losses.count == (loss == nil ? 0 : 1))
    if let loss {
      #expect(losses.first?.error.hasPrefix("channel c: kept, but lost \(loss), which ") == true)
    }
    #expect(try JSONValue(parsing: export.lines)["push_enabled"] == .bool(loss != "opt_in"))
  }

  @Test("a device that the import rejects has lost nothing, and a loss of the import is added")
  func merged() throws {
    let csv = "identifier,device_type,tags\naa01,0,x\naa02,0,x\naa03,0,\n"
    let export = try VendorExport(Array(csv.utf8), of: .oneSignal)
    let losses = export.losses(with: [(2, "more"), (3, "other")], without: [(1, "erased")])
    #expect(losses.map(\.line) == [3, 4])
    #expect(losses[0].error.hasSuffix("; more") && losses[1].error == "other")
    #expect(export.rejected(with: [(1, "erased")]).map(\.line) == [2])
  }

  @Test("a device whose token may be invalid or gone is rejected")
  func doubtful() throws {
    let csv = "identifier,device_type,invalid_identifier\naa01,0,maybe\n"
    #expect(try VendorExport(Array(csv.utf8), of: .oneSignal).rejected.map(\.line) == [2])
    let page = #"{"channels":[{"device_type":"ios","push_address":"aa","installed":"no"}]}"#
    #expect(try VendorExport(Array(page.utf8), of: .airship).rejected.count == 1)
  }
}
