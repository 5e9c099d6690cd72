import Markup
import PushModel

/// The page of an import: its columns and first lines, the result of its check, its progress and its end.
struct ImportView {
  var request: PageRequest
  var file: FileImport
  var settings: ImportSettings
  var problem: String?
  var sample: ImportSample?

  var path: String { "\(ImportPages.path(request))/\(file.id)" }
  private var report: DeviceImport.Report? {
    file.report.flatMap(DeviceImport.Report.init(stored:))
  }

  /// Whether the first lines and the choice of the columns are shown.
  var showsSample: Bool {
    switch file.state {
    case .uploaded, .checked, .failed, .stopped: !file.isFileRemoved
    case .uploading, .checking, .importing, .imported: false
    }
  }

  var html: HTML {
    """
    <p><a href="\(ImportPages.path(request))">Imports</a></p>
    <div id="import"\(" data-running", if: file.isRunning)>
    <div class="head"><h1>\(file.fileName)</h1>\(file.state.tag)</div>
    <p class="muted">\(file.sizeText) · uploaded \(.time(file.createdAt))\
    \(file.uploadedBy.map { " by \($0)" as HTML })</p>
    \((problem ?? file.problem).map { HTML.problem($0) })
    \(step)
    \(sample.map { ImportSampleView(view: self, sample: $0).html })
    \(removal)
    </div>
    """
  }

  private var step: HTML? {
    switch file.state {
    case .uploading:
      """
      <p class="note" role="status">The file is still arriving, or its upload was broken off. If this \
      stays so, upload it again.</p>
      """
    case .uploaded:
      """
      <p class="note" role="status">Choose what each column is. Then the file is checked, and nothing is \
      imported yet.</p>
      """
    case .checking, .importing: progress
    case .checked: report.map(checked)
    case .imported: report.map(imported)
    case .stopped:
      """
      <section class="card" role="status"><h2>Stopped</h2><p>About \(percent) % of the file was read. What \
      had been read is imported and stays. Importing from the beginning repeats it, also where devices have \
      changed since.</p>
      \(button("start", "Import from the beginning"))</section>
      """
    case .failed: nil
    }
  }

  // MARK: Progress

  private var percent: Int { file.size == 0 ? 0 : file.progress * 100 / file.size }

  private var progress: HTML {
    let isImport = file.state == .importing
    return """
      <section class="card"><h2 id="progress-title">\(isImport ? "Importing" : "Checking")</h2>
      <progress max="\(max(1, file.size))" value="\(file.progress)" aria-labelledby="progress-title"></progress>
      <p role="status">\(percent) % of \(file.sizeText)</p>
      <p>The server goes on when you close this page. \
      \("If that server stops, another one goes on after a minute. ", if: isImport)\
      <a href="\(path)">Reload</a> to see how far it is.</p>
      \(restart)\(button("stop", isImport ? "Stop the import" : "Stop"))</section>
      """
  }

  private var restart: HTML? {
    guard file.attempts > 1 else { return nil }
    return """
      <p class="note">The server that worked on the file stopped, so another one reads it again. \
      \("Lines that are imported already are not imported again.", if: file.state == .importing)</p>
      """
  }

  // MARK: Results

  private func checked(_ report: DeviceImport.Report) -> HTML {
    let count = report.accepted
    let devices = count == 1 ? "1 device" : "\(count) devices"
    return """
      <section class="card"><h2>2. Look at the check, and import</h2>
      \(counts(report, [("New", count - report.known), ("Known, updated", report.known)]))
      \(count == 0
        ? "<p class=\"alert\" role=\"status\">No line can be imported. See the reasons below, or choose other columns.</p>"
        : button("start", "Import \(devices)", isMain: true))
      </section>\(lines(report))
      """
  }

  private func imported(_ report: DeviceImport.Report) -> HTML {
    """
    <section class="card"><h2>Imported</h2>
    \(counts(report, [("Imported", report.accepted)]))
    \(report.leftWithoutToken == 0 ? nil : """
      <p>\(report.leftWithoutToken) other devices have no push token any more: it belongs to an ID of the file.</p>
      """)
    <p><a class="button primary" href="\(PersonPages.path(request))">People</a></p></section>\(lines(report))
    """
  }

  private func counts(
    _ report: DeviceImport.Report, _ accepted: [(name: String, count: Int)]
  ) -> HTML {
    let all =
      accepted + [("Imported in part", report.acceptedWithLosses), ("Rejected", report.rejected)]
      + (report.skipped > 0 ? [("Empty lines", report.skipped)] : [])
    let items = all.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" as HTML }
    return "<dl class=\"counts\">\(items)</dl>"
  }

  private func lines(_ report: DeviceImport.Report) -> HTML? {
    let count = report.rejected + report.acceptedWithLosses
    guard count > 0 else { return nil }
    let rows = report.lines.map { row -> HTML in
      "<tr><th scope=\"row\" class=\"number\">\(row.line)</th><td>\(row.error)</td></tr>"
    }
    let table: HTML = """
      <table><caption>\(report.lines.count < count ? "The first \(report.lines.count) of \(count)" : "\(count)") \
      \(count == 1 ? "line" : "lines")</caption><thead><tr><th scope="col" class="number">Line</th>\
      <th scope="col">Problem</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    let download: HTML? =
      file.isFileRemoved
      ? nil
      : """
      <p><a class="button" href="\(path)/lines.csv">Download \(count == 1 ? "this line" : "these lines") \
      as CSV</a></p>
      """
    return """
      <details><summary>Lines that are rejected, or imported in part (\(count))</summary>
      \(HTML.table("Lines with problems", table))\(download)</details>
      """
  }

  // MARK: Forms

  private func button(_ action: String, _ title: String, isMain: Bool = false) -> HTML {
    """
    <form method="post" action="\(path)">\(request.session.tokenField)
    <button name="action" value="\(action)"\(" class=\"primary\"", if: isMain)>\(title)</button></form>
    """
  }

  private var removal: HTML? {
    guard !file.isRunning else { return nil }
    guard !file.isFileRemoved else {
      return """
        <p class="help">The file was removed. To import it again, <a href="\(ImportPages.path(request))">upload \
        it</a>.</p>
        """
    }
    return """
      <form method="post" action="\(path)" class="row">\(request.session.tokenField)
      <button name="action" value="remove">Remove the file</button>
      <p class="help">It is removed by itself after a day. What was imported stays.</p></form>
      """
  }

  /// The name of the field that says what a column is.
  static func field(_ place: Int) -> String { "column-\(place)" }
}

extension FileImport {
  /// The size of the file in words.
  var sizeText: String {
    switch size {
    case ..<1000: "\(size) bytes"
    case ..<1_000_000: "\(size / 1000) kB"
    default: "\(size / 1_000_000) MB"
    }
  }
}
