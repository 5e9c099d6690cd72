import Liquid
import Testing

@Suite("Errors of a template")
struct RefusalTests {
  static let table: [(source: String, error: String)] = [
    ("{{ a", "line 1, column 1: '{{' has no '}}'"),
    ("{% if a", "line 1, column 1: '{%' has no '%}'"),
    ("one\ntwo é{{ a | nope }}", "line 2, column 13: unknown filter 'nope'"),
    ("{{ a | upcas }}", "line 1, column 8: unknown filter 'upcas': did you mean 'upcase'?"),
    (
      "{{ a | defualt: 'b' }}",
      "line 1, column 8: unknown filter 'defualt': did you mean 'default'?"
    ),
    ("{{ a | date_format: 'b' }}", "line 1, column 8: unknown filter 'date_format'"),
    ("\r\n  {% foo %}", "line 2, column 6: unknown tag 'foo'"),
    ("{% %}", "line 1, column 4: the tag has no name"),
    ("{% include 'x' %}", "line 1, column 4: unknown tag 'include'"),
    ("{{ }}", "line 1, column 4: expected a value, found the end"),
    ("{{ a b }}", "line 1, column 6: expected the end, found 'b'"),
    ("{{ a | }}", "line 1, column 8: expected a filter, found the end"),
    ("{{ a | append }}", "line 1, column 8: 'append' takes one argument, not 0"),
    ("{{ a | upcase: 1 }}", "line 1, column 8: 'upcase' takes no argument, not 1"),
    ("{{ a | slice: 1, 2, 3 }}", "line 1, column 8: 'slice' takes 1 to 2 arguments, not 3"),
    (
      "{{ a | plus: x: 1 }}",
      "line 1, column 14: 'plus' does not take a named argument of this name"
    ),
    ("{{ 'a }}", "line 1, column 4: the string has no closing quote"),
    (
      "{{ a | default: \"there” }}",
      "line 1, column 17: the string has no closing quote: RIGHT DOUBLE QUOTATION MARK (U+201D) does not close it"
    ),
    ("{{ a ? b }}", "line 1, column 6: unexpected '?'"),
    ("{{ `a` }}", "line 1, column 4: unexpected '`'"),
    ("{{ a[1 }}", "line 1, column 8: expected ']', found the end"),
    ("{{ a. }}", "line 1, column 7: expected a name, found the end"),
    ("{{ (1..) }}", "line 1, column 8: expected a value, found ')'"),
    ("{% if %}{% endif %}", "line 1, column 7: expected a value, found the end"),
    ("{% if a %}x", "line 1, column 4: 'if' has no 'endif'"),
    (
      "{% if a %}{% for x in y %}{% endif %}",
      "line 1, column 30: 'endif' does not belong to any block"
    ),
    ("{% if a = 1 %}{% endif %}", "line 1, column 9: expected a comparison, found '='"),
    (
      "{% if a %}{% else %}{% else %}{% endif %}",
      "line 1, column 24: 'else' does not belong to any block"
    ),
    ("{% else %}", "line 1, column 4: 'else' does not belong to any block"),
    ("{% for x of y %}{% endfor %}", "line 1, column 10: expected 'in', found 'of'"),
    (
      "{% for x in y by: 2 %}{% endfor %}",
      "line 1, column 15: expected 'reversed', 'limit' or 'offset', found 'by'"
    ),
    ("{% assign x %}", "line 1, column 13: expected '=', found the end"),
    ("{% assign 'x' = 1 %}", "line 1, column 11: expected a name, found a string"),
    ("{% raw %}", "line 1, column 4: 'raw' has no 'endraw'"),
    ("{% comment %}", "line 1, column 4: 'comment' has no 'endcomment'"),
    ("{% case a %}{% when %}{% endcase %}", "line 1, column 21: expected a value, found the end"),
    ("{% break 1 %}", "line 1, column 10: expected the end, found a number"),
    ("{% echo %}", "line 1, column 9: expected a value, found the end"),
    ("{% assign 12 = 1 %}", "line 1, column 11: expected a name, found a number"),
    ("{% assign a? = 1 %}", "line 1, column 11: the variable 'a?' must not end in '?'"),
    ("{% if a %}{% else if b %}{% endif %}", "line 1, column 19: expected the end, found 'if'"),
    (
      "{% if a %}{% else %}{% elsif b %}{% endif %}",
      "line 1, column 24: 'elsif' does not belong to any block"
    ),
    (
      "{% case a %}{% when 1 and 2 %}{% endcase %}",
      "line 1, column 23: expected the end, found 'and'"
    ),
    ("{% doc %}{{ a", "line 1, column 4: 'doc' has no 'enddoc'"),
    ("{% doc a %}{% enddoc %}", "line 1, column 8: expected the end, found 'a'"),
    ("{% raw a %}{% endraw %}", "line 1, column 8: expected the end, found 'a'"),
    ("{% ifchanged %}", "line 1, column 4: 'ifchanged' has no 'endifchanged'"),
    (
      "{% tablerow x in y reversed %}{% endtablerow %}",
      "line 1, column 20: expected 'cols', 'limit' or 'offset', found 'reversed'"
    ),
    ("{% # one\n  two %}", "line 2, column 3: each line of an inline comment must begin with '#'"),
    ("{% liquid\n  echo 1\n  nope 2 %}", "line 3, column 3: unknown tag 'nope'"),
    ("{% liquid if a %}{% endif %}", "line 1, column 11: 'if' has no 'endif'"),
    ("{% if a %}{% liquid endif %}", "line 1, column 21: 'endif' does not belong to any block"),
    ("{% liquid raw\nendraw %}", "line 1, column 11: 'raw' has no 'endraw'"),
    ("{{ ['a' }}", "line 1, column 9: expected ']', found the end"),
    ("{{ 'a' | replace_last: 'a' }}", "line 1, column 10: 'replace_last' takes 2 arguments, not 1"),
  ]

  @Test("the error says what is wrong and where", arguments: table)
  func refusal(source: String, error: String) {
    let thrown = #expect(throws: LiquidError.self) { try Template(source) }
    #expect(thrown?.description == error)
  }

  @Test("an error quotes at most 40 characters of the template")
  func quote() {
    let thrown = #expect(throws: LiquidError.self) {
      try Template("{{ a | \(String(repeating: "x", count: 41)) }}")
    }
    #expect(thrown?.message == "unknown filter '\(String(repeating: "x", count: 40))…'")
    #expect(thrown?.code == .unknownFilter)
  }
}
