import Markup
import PushModel
import PushPayload
import _HTTPServer

/// The pages of an app's templates, which the composer edits: the list, and each with its versions.
enum TemplatePages {
  static let path = "/templates"

  static let all: [Route] = [
    .page("GET", .compose, at: path, handler: list),
    .page("GET", .compose, at: path + "/:template", handler: show),
    .page("GET", .compose, at: path + "/:template/versions/:version/card.png", handler: card),
    .page("POST", .compose, at: path + "/:template", handler: delete),
  ]

  private static let pageSize = 50

  static func path(of name: String, _ request: PageRequest) -> String {
    "\(request.path(.compose))\(path)/\(name)"
  }

  private static func list(_ request: PageRequest) async throws -> HTTPResponse {
    let (search, after) = (ListSearch.templates(request), request.call.query("after"))
    let page = try await request.router.store.templates(
      app: request.app.id, matching: search.text,
      order: StoredTemplate.Order(rawValue: search["sort"]) ?? .name, after: after, limit: pageSize)
    let view = TemplateList(request: request, page: page, search: search, isFirst: after == nil)
    return WebPage(title: "Templates", section: .sends, main: view.html).response(for: request)
  }

  /// A version of the template that the path names, and the newest version; `nil` if the template was deleted.
  private static func template(
    _ request: PageRequest, version: Int?
  ) async throws -> (shown: StoredTemplate, newest: StoredTemplate?) {
    let (store, app, name) = (
      request.router.store, request.app.id, request.call.parameter("template")
    )
    let newest = try await store.template(name, app: app)
    var shown = newest
    if let version {
      shown = try await store.template(name, version: version, app: app)
    } else if newest == nil {
      // The audit log links to a template that was deleted, whose versions stay.
      shown = try await store.versions(ofTemplate: name, app: app, before: nil, limit: 1).first
    }
    guard let shown else { throw RequestError.notFound("template with this name and version") }
    return (shown, newest)
  }

  private static func show(_ request: PageRequest) async throws -> HTTPResponse {
    try await page(request)
  }

  private static func page(
    _ request: PageRequest, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    let (shown, newest) = try await template(
      request, version: request.call.query("version").flatMap { Int($0) })
    let store = request.router.store
    let before = request.call.query("before").flatMap { Int($0) }
    let versions = try await store.versions(
      ofTemplate: shown.name, app: request.app.id, before: before, limit: pageSize + 1)
    var people: [String: String] = [:]
    for id in Set((versions + [shown]).compactMap(\.savedBy)) {
      people[id] = try await store.account(id)?.displayName
    }
    let view = TemplateView(
      request: request, template: shown, newest: newest,
      versions: Array(versions.prefix(pageSize)), hasOlder: versions.count > pageSize,
      isFirst: before == nil,
      keys: try await store.keys(app: request.app.id) + store.keys(app: nil), people: people,
      problem: problem)
    return WebPage(title: "Template \(shown.name)", section: .sends, main: view.html)
      .response(status: status, for: request)
  }

  private static func card(_ request: PageRequest) async throws -> HTTPResponse {
    let version = Int(request.call.parameter("version"))
    let shown = try await template(request, version: version ?? 0).shown
    return try await request.card(of: shown.payload, id: shown.name, at: shown.savedAt)
  }

  private static func delete(_ request: PageRequest) async throws -> HTTPResponse {
    let name = request.call.parameter("template")
    if request.form["action"] == "preview" { return try await page(request) }
    guard request.form["action"] == "delete" else {
      throw RequestError(.invalid, "unknown action; a template can be deleted here")
    }
    do {
      _ = try await request.actions.deleteTemplate(
        name, after: request.form["version"].flatMap { Int($0) }, by: request.actor)
      return .seeOther(request.path(.compose) + path)
    } catch let error as StoreError where error.code == .conflict {
      return try await page(request, status: 409, problem: error.message)
    }
  }

  // MARK: Saving

  /// Saves the composer's form as a new template, or as the next version of the edited one.
  static func save(_ form: ComposeForm, _ request: PageRequest) async throws -> HTTPResponse {
    func refused(_ message: String, status: Int = 422) async throws -> HTTPResponse {
      try await ComposePages.page(
        form, request, status: status,
        problem: .refusal(message, at: ComposeForm.storedNameField))
    }
    guard form.kind == .push else {
      return try await refused("A template is of a push. Choose “Push only” first.")
    }
    guard StoredTemplate.isName(form.storedName) else {
      return try await refused(
        "Name the template: 1 to 64 letters, digits, dots, hyphens and underscores, without spaces."
      )
    }
    guard (form.templateProblems + form.languageProblems).isEmpty else {
      return try await ComposePages.page(form, request, status: 422)
    }
    let name = form.storedName
    do {
      let payload = BodyValue(.object(try form.payload()), at: "$.notification.payload")
      let saved = try await request.actions.saveTemplate(
        payload, as: name, after: form.editedVersion ?? 0, by: request.actor)
      guard form.editedVersion == nil else {
        return .seeOther(path(of: name, request) + "?saved=\(saved.version)")
      }
      return try await ComposePages.page(
        form, request,
        notice: """
          Saved as a template. <a href="\(path(of: name, request))">View “\(name)”</a>
          """)
    } catch let error as RequestError {
      return try await ComposePages.page(form, request, status: error.status, problem: .init(error))
    } catch let error as StoreError where error.code == .conflict {
      let isNew = (form.editedVersion ?? 0) == 0
      return try await refused(
        isNew
          ? "There is a template “\(name)” already. Choose another name, or edit that one."
          : "Somebody else has saved “\(name)” meanwhile, or deleted it. Open it anew to see that.",
        status: 409)
    }
  }
}
