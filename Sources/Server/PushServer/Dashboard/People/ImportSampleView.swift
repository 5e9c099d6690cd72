import Foundation
import Markup
import PushModel

/// The first lines of a file with the choice of what each column is.
struct ImportSampleView {
  var view: ImportView
  var sample: ImportSample

  private var settings: ImportSettings { view.settings }
  /// The longest text of a cell that is shown whole.
  private static let cellLimit = 32

  var html: HTML {
    """
    <form method="post" action="\(view.path)" id="columns">\(view.request.session.tokenField)
    <h2>\(settings.form == .csv ? "Columns" : "Devices") and the first lines</h2>
    \(settings.form == .csv ? unused : nil)
    \(settings.form == .csv ? cells : devices)
    <div class="row import-choices">\(forms)\(settings.form == .csv ? platforms : nil)
    <button name="action" value="check">\(view.file.report == nil ? "Check the file" : "Check again")</button></div>
    </form>
    """
  }

  // MARK: A CSV file

  private var columns: [ImportColumn?] { settings.mapping?.columns ?? [] }

  /// The columns that are not imported.
  private var unused: HTML? {
    let names = zip(sample.header, columns).filter { $0.1 == nil }.map { "“\($0.0.prefix(40))”" }
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    return """
      <p>\(names.count == 1 ? "One column is" : "\(names.count) columns are") not imported: \(shown). Choose an \
      attribute for what you want to filter by or write with.</p>
      """
  }

  private var cells: HTML {
    let heads = sample.header.enumerated().map { place, name -> HTML in
      """
      <th scope="col"><label for="\(ImportView.field(place))">\(Self.shortened(name))</label>\
      \(select(place, name))</th>
      """
    }
    let rows = sample.cells.map { row -> HTML in
      let cells = row.fields.prefix(sample.header.count).enumerated().map { place, text -> HTML in
        "<td>\(cell(CSVCell.text(text), at: place))</td>"
      }
      return "<tr><th scope=\"row\" class=\"number\">\(row.line)</th>\(cells)</tr>\n"
    }
    return .table(
      "Columns and the first lines",
      """
      <table class="cells"><caption class="hidden">The first lines of the file</caption>
      <thead><tr><th scope="col" class="number">Line</th>\(heads)</tr></thead><tbody>\(rows)</tbody></table>
      """)
  }

  private func cell(_ text: String, at place: Int) -> String {
    guard columns.indices.contains(place), columns[place] == .token else {
      return Self.shortened(text)
    }
    return text.count > 8 ? "…\(text.suffix(8))" : text
  }

  static func shortened(_ text: String) -> String {
    text.count > cellLimit ? text.prefix(cellLimit) + "…" : text
  }

  private func select(_ place: Int, _ header: String) -> HTML {
    let chosen = columns.indices.contains(place) ? columns[place] : nil
    var attribute = header.trimmingWhitespace
    if case .attribute(_, let name) = chosen ?? ImportColumn(name: header) { attribute = name }
    let attributes = Attribute.Kind.allCases.map { ImportColumn.attribute($0, attribute) }
      .filter { Attribute.isName(attribute) && ImportColumn(name: $0.name) == $0 }
    func option(_ column: ImportColumn?) -> HTML {
      """
      <option value="\(column?.name ?? "")"\(" selected", if: column == chosen)>\
      \(column?.title ?? "Not imported")</option>
      """
    }
    return """
      <select id="\(ImportView.field(place))" name="\(ImportView.field(place))">\(option(nil))\
      \(ImportColumn.standard.map(option))<optgroup label="Attribute">\(attributes.map(option))</optgroup></select>
      """
  }

  private var platforms: HTML {
    let chosen = settings.mapping?.platform
    func option(_ value: String, _ title: String) -> HTML {
      "<option value=\"\(value)\"\(" selected", if: (chosen ?? "") == value)>\(title)</option>"
    }
    return """
      <div><label for="platform">Platform</label><select id="platform" name="platform">
      \(option("", "In a column"))\(option("iOS", "All are iOS"))\(option("Android", "All are Android"))
      </select></div>
      """
  }

  // MARK: Another file

  private var devices: HTML? {
    guard !sample.devices.isEmpty else { return nil }
    let rows = sample.devices.map { row -> HTML in
      switch row.device {
      case .failure(let error):
        return "<tr><td colspan=\"5\">\(error.message)</td></tr>"
      case .success(let device):
        let patch = device.patch
        let names = patch.attributes.keys.sorted().prefix(4).joined(separator: ", ")
        return """
          <tr><th scope="row"><code>…\(device.token.suffix(8))</code></th><td>\(patch.userID.shown)</td>\
          <td>\(patch.locale.shown)</td><td>\(patch.tags.shown)</td>\
          <td>\(names.isEmpty ? "–" : Self.shortened(names))</td></tr>
          """
      }
    }
    return .table(
      "The first devices",
      """
      <table class="cells"><caption class="hidden">The first devices</caption><thead><tr><th scope="col">Push token</th>\
      <th scope="col">User</th><th scope="col">Language</th><th scope="col">Tags</th>\
      <th scope="col">Attributes</th></tr></thead><tbody>\(rows)</tbody></table>
      """)
  }

  private var forms: HTML {
    let options = ImportSettings.FileForm.allCases.map { form -> HTML in
      "<option value=\"\(form.rawValue)\"\(" selected", if: form == settings.form)>\(form.title)</option>"
    }
    return """
      <div><label for="form">Form of the file</label><select id="form" name="form">\(options)</select></div>
      """
  }
}

extension ImportSettings.FileForm {
  var title: String {
    switch self {
    case .csv: "CSV"
    case .lines: "Newline-delimited JSON"
    case .oneSignal: "Export of OneSignal"
    case .airship: "Export of Airship"
    }
  }
}

extension ImportColumn {
  /// The columns other than attributes, in the order of a menu.
  fileprivate static let standard: [ImportColumn] = [
    .token, .osName, .userID, .userEmail, .id, .tags, .locale, .timeZone, .pushEnabled, .location,
  ]

  fileprivate var title: String {
    switch self {
    case .token: "Push token"
    case .osName: "Platform"
    case .userID: "User ID"
    case .userEmail: "Email"
    case .id: "Device ID"
    case .locale: "Language"
    case .timeZone: "Time zone"
    case .tags: "Tags"
    case .pushEnabled: "Opted in"
    case .location: "Latitude, longitude"
    case .attribute(.string, let name): "\(name.prefix(24)) (text)"
    case .attribute(.integer, let name): "\(name.prefix(24)) (whole number)"
    case .attribute(.float, let name): "\(name.prefix(24)) (number)"
    case .attribute(.boolean, let name): "\(name.prefix(24)) (yes or no)"
    case .attribute(.date, let name): "\(name.prefix(24)) (date)"
    }
  }
}

extension DevicePatch.Edit<String?> {
  fileprivate var shown: String {
    guard case .set(let text?) = self else { return "–" }
    return ImportSampleView.shortened(text)
  }
}

extension DevicePatch.Edit<[String]> {
  fileprivate var shown: String {
    guard case .set(let texts) = self, !texts.isEmpty else { return "–" }
    return ImportSampleView.shortened(texts.joined(separator: ", "))
  }
}

extension String {
  fileprivate var trimmingWhitespace: String { trimmingCharacters(in: .whitespaces) }
}
