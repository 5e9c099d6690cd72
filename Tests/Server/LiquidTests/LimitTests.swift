import Liquid
import PushPayload
import Testing

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

  @Test("'liquid' tags may be nested as deep as their limit, and not one deeper")
  func liquidTags() throws {
    func nested(_ depth: Int) -> String {
      "{% " + String(repeating: "liquid ", count: depth) + "echo 'x' %}"
    }
    #expect(try render(nested(32)) == "x")
    expectLimit(
      nested(33), .init(), error: "line 1, column 228: blocks are nested more than 32 deep")
  }

  @Test("a name in brackets may be nested as deep as their limit, and not one deeper")
  func names() throws {
    func nested(_ depth: Int) -> String {
      "{{ " + String(repeating: "[", count: depth - 1) + "a"
        + String(repeating: "]", count: depth - 1) + " }}"
    }
    #expect(try render(nested(32)) == "")
    expectLimit(
      nested(33), .init(), error: "line 1, column 36: brackets are nested more than 32 deep")
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

  /// Assigns to `b` a string of 16,000 bytes.
  private static let long =
    "{% capture b %}{% for i in (1..1000) %}xxxxxxxxxxxxxxxx{% endfor %}{% endcapture %}"
  /// Assigns to `a` an array of 4,096 such strings.
  private static let longArray =
    "{% assign a = b | split: ',' %}{% for i in (1..12) %}{% assign a = a | concat: a %}{% endfor %}"
  /// Assigns to `c` a string that is found in `b` only at its end, after many comparisons.
  private static let wide =
    "{% assign c = b | slice: 0, 8000 | append: 'y' %}{% assign b = b | slice: 0, 7000 | append: c %}"

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
    // An array of many long strings is written, compared and searched.
    "\(long)\(longArray){{ a }}",
    "\(long)\(longArray){{ a | append: 'x' }}",
    "\(long)\(longArray){{ 'x' | replace: 'x', a }}",
    "\(long)\(longArray){{ a | where: 'y' }}",
    "\(long)\(longArray){{ a | map: 15999 }}",
    "\(long){% assign a = b | split: '' %}{% for i in (1..9999) %}{% if a == a %}{% endif %}{% endfor %}",
    "\(long){% assign a = b | split: '' %}{% for i in (1..9999) %}{% case a %}{% when a %}{% endcase %}{% endfor %}",
    "\(long)\(wide){% for i in (1..9999) %}{% if b contains c %}{% endif %}{% endfor %}",
    "\(long)\(wide){% for i in (1..9999) %}{{ b | remove: c | size }}{% endfor %}",
    "\(long){% for i in (1..99999) %}{% if b == blank %}{% endif %}{% endfor %}",
    "\(long){% for i in (1..9999) %}{% if b.size == 1 %}{% endif %}{% endfor %}",
    "\(long){% for i in (1..9999) %}{% capture g %}{{ b }}{{ i }}{% endcapture %}{% cycle g: '' %}{% endfor %}",
    "{% for i in (1..20000) %}{{ a\(String(repeating: ".b", count: 400)) }}{% endfor %}",
    "{% for i in (1..20000) %}{% case 1 %}{% when 2\(String(repeating: ", 2", count: 400)) %}{% endcase %}{% endfor %}",
    "{% for i in (1..99999) %}{% ifchanged %}{{ i }}xxxxxxxx{% endifchanged %}{% endfor %}",
    "{% tablerow i in (1..99999) cols: 1 %}{% endtablerow %}",
    "{% liquid\nfor i in (1..99999)\necho 'x'\nendfor %}",
  ]

  @Test("a template that needs too much time or memory is stopped", arguments: endless)
  func stopped(source: String) {
    let thrown = #expect(throws: LiquidError.self) { try render(source) }
    #expect(thrown?.code == .limit)
  }

  @Test("the elements of an array are steps where it is written or compared")
  func elements() throws {
    let limits = limits { $0.steps = 6 }
    let context: JSONValue = ["a": [1, 2, 3, 4, 5], "b": [1, 2, 3, 4, 5, 6]]
    #expect(try render("{{ a }}", context, limits: limits) == "12345")
    #expect(throws: LiquidError.self) { try render("{{ b }}", context, limits: limits) }
    #expect(try render("{{ a | has: 0 }}", context, limits: self.limits { $0.steps = 7 }) == "true")
    #expect(throws: LiquidError.self) { try render("{{ b | has: 0 }}", context, limits: limits) }
  }

  @Test("the members of an object are steps of a loop")
  func members() throws {
    let context: JSONValue = ["o": ["a": 1, "b": 2]]
    // The loop, its members, and for each an iteration and its text.
    let limits = limits { $0.steps = 7 }
    #expect(try render("{% for p in o %}x{% endfor %}", context, limits: limits) == "xx")
    #expect(throws: LiquidError.self) {
      try render("{% for p in o %}x{% endfor %}", context, limits: self.limits { $0.steps = 6 })
    }
  }

  @Test("an array in an array counts its elements toward the limit of a value")
  func nestedElements() throws {
    let limits = limits { $0.output = 4 }
    let context: JSONValue = ["a": [1, [2, [3, 4]]], "b": [1, [2, [3, 4, 5]]]]
    #expect(try render("{{ a | reverse | size }}", context, limits: limits) == "4")
    #expect(throws: LiquidError.self) {
      try render("{{ b | reverse | size }}", context, limits: limits)
    }
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
