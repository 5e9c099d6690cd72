import Testing

@testable import PushModel
@testable import PushStore

@Suite("Statements")
struct SQLTests {
  @Test("have their values as parameters, numbered in the order of the text")
  func values() {
    let none: String? = nil
    let sql: SQL = "SELECT 1 FROM t WHERE a = \(7) AND b = \("x") AND c = \(none) AND d = $1"
    #expect(sql.text == "SELECT 1 FROM t WHERE a = $1 AND b = $2 AND c = $3 AND d = $1")
    #expect(sql.values == [.integer(7), .text("x"), .null])
  }

  @Test("have one text whatever their values are")
  func shape() {
    func query(_ app: Int64, _ id: String) -> SQL { "app = \(app) AND id = \(id)" }
    #expect(query(1, "1").text == query(2, "b' OR TRUE").text)
  }

  @Test("number the parameters of a part after those before it")
  func parts() {
    let part: SQL = "(id = \("x") OR name = $1 OR cost = '$' OR app = \(8))"
    let whole: SQL = "DELETE FROM \(raw: "t") WHERE app = \(7) AND \(part) AND b = \(9)"
    #expect(
      whole.text == "DELETE FROM t WHERE app = $1 AND "
        + "(id = $2 OR name = $2 OR cost = '$' OR app = $3) AND b = $4")
    #expect(whole.values == [.integer(7), .text("x"), .integer(8), .integer(9)])
    let list = [part, part].joined(separator: " AND ")
    #expect(list.text.hasSuffix("(id = $3 OR name = $3 OR cost = '$' OR app = $4)"))
    #expect(("VALUES (\([.integer(1), .null]))" as SQL).text == "VALUES ($1, $2)")
  }
}
