import PushModel
import PushPayload
import _HTTPServer

/// The pages of imports: the upload of a file, and one import from the choice of its columns to its end.
enum ImportPages {
  static let all: [Route] = [
    page("GET") { request in try await list(request) },
    page("POST") { try await receive($0) }.waitingForOthers,
    page("GET", "/:import", handler: show),
    page("POST", "/:import", handler: submit).waitingForOthers,
    page("GET", "/:import/lines.csv", handler: lines),
  ]

  private static func page(
    _ method: String, _ path: String = "", handler: @escaping Route.PageHandler
  ) -> Route {
    .page(method, .devices, at: "/import" + path, needs: .manage, handler: handler)
  }

  static func path(_ request: PageRequest) -> String { PersonPages.path(request) + "/import" }

  /// The number of imports in the list.
  private static let listLimit = 20

  private static func list(
    _ request: PageRequest, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    let imports = try await request.router.store.fileImports(app: request.app.id, limit: listLimit)
    let view = ImportList(request: request, imports: imports, problem: problem)
    return WebPage(
      title: "Import people", section: .devices, main: view.html, scripts: ["import.js"]
    ).response(status: status, for: request)
  }

  /// Takes a form with a file, whose bytes are stored while they arrive.
  private static func receive(_ request: PageRequest) async throws -> HTTPResponse {
    do {
      var upload = try ImportUpload(request)
      let file = try await upload.receive()
      return .seeOther("\(path(request))/\(file.id)")
    } catch let error as RequestError where error.code != .forbidden {
      return try await list(request, status: error.status, problem: error.message)
    } catch let error as StoreError where error.code == .conflict {
      return try await list(request, status: 409, problem: error.message)
    } catch let error as IncomingBodyError {
      throw RequestError(.malformed, error.message)
    }
  }

  private static func show(_ request: PageRequest) async throws -> HTTPResponse {
    let file = try await request.actions.fileImport(
      request.call.parameter("import"), app: request.app.id)
    return try await page(file, read: ImportSettings(json: file.settings), request)
  }

  private static func page(
    _ file: FileImport, read settings: ImportSettings?, _ request: PageRequest, status: Int = 200,
    problem: String? = nil
  ) async throws -> HTTPResponse {
    var view = ImportView(
      request: request, file: file, settings: settings ?? ImportSettings(form: .csv),
      problem: problem)
    if view.showsSample,
      let start = try await request.router.store.part(0, ofImport: file.id, app: file.app)
    {
      view.sample = ImportSample(of: start, as: view.settings)
    }
    return WebPage(
      title: "Import of \(file.fileName)", section: .devices, main: view.html,
      scripts: ["import.js"]
    ).response(status: status, for: request)
  }

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    let id = request.call.parameter("import")
    let (actions, actor, form) = (request.actions, request.actor, request.form)
    do {
      switch form["action"] {
      case "check":
        let file = try await actions.fileImport(id, app: request.app.id)
        let settings = try await settings(form, of: file, request)
        if let problem = settings.problem {
          return try await page(
            file, read: settings, request, status: 422, problem: problem)
        }
        _ = try await actions.order(.check(settings.json), import: id, by: actor)
      case "preview":
        let file = try await actions.fileImport(id, app: request.app.id)
        return try await page(file, read: try await settings(form, of: file, request), request)
      case "start": _ = try await actions.order(.start, import: id, by: actor)
      case "stop": _ = try await actions.order(.stop, import: id, by: actor)
      case "remove":
        try await actions.removeImportFile(id, by: actor)
        return .seeOther(path(request))
      default:
        throw RequestError(
          .invalid, "unknown action; an import can be checked, started, stopped and removed")
      }
      return .seeOther("\(path(request))/\(id)")
    } catch let error as RequestError where error.code == .conflict {
      let file = try await actions.fileImport(id, app: request.app.id)
      return try await page(
        file, read: ImportSettings(json: file.settings), request, status: 409,
        problem: error.message)
    }
  }

  /// The settings of a form; those that a file suggests if another form of file was chosen.
  private static func settings(
    _ form: Form, of file: FileImport, _ request: PageRequest
  ) async throws -> ImportSettings {
    guard let chosen = form["form"].flatMap(ImportSettings.FileForm.init) else {
      throw RequestError(.invalid, "choose the form of the file")
    }
    guard chosen == .csv else { return ImportSettings(form: chosen) }
    let start = try await request.router.store.part(0, ofImport: file.id, app: file.app) ?? []
    let stored = ImportSettings(json: file.settings)?.mapping
    let separator = stored?.separator ?? .comma
    let header = ImportSample.header(of: start, separator: separator)
    guard let mapping = stored, form.fields.contains(where: { $0.name == ImportView.field(0) })
    else {
      var mapping = ColumnMapping(suggestedFor: header)
      mapping.separator = separator
      return ImportSettings(form: .csv, mapping: mapping)
    }
    let columns = mapping.columns.indices.map { place in
      form[ImportView.field(place)].flatMap { ImportColumn(name: $0) }
    }
    return ImportSettings(
      form: .csv,
      mapping: ColumnMapping(columns: columns, platform: form["platform"], separator: separator))
  }

  /// The lines of a file that are rejected or lose a part, as CSV, with their fields if the file is CSV.
  private static func lines(_ request: PageRequest) async throws -> HTTPResponse {
    let store = request.router.store
    let file = try await request.actions.fileImport(
      request.call.parameter("import"), app: request.app.id)
    guard let settings = ImportSettings(json: file.settings), !file.isFileRemoved,
      let start = try await store.part(0, ofImport: file.id, app: file.app)
    else {
      throw RequestError(
        .notFound, "the file was removed, so its lines can no longer be listed; upload it again")
    }
    let header = ImportSample(of: start, as: settings).header
    let rows = ImportFaultRows(file, read: settings, store)
    return try await CSVTable.stream(
      named: "lines-\(file.id).csv", header: ["line", "problem"] + header
    ) { _ in try await rows.next() }
  }
}

/// The rows of the list of a file's faults, which is read part by part while it is sent.
private actor ImportFaultRows {
  private let file: FileImport
  private let store: any PushStore
  private var faults: ImportFaults
  private var part = 0

  init(_ file: FileImport, read settings: ImportSettings, _ store: any PushStore) {
    (self.file, self.store, faults) = (file, store, ImportFaults(settings))
  }

  func next() async throws -> CSVTable.Page {
    guard part <= file.parts else { return ([], nil) }
    let bytes = try await store.part(part, ofImport: file.id, app: file.app)
    if bytes == nil, part < file.parts {
      throw RequestError.notFound("file of this import")
    }
    part += 1
    do {
      var found = try faults.read(bytes)
      let named = faults.takeNamed()
      let owners = try await store.owners(of: named.keys.sorted(), app: file.app)
      for (id, owner) in owners where owner.isErased {
        if let row = named[id] { found.append(ImportFaults.erased(row)) }
      }
      let rows = found.sorted { $0.line < $1.line }.map {
        [String($0.line), $0.problem] + $0.fields
      }
      return (rows, part <= file.parts ? String(part) : nil)
    } catch let error as RequestError {
      // The rest of the file cannot be read, and the import has ended there, too.
      part = file.parts + 1
      return ([["", error.message]], nil)
    }
  }
}
