import Markup
import PushModel

/// The menu of names for texts, with values of the audience's devices; a script inserts the chosen name.
struct PersonalizationMenu {
  /// The fields that are offered beside the attributes.
  private static let others: [Filter.BuiltIn] = [.userID, .locale]

  /// The attributes of the app, each with values of some devices.
  var attributes: [(name: String, values: [String])]

  private var names: [(title: String, name: String, values: [String])] {
    attributes.map { ($0.name, Personalization.expression(attribute: $0.name), $0.values) }
      + Self.others.map { ($0.title, $0.rawValue, []) }
  }

  var html: HTML {
    let options = names.map { title, name, values -> HTML in
      let shown = values.isEmpty ? "" : ": " + values.joined(separator: ", ")
      return "<option value=\"{{ \(name) }}\">\(title)\(shown)</option>"
    }
    let list = names.map { _, name, values -> HTML in
      "<li><code>{{ \(name) }}</code> <span class=\"muted\">\(values.joined(separator: ", "))</span></li>"
    }
    return """
      <div id="personalization"><div data-script hidden><label for="insert">Insert personalization</label>
      <select id="insert"><option value="">Choose…</option>\(options)</select></div>
      <details><summary>How to personalize text</summary>
      <p class="help">Write <code>{{ custom.first_name | default: "there" }}</code> where the value is to appear; \
      <code>default</code> is for devices without one. The names, with values of devices of the audience:</p>
      <ul class="coverage">\(list)</ul></details></div>
      """
  }
}
