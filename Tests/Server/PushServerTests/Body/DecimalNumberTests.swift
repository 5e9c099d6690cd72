import PushPayload
import Testing

@testable import PushServer

@Suite("Numbers that people write")
struct DecimalNumberTests {
  @Test(
    "are decimal, and whole ones are exact",
    arguments: [
      ("16", .integer(16)), ("-1.5", .number(-1.5)), ("+4", .integer(4)), ("2e3", .number(2000)),
      ("9007199254740993", .integer(9_007_199_254_740_993)), (".5", .number(0.5)),
      ("0x10", nil), ("0x1p3", nil), ("inf", nil), ("-Infinity", nil), ("nan", nil),
      ("1e999", nil), ("", nil), ("e", nil), ("1 000", nil), ("1,5", nil), ("٤", nil),
    ] as [(String, JSONValue?)])
  func decimal(text: String, expected: JSONValue?) {
    #expect(JSONValue.decimal(text) == expected)
  }
}
