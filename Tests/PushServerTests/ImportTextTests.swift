import PushPayload
import Testing

@testable import PushServer

/// Bytes that are no text in UTF-8, at each door of an import.
@Suite("Imported files that are not UTF-8")
struct ImportTextTests {
  enum Door: CaseIterable, Sendable { case csv, lines, oneSignal, airship }

  static let damages: [(bytes: [UInt8], words: String)] = [
    (Array("M".utf8) + [0xFC] + Array("ller".utf8), "Windows-1252 or Latin-1"),
    ([0x93] + Array("hi".utf8) + [0x94], "Windows-1252"), (Array("K".utf8) + [0xC3], "cut off"),
  ]

  @Test(
    "a line is refused with the encoding that it seems to have", arguments: Door.allCases, damages)
  func damaged(door: Door, damage: (bytes: [UInt8], words: String)) throws {
    let errors = Self.errors(Self.file(damage.bytes, for: door), at: door)
    #expect(errors.count == 1)
    #expect(errors.first?.contains("UTF-8") == true && errors.first?.contains(damage.words) == true)
  }

  @Test(
    "a file in UTF-16, with gzip or of Excel is refused with what to do", arguments: Door.allCases)
  func wholeFile(door: Door) {
    let files: [([UInt8], String)] = [
      ([0xFF, 0xFE, 0x74, 0], "UTF-16"), ([0x74, 0, 0x6F, 0], "UTF-16"),
      ([0, 0x74, 0, 0x6F], "UTF-16"),
      ([0x1F, 0x8B, 8, 0], "gunzip"), (Array("PK\u{3}\u{4}".utf8), "Excel"), ([], "empty"),
    ]
    for (bytes, words) in files where !(door == .airship && bytes.isEmpty) {
      let errors = Self.errors(bytes, at: door)
      #expect(errors.count == 1 && errors[0].contains(words), "\(words): \(errors)")
    }
  }

  @Test("U+0000 is refused", arguments: [Door.csv, .lines])
  func zero(door: Door) {
    let zero = door == .csv ? [0x61, 0, 0x62] : Array(#"a\u0000b"#.utf8)
    let errors = Self.errors(Self.file(zero, for: door), at: door)
    #expect(errors.count == 1 && errors[0].contains("U+0000"))
  }

  /// A file with one device, of whose user the name is some bytes.
  private static func file(_ name: [UInt8], for door: Door) -> [UInt8] {
    let (before, after) =
      switch door {
      case .csv: ("token,os_name,user_id\naa01,iOS,", "\n")
      case .lines: (#"{"push_token":"aa01","user_id":""#, "\"}")
      case .oneSignal: ("identifier,device_type,external_user_id\naa01,0,", "\n")
      case .airship:
        (#"{"channels":[{"device_type":"ios","push_address":"aa01","named_user_id":""#, "\"}]}")
      }
    return Array(before.utf8) + name + Array(after.utf8)
  }

  /// Why the rows of a file are refused, or the file as a whole.
  private static func errors(_ bytes: [UInt8], at door: Door) -> [String] {
    do {
      switch door {
      case .oneSignal: return try VendorExport(bytes, of: .oneSignal).rejected.map(\.error)
      case .airship: return try VendorExport(bytes, of: .airship).rejected.map(\.error)
      case .csv, .lines:
        try ImportFile.check(start: bytes)
        var reader: any ImportReader = door == .csv ? CSVImportReader() : LineImportReader()
        reader.feed(bytes)
        var rows: [ImportRow] = []
        while let row = try reader.next() { rows.append(row) }
        if let row = try reader.last() { rows.append(row) }
        return rows.compactMap {
          if case .failure(let error) = $0.device { error.message } else { nil }
        }
      }
    } catch { return [(error as? APIError)?.message ?? "\(error)"] }
  }
}

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
    #expect(await fixture.request("GET", "/v6/notifications/%FF").status == 404)
    #expect(await fixture.request("GET", "/v6/notifications").status == 200)
  }

  @Test(
    "a form whose text is not UTF-8 or has U+0000 is refused with the field",
    arguments: [
      ("a=M%FCller", 400, "the field a is not UTF-8"),
      ("a=b%00", 422, "the field a has the character U+0000"),
    ])
  func form(text: String, status: Int, words: String) {
    let error = #expect(throws: APIError.self) { try Form(urlEncoded: text) }
    #expect(error?.status == status && error?.message.hasPrefix(words) == true)
  }

  @Test("a list of users that is not UTF-8 is refused with its line")
  func list() {
    let bytes = Array("user_id\nM".utf8) + [0xFC] + Array("ller\n".utf8)
    let error = #expect(throws: APIError.self) { try AudienceForm.ids(csv: bytes) }
    #expect(error?.message.hasPrefix("line 2 is not UTF-8; it looks like Windows-1252") == true)
  }
}
