import Liquid
import PushPayload
import Testing

/// Tests of what `AgreementTests` cannot compare: our own behavior, and deliberate differences.
@Suite("Rendering a template")
struct RenderingTests {
  static let people: JSONValue = [
    "custom": ["name": "Zoë", "flags": "🇳🇱👨‍👩‍👧‍👦é", "when": "2026-11-21T23:30:00+02:00", "null": .null]
  ]

  static let table: [(source: String, text: String)] = [
    // Strings are cut between characters.
    ("{{ custom.flags | size }}", "3"),
    ("{{ custom.flags | truncate: 2, '' }}", "🇳🇱👨‍👩‍👧‍👦"),
    ("{{ custom.flags | slice: 1 }}", "👨‍👩‍👧‍👦"),
    ("{{ custom.flags | split: '' | join: '|' }}", "🇳🇱|👨‍👩‍👧‍👦|é"),
    ("{{ 'abcd' | truncate: 2 }}", "..."),
    ("{{ 'abcd' | truncate: -9223372036854775808 }}", "..."),
    ("{{ 'abcd' | slice: -9223372036854775808, 9223372036854775807 }}", ""),
    (
      "{{ 'abcd' | slice: 9223372036854775807 }}{{ 'a b' | truncatewords: -9223372036854775808 }}",
      "a..."
    ),
    // nil is blank, but not empty.
    ("{% if nope == blank %}b{% endif %}{% if nope == empty %}e{% endif %}", "b"),
    ("{{ 'a' | split: ',' | map: 'x' | compact | size }}", "0"),
    ("{{ 9223372036854775807 | plus: 1 }}", "9.223372036854776e+18"),
    ("{{ -9223372036854775808 | abs }}", "9.223372036854776e+18"),
    ("{{ -9223372036854775808 | divided_by: -1 }}", "9.223372036854776e+18"),
    ("{{ 'inf' | plus: 1 }}{{ 'nan' | plus: 1 }}", "11"),
    ("{{ '%zz%4' | url_decode }}", "%zz%4"),
    // Quotes are escaped as entities.
    ("{{ 'say \"hi\"' | escape }}", "say &quot;hi&quot;"),
    ("{{ 'a < b' | strip_html }}{{ '<<<<' | strip_html }}", "a < b<<<<"),
    ("{% if nope < 1 %}y{% endif %}{% if custom.flags > nope %}z{% endif %}", ""),
    (
      "{% for i in (9223372036854775806..9223372036854775807) %}{{ i }} {% endfor %}",
      "9223372036854775806 9223372036854775807 "
    ),
    ("{% assign r = (1..3) %}{{ r | reverse | join }} {{ r.size }}{{ (3..1) | first }}", "3 2 1 3"),
    (
      "{% comment %}{% comment %}{% endcomment %}{% raw %}{% endcomment %}{% endraw %}{% endcomment %}x",
      "x"
    ),
    ("{% raw -%}  {{ a }}  {%- endraw %}|", "  {{ a }}|"),
    ("a{% break %}b", "a"),
    ("{{ custom.null }}{{ custom.name.nope }}{{ custom['na' ] }}", ""),
    ("{%if custom.name=='Zoë'%}y{%endif%}", "y"),
    // A date is shown in the offset of the value.
    ("{{ custom.when | date: '%d %H:%M %z' }}", "21 23:30 +0200"),
    (
      "{{ 'now' | date: '%F %T %Z' }} {{ 'today' | date: '%s' }}",
      "2026-11-21 09:30:00 UTC 1795253400"
    ),
    (
      "{{ 0 | date: '%c|%D|%x|%R|%r|%X|%h|%L|%k|%n|%t|%Q' }}",
      "Thu Jan  1 00:00:00 1970|01/01/70|01/01/70|00:00|12:00:00 AM|00:00:00|Jan|000| 0|\n|\t|%Q"
    ),
    ("{{ 0 | date: '%^a %_m %0e %' }}", "THU  1 01 %"),
    ("{{ '2026-02-30' | date: '%F' }}{{ '2026-13-01' | date: '%F' }}", "2026-02-302026-13-01"),
    ("{{ 99999999999999 | date: '%Y' }}", "99999999999999"),
    (
      "{{ '0000-01-01' | date: '%F' }} {{ '9999-12-31 23:59:59.9' | date: '%F %T' }}",
      "0000-01-01 9999-12-31 23:59:59"
    ),
    ("{{ custom.when | date: '' }}", "2026-11-21T23:30:00+02:00"),
  ]

  @Test("Liquid in a device's value is text, also where a filter or a tag made it")
  func values() throws {
    let markup = "{{ custom.other }}{% if true %}x{% endif %}"
    let device: JSONValue = ["custom": ["name": .string(markup), "other": "y"]]
    for template in [
      "{{ custom.name }}", "{{ '' | append: custom.name }}", "{% echo custom.name %}",
      "{% assign copy = custom.name %}{{ copy }}",
      "{% capture copy %}{{ custom.name }}{% endcapture %}{{ copy }}",
    ] { #expect(try render(template, device) == markup, "\(template)") }
  }

  @Test("a template renders its text", arguments: table)
  func rendering(source: String, text: String) throws {
    #expect(try render(source, Self.people) == text)
  }

  @Test("only a template without Liquid markup has constant output")
  func constant() throws {
    #expect(try Template("50% off {x}").constant == Array("50% off {x}".utf8))
    #expect(try Template("{% raw %}{{ a }}{% endraw %}").constant == Array("{{ a }}".utf8))
    #expect(try Template("{{ a }}").constant == nil)
  }

  @Test("earlier output is kept and does not count toward the limit")
  func appends() throws {
    var output = Array("before ".utf8)
    var limits = Template.Limits()
    limits.output = 2
    try Template("ab", limits: limits).render(JSONContext([:]), now: 0, into: &output)
    #expect(String(decoding: output, as: UTF8.self) == "before ab")
  }
}
