import Markup

/// A table of the texts of each language, with the devices of the audience that get them.
struct LanguageTexts {
  var form: ComposeForm
  var coverage: LanguageCoverage
  /// The name of the devices' group, for the caption of the table.
  var group = "the audience"
  /// Whether the numbers of devices were estimated from a share, rather than counted.
  var isAbout = false

  /// The largest number of languages without a text that are named.
  private static let namedCount = 5

  private var fields: [ComposeField] {
    ComposeForm.localizedFields.filter { !form[$0].isEmpty }
  }

  var html: HTML {
    let rows = coverage.rows.map { row -> HTML in
      let cells = fields.map { "<td dir=\"auto\">\(text(of: $0, row.language))</td>" as HTML }
      return """
        <tr><th scope="row">\(row.language.map(LanguageNames.name) ?? "Fallback")</th>\
        <td class="number">\(isAbout ? "about " : "")\(row.devices)</td>\(cells)</tr>

        """
    }
    let heads = fields.map { "<th scope=\"col\">\($0.title)</th>" as HTML }
    let table: HTML = """
      <table class="texts"><caption>How many devices of \(group) get which text</caption>
      <thead><tr><th scope="col">Language</th><th scope="col" class="number">Devices</th>\(heads)</tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "\(HTML.table("Devices and texts by language of \(group)", table))\(lacking)"
  }

  /// The text that devices of a language get, with its language if that is another one.
  private func text(of field: ComposeField, _ language: String?) -> HTML {
    guard let language else { return "\(form[field])" }
    guard let source = form.source(of: field, for: language) else {
      return "\(form[field]) <span class=\"muted\">(fallback)</span>"
    }
    let text = form.text(field, in: source) ?? ""
    return source == language
      ? "\(text)" : "\(text) <span class=\"muted\">(\(LanguageNames.name(of: source)))</span>"
  }

  /// The languages of the devices that get the fallback.
  private var lacking: HTML? {
    let named = coverage.unwritten.prefix(Self.namedCount).map { part in
      "\(part.language.map(LanguageNames.name) ?? "without a known language") \(part.devices)"
    }
    guard !named.isEmpty else { return nil }
    let more = coverage.unwritten.dropFirst(Self.namedCount).reduce(0) { $0 + $1.devices }
    return """
      <p class="help">The devices that get the fallback: \(named.joined(separator: ", "))\
      \(more > 0 ? ", of other languages \(more)" : "").</p>
      """
  }
}
