import PushModel
import PushPayload
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
    #expect(answer["rejected"] == 2 && lines(answer["lines"]) == [3, 5, 6, 7])
    let text = answer["lines"]?.array?.first?["error"]?.string ?? ""
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
      ("x+y", "x+y", false), ("'+491701", "+491701", false), ("'-1.5", "-1.5", false),
      ("'=\"00123\"", "=\"00123\"", false), ("'tis", "'tis", false), ("'", "'", false),
    ])
  func cells(cell: String, text: String, isRounded: Bool) {
    #expect(CSVCell.text(cell) == text)
    #expect(CSVCell.isRounded(cell) == isRounded)
  }

  @Test(
    "a text that an export has written is read as it was",
    arguments: [
      "+491701234567", "-1.5", "=SUM(A1)", "@ada", "\ttab", "＋49", "plain", "a \"b\"", "-a|b", "",
    ])
  func exported(text: String) {
    var reader = CSVReader()
    reader.feed(Array(CSVTable.line([text, "next"]).utf8))
    #expect(reader.last()?.fields.map(CSVCell.text) == [text, "next"])
  }

  @Test(
    "a rounded number is no text and no whole number, but a number with a fraction",
    arguments: [
      ("user_id", 1), ("custom.string.a", 1), ("custom.integer.a", 1), ("custom.float.a", 0),
    ])
  func rounded(column: String, losses: Int) async throws {
    let fixture = try await Fixture()
    let answer = await post("token,os_name,\(column)\naa01,iOS,4.91512E+11\n", to: fixture)
    #expect(answer["accepted"] == 1 && answer["accepted_with_losses"] == .integer(Int64(losses)))
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
    #expect(answer["accepted"] == 2 && answer["accepted_with_losses"] == 2)
    #expect(answer["rejected"] == 2 && lines(answer["lines"]) == [1, 2, 3, 4])
  }

  @Test(
    "of the lines that are rejected or lose a part 20 are listed, the rejected ones first",
    arguments: [
      (losses: 20, rejections: 0, listed: Array(2...21)),
      (losses: 21, rejections: 0, listed: Array(2...21)),
      (losses: 20, rejections: 2, listed: Array(2...19) + [22, 23]),
      (losses: 3, rejections: 21, listed: Array(5...24)),
    ])
  func limit(losses: Int, rejections: Int, listed: [Int]) async throws {
    let fixture = try await Fixture()
    let rows =
      (0..<losses).map { "\(Fixture.token("d\($0)")),iOS,Mars\n" }
      + [String](repeating: "zz,iOS,\n", count: rejections)
    let answer = await post("token,os_name,time_zone\n" + rows.joined(), to: fixture)
    #expect(answer["accepted_with_losses"] == .integer(Int64(losses)))
    #expect(answer["rejected"] == .integer(Int64(rejections)))
    #expect(lines(answer["lines"]) == listed.map { Int64($0) })
  }

  @Test("a line whose device was erased is rejected, and has lost nothing")
  func erased() async throws {
    let fixture = try await Fixture()
    try await fixture.register("gone")
    #expect(await fixture.request("POST", "/v6/devices/gone/erase").status == 200)
    let answer = await post(
      "token,os_name,id,time_zone\naa01,iOS,gone,Mars\naa02,iOS,,Mars\n", to: fixture)
    #expect(answer["accepted"] == 1 && answer["accepted_with_losses"] == 1)
    #expect(answer["rejected"] == 1 && lines(answer["lines"]) == [2, 3])
    #expect(answer["lines"]?.array?.first?["error"]?.string?.contains("erased") == true)
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

  @Test("a device that a later part of a file names keeps a token", arguments: [4998, 5000])
  func swappedLater(between: Int) async throws {
    let fixture = try await Fixture()
    _ = await post("id,token,os_name\none,aa01,iOS\ntwo,aa02,iOS\n", to: fixture)
    // A part of 5,000 lines is stored at once.
    let others = (0..<between).map { "x\($0),\(Fixture.token("x\($0)")),iOS\n" }.joined()
    let file = "id,token,os_name\none,aa02,iOS\n\(others)two,aa01,iOS\n"
    let answer = await post(file, to: fixture)
    #expect(answer["accepted"] == .integer(Int64(between + 2)))
    #expect(answer["left_without_token"] == 0)
    #expect(try await fixture.store.device("two", app: fixture.app.id)?.token == "aa01")
  }

  @Test("of two lines with the same id or token the first counts")
  func repeated() async throws {
    let fixture = try await Fixture()
    let answer = await post(
      "id,token,os_name\nmine,aa01,iOS\nmine,aa02,iOS\nother,AA01,iOS\n,aa01,iOS\n", to: fixture)
    #expect(answer["accepted"] == 1 && answer["rejected"] == 3)
    #expect(
      answer["lines"]?.array?.compactMap { $0["error"]?.string } == [
        "the id is on line 2 already", "the token is on line 2 already",
        "the token is on line 2 already",
      ])
    #expect(try await fixture.store.device("mine", app: fixture.app.id)?.token == "aa01")
    #expect(try await fixture.store.deviceCount(app: fixture.app.id) == 1)
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
