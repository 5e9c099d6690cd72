import PushPayload
import Testing

@Suite("Filters of arrays")
struct ArrayFilterTests {
  static let basket: JSONValue = [
    "tags": ["sale", "new", "salmon"],
    "sizes": [4, 2, 8],
    "items": [
      ["name": "Tea", "price": 3.5, "gift": true], ["name": "Cup", "price": 12],
      ["name": "Jug", "gift": false],
    ],
    "nested": [1, [2, [3, ["4.5"]]]],
    "gap": ["a", .null, "c"],
    "none": [],
    "device": ["city": "Bern", "age": 7],
  ]

  static let table: [(source: String, text: String)] = [
    // With one argument over strings, an element is chosen where it contains the argument.
    ("{{ tags | has: 'new' }} {{ tags | has: 'old' }} {{ none | has: 'new' }}", "true false false"),
    ("{{ tags | find: 'sal' }} {{ tags | find: 'old' | default: '-' }}", "sale -"),
    ("{{ tags | find_index: 'salm' }}", "2"),
    ("{{ tags | where: 'sal' | join }}|{{ tags | reject: 'sal' | join }}", "sale salmon|new"),
    ("{{ tags | where: 'new', 'new' | join }}", "new"),
    // Over numbers, the argument is a bit.
    ("{{ sizes | has: 1 }}", "true"),
    // Over objects, an element is chosen where its member is true or equals the second argument.
    ("{{ items | where: 'gift' | map: 'name' | join }}", "Tea"),
    ("{{ items | reject: 'gift' | map: 'name' | join }}", "Cup Jug"),
    ("{{ items | where: 'gift', false | map: 'name' | join }}", "Jug"),
    ("{{ items | where: 'price', 12 | map: 'name' | join }}", "Cup"),
    ("{% assign i = items | find: 'name', 'Jug' %}{{ i.gift }}", "false"),
    // `nil` as the second argument counts as none.
    ("{{ items | reject: 'price', nope | map: 'name' | join }}", "Jug"),
    // A list with an element that has no members has no answer.
    ("{{ gap | has: 'c' | default: 'none' }} {{ gap | has: 'a' }}", "none true"),
    ("{{ gap | where: 'c' | default: 'none' }}", "none"),
    // Arrays in an array are read as if their elements stood in it.
    ("{{ nested | join: '-' }} {{ nested | sum }}", "1-2-3-4.5 10.5"),
    ("{{ nested | concat: nested | size }}", "6"),
    ("{{ nested | reverse | first }} {{ nested | map: 0 | join }}", "4.5 1 0 1 4"),
    ("{{ items | sum: 'price' }} {{ items | map: 'price' | compact | size }}", "15.5 2"),
    ("{{ items | compact: 'price' | size }} {{ items | uniq: 'gift' | size }}", "2 3"),
    ("{{ tags | sort: nope | join }} {{ gap | sort | join: ',' }}", "new sale salmon a,c,"),
    ("{{ items | sort: 'price' | map: 'name' | join }}", "Tea Cup Jug"),
    ("{{ items | sort_natural: 'name' | map: 'name' | join }}", "Cup Jug Tea"),
    // An object is a list of pairs in a loop, and one element of a filter.
    ("{% for pair in device %}{{ pair[0] }}={{ pair[1] }};{% endfor %}", "age=7;city=Bern;"),
    ("{{ device.size }} {{ device | size }} {{ device.first | join: '=' }}", "2 2 age=7"),
    (
      "{{ device }} {{ device | where: 'city', 'Bern' | size }}",
      "{\"age\"=>7, \"city\"=>\"Bern\"} 1"
    ),
    ("{{ items | last }}", "{\"gift\"=>false, \"name\"=>\"Jug\"}"),
    ("{% if device contains 'age' %}a{% endif %}{% if device contains 'x' %}b{% endif %}", "a"),
    ("{% if none == empty %}e{% endif %}{% if device == empty %}d{% endif %}", "e"),
    ("{% if device == device %}e{% endif %}{% if items[0] == items[1] %}d{% endif %}", "e"),
    ("{% for i in (1..1) %}{{ forloop }}{% for x in forloop %}x{% endfor %}{% endfor %}", ""),
    // `nil` and `false` are contained in nothing.
    ("{% if gap contains nil %}a{% endif %}{% if gap contains nope %}b{% endif %}", ""),
    ("{% if gap contains 'c' %}a{% endif %}{% if tags contains 'sal' %}b{% endif %}", "a"),
  ]

  @Test("a filter chooses, joins and sums", arguments: table)
  func rendering(source: String, text: String) throws {
    #expect(try render(source, Self.basket) == text)
  }

  @Test("an object writes quotes and line ends as escapes")
  func escapes() throws {
    let context: JSONValue = ["o": ["k\"": "a\"b\\\n\r\t", "n": .null, "l": [1, "x", [:]]]]
    #expect(
      try render("{{ o }}", context)
        == #"{"k\""=>"a\"b\\\n\r\t", "l"=>[1, "x", {}], "n"=>nil}"#)
  }
}
