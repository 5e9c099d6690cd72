import Liquid
import Testing

@Suite("The names that a template reads", .timeLimit(.minutes(10)))
struct ReferenceTests {
  private func names(_ source: String) throws -> [String] {
    try Template(source).references.map { reference in
      reference.path.joined(separator: ".") + (reference.needsDefault ? "!" : "")
    }
  }

  @Test(
    "names are found wherever they are read; those that write nothing without a value need a default",
    arguments: [
      ("Hi", []), ("{{ custom.name }}", ["custom.name!"]),
      ("{{ custom['first name'] }}{{ custom[\"name\"] }}", ["custom.first name!", "custom.name!"]),
      ("{{ ['user_id'] }}", ["user_id!"]),
      ("{{ custom.name | default: 'you' }}", ["custom.name"]),
      ("{{ custom.name | upcase | default: 'you' }}", ["custom.name"]),
      ("{{ custom.on | default: true, allow_false: true }}", ["custom.on"]),
      ("{{ custom.name | default: user_id }}", ["custom.name", "user_id"]),
      ("{{ custom.name | append: custom.last }}", ["custom.name!", "custom.last"]),
      ("{{ custom.name }} {{ custom.name }}", ["custom.name!"]),
      ("{% if custom.name %}Hi {{ custom.name }}{% else %}Hi{% endif %}", ["custom.name"]),
      (
        "{% if custom.a %}{{ custom.b }}{% endif %}{{ custom.a }}",
        ["custom.a", "custom.b!", "custom.a!"]
      ),
      ("{% unless custom.n == nil %}{{ custom.n }}{% endunless %}", ["custom.n"]),
      ("{% case custom.tier %}{% when 'a' %}{{ custom.tier }}{% endcase %}", ["custom.tier"]),
      ("{% assign n = custom.name %}{{ n }}", ["custom.name"]),
      ("{% capture n %}{{ custom.name }}{% endcapture %}{{ n }}", ["custom.name!"]),
      ("{% for tag in tags %}{{ tag }}{{ forloop.index }}{% endfor %}", ["tags"]),
      (
        "{{ tag }}{% for tag in custom.all limit: custom.n %}{{ tag }}{% else %}{{ tag }}{% endfor %}",
        ["tag!", "custom.all", "custom.n"]
      ),
      ("{% for i in (1..custom.n) %}{{ i }}{% endfor %}", ["custom.n"]),
      ("{% increment n %}{{ n }}", []), ("{% cycle custom.a, 'b' %}", ["custom.a!"]),
      ("{% ifchanged %}{{ custom.a }}{% endifchanged %}", ["custom.a!"]),
      ("{% echo custom.a %}", ["custom.a!"]),
      ("{{ custom.list[custom.index] }}", ["custom.list!", "custom.index"]),
      ("{% raw %}{{ custom.a }}{% endraw %}{% comment %}{{ custom.b }}{% endcomment %}", []),
    ])
  func references(source: String, expected: [String]) throws {
    #expect(try names(source) == expected)
  }
}
