import Liquid
import PushPayload
import Testing

@Suite("Values that a template cannot use")
struct ValueErrorTests {
  static let context: JSONValue = [
    "list": ["a", 1], "flags": [true, false], "one": ["a"], "points": "12",
  ]

  static let table: [(source: String, message: String)] = [
    ("{{ 1 | divided_by: 0 }}", "a number is divided by 0"),
    ("{{ 1.5 | modulo: nope }}", "a number is divided by 0"),
    ("{{ 1 | divided_by: 'x' | default: 'y' }}", "a number is divided by 0"),
    ("{{ \(String(repeating: "9", count: 308)) | times: 10 }}", "a number is too large"),
    ("{{ 'a' | slice: nope }}", "the start of 'slice' must be a whole number"),
    ("{{ 'a' | slice: 0, 1.5 }}", "the length of 'slice' must be a whole number"),
    ("{{ 'a' | truncate: nope }}", "the length must be a whole number"),
    ("{{ 'a' | truncatewords: '1x' }}", "the number of words must be a whole number"),
    ("{% for i in one limit: 'x' %}{% endfor %}", "'limit' must be a whole number"),
    ("{% for i in one offset: list %}{% endfor %}", "'offset' must be a whole number"),
    ("{% tablerow i in one offset: 'x' %}{% endtablerow %}", "'offset' must be a whole number"),
    ("{{ list | concat: 'a' }}", "the argument of 'concat' must be an array"),
    ("{{ list | concat: nope }}", "the argument of 'concat' must be an array"),
    ("{{ list | sort }}", "values of these types have no order, so that 'sort' cannot sort them"),
    ("{{ flags | sort }}", "values of these types have no order, so that 'sort' cannot sort them"),
    (
      "{% if points > 5 %}{% endif %}",
      "a string and a number have no order: add '| plus: 0' to the string in an 'assign'"
    ),
    (
      "{% if 1.5 <= 'a' %}{% endif %}",
      "a string and a number have no order: add '| plus: 0' to the string in an 'assign'"
    ),
    (
      "{{ list | has: 'x' }}",
      "a string or a number has no member of the type that the filter asks for"
    ),
    (
      "{{ 5 | map: 'x' }}",
      "a string or a number has no member of the type that the filter asks for"
    ),
    (
      "{{ one | reject: nope }}",
      "a string or a number has no member of the type that the filter asks for"
    ),
    ("{{ 5 | base64_decode }}", "the value is not base64 of UTF-8"),
    ("{{ '//8=' | base64_decode }}", "the value is not base64 of UTF-8"),
    ("{{ 'YQ' | base64_decode }}", "the value is not base64 of UTF-8"),
    ("{{ '%ff' | url_decode }}", "'url_decode' has a result that is not UTF-8"),
  ]

  @Test("the error says what the value must be, and has no value of the device", arguments: table)
  func refusal(source: String, message: String) {
    let thrown = #expect(throws: LiquidError.self) { try render(source, Self.context) }
    #expect(thrown?.code == .value)
    #expect(thrown?.message == message)
    #expect(thrown?.line == 1)
  }

  @Test("a value that is never reached is no error")
  func unreached() throws {
    #expect(try render("{% if nope %}{{ 1 | divided_by: 0 }}{% endif %}x") == "x")
    #expect(try render("{{ list | has: 'a' }}", Self.context) == "true")
    #expect(
      try render("{{ one | sort }}{{ flags | sort: 'x' | default: 'none' }}", Self.context)
        == "anone")
  }
}
