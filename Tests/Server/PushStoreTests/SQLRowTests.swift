import Testing

@testable import PushModel
@testable import PushStore

@Suite("Rows whose columns are read by name")
struct SQLRowTests {
  /// A row with the columns `id`, which is 7, and `name`, which is NULL.
  private struct Values: SQLRowValues {
    func name(ofColumn column: Int32) -> String? { [0: "id", 1: "name"][column] }
    func optionalInteger(_ column: Int32) -> Int64? { column == 0 ? 7 : nil }
    func optionalReal(_ column: Int32) -> Double? { nil }
    func optionalText(_ column: Int32) -> String? { column == 0 ? "7" : nil }
    func optionalBlob(_ column: Int32) -> [UInt8]? { nil }
    func bool(_ column: Int32) -> Bool? { nil }
    func isNull(_ column: Int32) -> Bool { column == 1 }
  }

  @Test("columns are read in order, and one that is passed over is not read")
  func order() throws {
    var row = SQLRow(Values())
    #expect(try row.firstInteger("id") == 7)
    #expect(try row.integer("id") == 7)
    #expect(try row.optionalText("name") == nil)
  }

  @Test("NULL where the schema has none is an error that names the row and the column")
  func null() {
    var row = SQLRow(Values())
    row.skip("id")
    let error = #expect(throws: StoredValueError.self) { try row.text("name") }
    #expect(
      error?.error(reading: "SELECT (SELECT id FROM apps) AS id, name FROM sends WHERE id = 7")
        .message
          == """
          sends.name of 7 is NULL: it is damaged, or a newer version wrote it; restore a backup, or upgrade \
          this node
          """)
  }

  @Test("a value of another type is an error")
  func type() {
    var row = SQLRow(Values())
    #expect(throws: StoredValueError.self) { try row.bool("id") }
  }

  #if DEBUG
    @Test("a column that is not the next one ends a debug build")
    func wrongOrder() async {
      await #expect(processExitsWith: .failure) {
        var row = SQLRow(Values())
        _ = try row.text("name")
      }
    }

    @Test("a column that the statement does not select ends a debug build")
    func missing() async {
      await #expect(processExitsWith: .failure) {
        var row = SQLRow(Values())
        row.skip("id")
        row.skip("name")
        _ = try row.text("age")
      }
    }
  #endif
}
