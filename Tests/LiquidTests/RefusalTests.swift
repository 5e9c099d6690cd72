import Liquid
import Testing

@Suite("Errors of a template")
struct RefusalTests {
  static let table: [(source: String, error: String)] = [
    ("{{ a", "line 1, column 1: '{{' has no '}}'"),
    ("{% if a", "line 1, column 1: '{%' has no '%}'"),
    ("one\ntwo é{{ a | nope }}", "line 2, column 13: unknown filter 'nope'"),
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
    ("{{ a ? b }}", "line 1, column 6: unexpected '?'"),
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

@Suite("The limits of a template")
struct LimitTests {
  private func limits(_ change: (inout Template.Limits) -> Void) -> Template.Limits {
    var limits = Template.Limits()
    change(&limits)
    return limits
  }

  private func expectLimit(_ source: String, _ limits: Template.Limits, error: String) {
    let thrown = #expect(throws: LiquidError.self) { try render(source, limits: limits) }
    #expect(thrown?.code == .limit)
    #expect(thrown?.description == error)
  }

  @Test("a source may have as many bytes as its limit, and not one more")
  func source() throws {
    let limits = limits { $0.source = 4 }
    #expect(try render("éé", limits: limits) == "éé")
    expectLimit("ééx", limits, error: "line 1, column 1: the template has more than 4 bytes")
  }

  @Test("blocks may be nested as deep as their limit, and not one deeper")
  func blocks() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "{% if true %}", count: depth) + "x"
        + String(repeating: "{% endif %}", count: depth)
    }
    #expect(try render(nested(32)) == "x")
    expectLimit(
      nested(33), .init(), error: "line 1, column 420: blocks are nested more than 32 deep")
    expectLimit(
      nested(10_000), limits { $0.source = .max },
      error: "line 1, column 420: blocks are nested more than 32 deep")
  }

  @Test("brackets may be nested as deep as their limit, and not one deeper")
  func brackets() throws {
    func nested(_ depth: Int) -> String {
      "{{ " + String(repeating: "a[", count: depth - 1) + "a"
        + String(repeating: "]", count: depth - 1) + " }}"
    }
    #expect(try render(nested(32)) == "")
    expectLimit(
      nested(33), .init(), error: "line 1, column 68: brackets are nested more than 32 deep")
  }

  @Test("a loop may have as many iterations as there are steps")
  func steps() throws {
    // The loop is a step, and so are each iteration and its text.
    let limits = limits { $0.steps = 11 }
    #expect(try render("{% for i in (1..5) %}x{% endfor %}", limits: limits) == "xxxxx")
    expectLimit(
      "\n{% for i in (1..6) %}x{% endfor %}", limits,
      error: "line 2, column 4: the template needs more than 11 steps")
  }

  static let endless = [
    "{% for i in (1..9223372036854775807) %}{% endfor %}",
    "{% for i in (-9223372036854775808..9223372036854775807) %}{% endfor %}",
    "{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}",
    "{{ (1..9223372036854775807) | reverse }}",
    "{% assign a = (1..9000) | sort %}{% for i in (1..9999) %}{% assign b = a | sort %}{% endfor %}",
    "{% assign a = 'xxxxxxxxxxxxxxxx' %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}",
    "{% assign a = 'a,b' | split: ',' %}{% for i in (1..99) %}{% assign a = a | concat: a %}{% endfor %}",
    "{% assign a = 'xx' %}{% for i in (1..99) %}{% assign a = a | replace: 'x', 'xxxxxxxx' %}{% endfor %}",
    "{% assign a = '<' %}{% for i in (1..99) %}{% assign a = a | append: a | escape %}{% endfor %}",
    "{% for i in (1..9999) %}{% capture a %}{{ a }}xxxxxxxx{% endcapture %}{% endfor %}",
    "{% for i in (1..99999) %}xxxxxxxxxxxxxxxx{% endfor %}",
    "{% for i in (1..2000) %}{% assign u = (1..5000) | uniq %}{% endfor %}",
  ]

  @Test("a template that needs too much time or memory is stopped", arguments: endless)
  func stopped(source: String) {
    let thrown = #expect(throws: LiquidError.self) { try render(source) }
    #expect(thrown?.code == .limit)
  }

  @Test("the output may have as many bytes as its limit, and not one more")
  func output() throws {
    let limits = limits { $0.output = 4 }
    #expect(try render("{{ 'éé' }}", limits: limits) == "éé")
    expectLimit(
      "{{ 'ééx' }}", limits,
      error: "line 1, column 4: the output, or a value, has more than 4 bytes or elements")
  }

  @Test("an intermediate value may have as many bytes as its limit, and not one more")
  func values() throws {
    let limits = limits { $0.output = 4 }
    #expect(try render("{{ 'ab' | append: 'cd' | size }}", limits: limits) == "4")
    expectLimit(
      "{{ 'ab' | append: 'cde' | size }}", limits,
      error: "line 1, column 4: the output, or a value, has more than 4 bytes or elements")
  }
}
