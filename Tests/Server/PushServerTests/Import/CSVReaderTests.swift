import Testing

@testable import PushServer

@Suite("Reading CSV in pieces")
struct CSVReaderTests {
  static let files: [(file: String, rows: [(line: Int, fields: [String])])] = [
    ("", []), ("\u{feff}", []), ("\u{feff}a\n", [(1, ["a"])]), ("a", [(1, ["a"])]),
    ("a,b\nc,d", [(1, ["a", "b"]), (2, ["c", "d"])]),
    ("a,\n,b\r\n", [(1, ["a", ""]), (2, ["", "b"])]),
    ("a,", [(1, ["a", ""])]), ("\n\nx\n", [(1, [""]), (2, [""]), (3, ["x"])]),
    ("\u{feff}\"a\"\"b\",\"c,\nd\"\r\ne", [(1, ["a\"b", "c,\nd"]), (3, ["e"])]),
    ("\"\"\"\",\"\"", [(1, ["\"", ""])]), ("a\"b\"c\n", [(1, ["a\"b\"c"])]),
    ("\"a\"b\"c\",d", [(1, ["ab\"c\"", "d"])]), ("\"open\n", [(1, ["open\n"])]),
    ("é,ü\n€", [(1, ["é", "ü"]), (2, ["€"])]),
  ]

  @Test("the rows are the same however the file is split into pieces", arguments: files)
  func pieces(_ file: String, _ rows: [(line: Int, fields: [String])]) {
    let bytes = Array(file.utf8)
    for size in 1...max(1, bytes.count) {
      var reader = CSVReader()
      var found: [CSVReader.Row] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.feed(Array(bytes[start..<min(bytes.count, start + size)]))
        while let row = reader.next() { found.append(row) }
      }
      while let row = reader.last() { found.append(row) }
      #expect(found.map(\.line) == rows.map(\.line), "\(size)")
      #expect(found.map(\.fields) == rows.map(\.fields), "\(size)")
    }
  }

  @Test(
    "a field has a limit, in one piece or in several",
    arguments: [CSVReader.fieldLimit - 1, CSVReader.fieldLimit, CSVReader.fieldLimit + 1])
  func fieldLimit(_ count: Int) {
    let file = Array((String(repeating: "x", count: count) + ",y\n").utf8)
    for cut in [0, 1, count, file.count] {
      var reader = CSVReader()
      reader.feed(Array(file[..<cut]))
      #expect(cut == file.count || reader.next() == nil)
      reader.feed(Array(file[cut...]))
      let row = reader.next()
      #expect(row?.fields.map(\.count) == [min(count, CSVReader.fieldLimit), 1])
    }
  }

  @Test(
    "a row has a limit of fields",
    arguments: [CSVReader.countLimit, CSVReader.countLimit + 1, 1000])
  func countLimit(_ count: Int) {
    var reader = CSVReader()
    reader.feed(Array(String(repeating: "x,", count: count - 1).utf8) + Array("x\n".utf8))
    #expect(reader.next()?.fields.count == min(count, CSVReader.countLimit + 1))
  }

  @Test("of a field that is too long and of one too many only those that are kept are named")
  func cutFields() {
    var reader = CSVReader()
    let long = String(repeating: "y", count: CSVReader.fieldLimit + 1)
    let fields = String(repeating: "x,", count: CSVReader.countLimit)
    reader.feed(Array((fields + "\(long),\(long)\n").utf8))
    let row = reader.next()
    #expect(row?.fields.count == CSVReader.countLimit + 1)
    #expect(row?.cutFields == [CSVReader.countLimit])
  }
}

@Suite("Reading newline-delimited JSON in pieces")
struct LineImportReaderTests {
  @Test("a line has a limit, and the line after a longer one is read")
  func limit() throws {
    for count in [LineImportReader.lineLimit, LineImportReader.lineLimit + 1] {
      for piece in [1 << 18, 4 << 20] {
        var file = Array(#"{"push_token":"00","user_id":""#.utf8)
        file += [UInt8](repeating: UInt8(ascii: "x"), count: count - file.count - 2)
        file += Array("\"}\n\n{\"push_token\":\"01\"}".utf8)
        var reader = LineImportReader()
        var rows: [ImportRow] = []
        for start in stride(from: 0, to: file.count, by: piece) {
          reader.feed(Array(file[start..<min(file.count, start + piece)]))
          while let row = try reader.next() { rows.append(row) }
        }
        if let row = try reader.last() { rows.append(row) }
        #expect(rows.map(\.line) == [1, 3])
        let tooLong = "the line is longer than 1048576 bytes"
        #expect((message(rows[0]) == tooLong) == (count > LineImportReader.lineLimit))
        // At the limit the device is taken without its user, whose id is too long.
        #expect(rows[0].losses.count == (count > LineImportReader.lineLimit ? 0 : 1))
        #expect(message(rows[1]) == nil)
      }
    }
  }

  private func message(_ row: ImportRow) -> String? {
    if case .failure(let error) = row.device { error.message } else { nil }
  }
}
