import PushPayload
import Testing

@Suite("Tags of a template")
struct TagTests {
  static let context: JSONValue = [
    "list": ["one", "two"], "repeated": [3, 3, 1, 2, 2], "a name": ["b c": 42, "size": "L"],
    "key": "a name", "no": false, "yes": true,
  ]

  static let table: [(source: String, text: String)] = [
    // A `when` is rendered once for each of its values that matches, and `else` until one has matched.
    ("{% case 'b' %}{% when 'a' %}1{% when 'b', x, 'b' %}2{% when 'b' %}3{% endcase %}", "223"),
    ("{% case 'b' %}{% when 'a' %}1{% else %}2{% else %}3{% endcase %}", "23"),
    ("{% case 1 %}{% when 2 %}a{% else %}b{% when 1 %}c{% else %}d{% endcase %}", "bc"),
    ("{% for i in (1..2) %}{% case i %}{% when 1, 1 %}{% break %}{% endcase %}x{% endfor %}", ""),
    // A group of `cycle` counts for all of its tags; one with fewer values skips the turns that it lacks.
    (
      "{% cycle g: 'a', 'b', 'c' %}{% cycle g: 'x' %}{% cycle g: 'p', 'q' %}{% cycle g: 'y', 'z' %}",
      "apz"
    ),
    ("{% cycle 1: 'a', 'b' %}{% cycle '1': 'a', 'b' %}{% cycle 1: 'a', 'b' %}", "aab"),
    // Tags with the same literals share a group; one with a variable has its own.
    (
      "{% cycle 'a', 'b' %}{% cycle 'a', 'b' %}{% cycle key, 'b' %}{% cycle key, 'b' %}",
      "aba namea name"
    ),
    ("{% for i in (1..3) %}{% cycle list, 'b' %}{% endfor %}", "onetwobonetwo"),
    // `ifchanged` compares with the last output of any `ifchanged`.
    ("{% for n in repeated %}{% ifchanged %}{{ n }},{% endifchanged %}{% endfor %}", "3,1,2,"),
    ("{% ifchanged %}a{% endifchanged %}{% ifchanged %}a{% endifchanged %}", "a"),
    ("{% for i in (1..3) %}{% ifchanged %}x{% break %}{% endifchanged %}{% endfor %}y", "xy"),
    // `doc` and `comment` are not read.
    ("{% doc %}{{ a {% if %} {% enddoc %}x", "x"),
    ("a {%- doc %}b{% enddoc -%} c", "ac"),
    ("{% comment %}{{ a {% if %}{% endcomment %}x", "x"),
    ("{%- # one\n  # two\n-%} x", "x"),
    // Each line of `liquid` is a tag.
    ("{% liquid\n  assign n = 2 | plus: 1\r\n\n  if n > 2\n    echo n\n  endif\n%}!", "3!"),
    ("{% liquid liquid echo 'a' %}{% liquid\n%}{% liquid %}", "a"),
    ("{% liquid\n # no\n comment echo 'a'\n echo 'b'\n endcomment\n echo 'c' %}", "c"),
    ("{% for i in (1..3) %}{% liquid break %}{{ i }}{% endfor %}x", "x"),
    ("a {%- liquid echo 'b' -%} c", "abc"),
    (
      "{% tablerow n in list cols: 1 %}{{ n }}{{ tablerowloop.row }}{% endtablerow %}",
      "<tr class=\"row1\">\n<td class=\"col1\">one1</td></tr>\n"
        + "<tr class=\"row2\"><td class=\"col1\">two2</td></tr>\n"
    ),
    (
      "{% tablerow n in list limit: 1, offset: 1, %}{{ n }}{% endtablerow %}"
        + "{% tablerow n in nope %}{% endtablerow %}",
      "<tr class=\"row1\">\n<td class=\"col1\">two</td></tr>\n"
    ),
    // A name in brackets may have spaces, or be the value of another.
    ("{{ ['a name']['b c'] }} {{ [key].size }} {{ [list[0]] }}", "42 L "),
    ("{% assign one = 'v' %}{{ [list[0]] }}{{ [nope] }}{{ [3] }}{{ ['nope'] }}", "v"),
    ("{% increment n %}{{ ['n'] }}", "01"),
    // A block that can write only white space writes none; a block with an output keeps all of it.
    ("[{% if yes %} {% assign a = 1 %} {% else %} {% endif %}]", "[]"),
    ("[{% if yes %} {% assign a = 1 %} {% else %} {{ '' }} {% endif %}]", "[  ]"),
    ("[{% case 1 %} {% when 1 %} {% when 2 %} {% endcase %}]", "[]"),
    ("[{% case 1 %} {% when 1 %} {% when 2 %} {% echo '' %}{% endcase %}]", "[ ]"),
    ("[{% for i in (1..2) %} {% else %}x{% endfor %}]", "[  ]"),
    ("[{% unless no %} {% raw %} {% endraw %} {% endunless %}]", "[   ]"),
    ("[{% for i in (1..2) %} {% break %} {% endfor %}]", "[ ]"),
    // `allow_false` may be any value.
    ("{{ no | default: 1, allow_false: yes }} {{ no | default: 1, allow_false: nope }}", "false 1"),
    ("{{ no | default: allow_false: true }} {{ nope | default: allow_false: true }}", "false "),
    ("{{ '' | default: 'd', allow_false: yes }} {{ ['a name'] | default: 'd' | size }}", "d 2"),
    // A limit of `nil` is none, and a string has one element, whatever the limit.
    ("{% for i in list limit: nope offset: nope %}{{ i }}{% endfor %}", "onetwo"),
    ("{% for i in key limit: 0 offset: 5 %}{{ i }}{% endfor %}", "a name"),
  ]

  @Test("a tag renders its text", arguments: table)
  func rendering(source: String, text: String) throws {
    #expect(try render(source, Self.context) == text)
  }
}
