import Testing

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
    func bool(_ column: Int32) -> Bool { column == 0 }
  }

  @Test("columns are read in order, and one that is passed over is not read")
  func order() {
    var row = SQLRow(Values())
    #expect(row.firstInteger("id") == 7)
    #expect(row.integer("id") == 7)
    #expect(row.optionalText("name") == nil)
    var other = SQLRow(Values())
    other.skip("id")
    #expect(other.text("name") == "")
  }

  #if DEBUG
    @Test("a column that is not the next one ends a debug build")
    func wrongOrder() async {
      await #expect(processExitsWith: .failure) {
        var row = SQLRow(Values())
        _ = row.text("name")
      }
    }

    @Test("a column that the statement does not select ends a debug build")
    func missing() async {
      await #expect(processExitsWith: .failure) {
        var row = SQLRow(Values())
        row.skip("id")
        row.skip("name")
        _ = row.text("age")
      }
    }
  #endif
}
