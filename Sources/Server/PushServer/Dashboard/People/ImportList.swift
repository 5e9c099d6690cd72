import Markup
import PushModel

/// The page with the form for a file of devices, and the recent imports.
struct ImportList {
  var request: PageRequest
  var imports: [FileImport]
  var problem: String?

  private var path: String { ImportPages.path(request) }

  var html: HTML {
    """
    <p><a href="\(PersonPages.path(request))">People</a></p>
    <h1>Import people</h1>
    \(problem.map { HTML.problem($0, at: "file") })
    <div class="beside"><div>\(upload)\(imports.isEmpty ? nil : table)</div>\(columns)</div>
    """
  }

  private var upload: HTML {
    let limit = FileImport.sizeLimit
    return """
      <form method="post" action="\(path)" enctype="multipart/form-data" class="card" id="upload" \
      data-limit="\(limit)">
      <h2>1. Choose a file</h2>
      \(request.session.tokenField)
      <label for="file">File with devices</label>
      <input type="file" id="file" name="file" required \
      accept=".csv,.txt,.tsv,.ndjson,.jsonl,.json,text/csv,application/json" \
      aria-describedby="file-help"\(" aria-invalid=\"true\"", if: problem != nil)>
      <p class="help" id="file-help">CSV, newline-delimited JSON, or the export of OneSignal or \
      Airship, in UTF-8, up to \(limit >> 20) MB. Nothing is imported yet: you see the first ten \
      lines, what each column is taken for, and how many lines are good.</p>
      <p id="uploading" role="status"></p>
      <button class="primary">Upload and check</button>
      </form>
      """
  }

  private var columns: HTML {
    let rows: [(String, HTML)] = [
      ("Push token", "Needed. The device token of APNs, in hex digits."),
      ("Platform", "iOS or Android. Without such a column you choose one for all rows."),
      ("User ID", "The app's ID of the person. Devices with the same one are one person."),
      ("Email, language, time zone, location", "As the app would report them."),
      ("Tags", "With <code>|</code> between them."),
      ("Attributes", "Any other column: text, number, date, or yes and no."),
    ]
    let items = rows.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" as HTML }
    return """
      <section class="card"><h2>Columns of a file</h2><dl class="stacked">\(items)</dl>
      <p class="help">A device that is known by its token or ID is updated; what a file does not have \
      stays as it is. The ID of an erased device is never imported again.</p></section>
      """
  }

  private var table: HTML {
    let rows = imports.map { file -> HTML in
      let report = file.report.flatMap(DeviceImport.Report.init(stored:))
      let isOver = file.state == .imported
      return """
        <tr><th scope="row"><a href="\(path)/\(file.id)">\(file.fileName)</a>\
        <p class="phone">\(.time(file.createdAt))</p></th><td>\(file.state.tag)</td>\
        <td class="number">\(isOver ? report.map { "\($0.accepted)" } ?? "–" : "–")</td>\
        <td class="number">\(report.map { "\($0.rejected)" } ?? "–")</td>\
        <td class="wide">\(.time(file.createdAt))</td></tr>

        """
    }
    let table: HTML = """
      <table class="list"><caption class="hidden">Imports</caption><thead><tr><th scope="col">File</th>\
      <th scope="col">State</th><th scope="col" class="number">Imported</th>\
      <th scope="col" class="number">Rejected</th><th scope="col" class="wide">Uploaded</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>Recent imports</h2>\(HTML.table("Imports", table))"
  }
}

extension FileImport.State {
  var title: String {
    switch self {
    case .uploading: "arriving"
    case .uploaded: "choose columns"
    case .checking: "checking"
    case .checked: "ready to import"
    case .importing: "importing"
    case .imported: "imported"
    case .stopped: "stopped"
    case .failed: "not imported"
    }
  }

  var tag: HTML {
    switch self {
    case .imported: "<span class=\"tag good\">\(title)</span>"
    case .failed, .stopped: "<span class=\"tag bad\">\(title)</span>"
    case .uploaded, .checked: "<span class=\"tag wait\">\(title)</span>"
    case .uploading, .checking, .importing: "<span class=\"tag\">\(title)</span>"
    }
  }
}
