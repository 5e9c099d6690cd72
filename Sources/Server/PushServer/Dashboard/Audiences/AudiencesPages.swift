import PushModel
import PushPayload
import _HTTPServer

/// The pages of audiences: the list, and the builder with its live count.
enum AudiencesPages {
  static let all: [Route] = [
    .page("GET", .audiences, handler: list),
    .page("GET", .audiences, at: "/new", needs: .write) { request in
      try await page(AudienceForm(), request)
    },
    .page("POST", .audiences, at: "/new", needs: .see) { request in try await submit(request) },
    .page("GET", .audiences, at: "/:audience") { request in
      let audience = try await audience(request)
      return try await page(AudienceForm(audience), of: audience, request)
    },
    .page("POST", .audiences, at: "/:audience", needs: .see) { request in
      try await change(request)
    },
  ]

  private static let pageSize = 50

  private static func list(_ request: PageRequest) async throws -> HTTPResponse {
    try await list(request, deleted: nil)
  }

  private static func list(_ request: PageRequest, deleted: Audience?) async throws -> HTTPResponse
  {
    let (store, app) = (request.router.store, request.app.id)
    let (search, after) = (ListSearch.audiences(request), request.call.query("after"))
    let page: AudiencePage
    do throws(StoreError) {
      page = try await store.audiences(
        app: app, matching: AudienceQuery(search), after: after, limit: pageSize)
    } catch {
      guard error.code == .expiredCursor else { throw error }
      return .seeOther(search.path)
    }
    var names = try await sendNames(in: page.elements, request)
    let others = page.elements.flatMap { $0.any + $0.except }.compactMap { part -> String? in
      if case .audience(let id) = part { id } else { nil }
    }
    for other in try await store.audienceNames(Array(Set(others)), app: app) {
      names[other.id] = other.name
    }
    var rows: [AudienceList.Row] = []
    for audience in page.elements {
      let count = try await count(of: audience, request)
      rows.append(
        AudienceList.Row(audience: audience, words: audience.words(naming: names), count: count))
    }
    let view = AudienceList(
      request: request, search: search, isFirst: after == nil, page: page, rows: rows,
      deleted: deleted)
    return WebPage(title: "Audiences", section: .audiences, main: view.html).response(for: request)
  }

  /// The most notifications that the list names; it has the identifiers of others.
  private static let namedSendLimit = 100

  /// The names of notifications that audiences refer to, by their identifiers.
  private static func sendNames(
    in audiences: [Audience], _ request: PageRequest
  ) async throws(StoreError) -> [String: String] {
    var names: [String: String] = [:]
    for part in audiences.flatMap({ $0.any + $0.except }) {
      guard case .received(let send, _) = part, names[send] == nil,
        names.count < namedSendLimit
      else { continue }
      names[send] = try await ConditionChoices.name(
        ofSend: send, app: request.app.id, request.router.store)
    }
    return names
  }

  /// The number of an audience's devices; an error if an audience that it names is damaged or was deleted.
  private static func count(
    of audience: Audience, _ request: PageRequest
  ) async throws(StoreError) -> Result<AudienceCount, StoreError> {
    do throws(StoreError) {
      return .success(try await request.router.audiences.count(of: audience, at: request.now))
    } catch {
      guard error.code == .damaged || error.code == .conflict else { throw error }
      return .failure(error)
    }
  }

  private static func audience(_ request: PageRequest) async throws -> Audience {
    let id = request.call.parameter("audience")
    guard let audience = try await request.router.store.audience(id, app: request.app.id),
      id != Identifiers.everyone(in: request.app.id)
    else { throw RequestError.notFound("audience with this id") }
    return audience
  }

  /// The builder of a new audience as a part of another form.
  static func builder(
    within owner: NewAudience, _ request: PageRequest
  ) async throws -> HTTPResponse {
    try await page(AudienceForm(), request, within: owner)
  }

  /// Counts or saves an audience; `saved` is the answer to a new audience in place of the list.
  static func submit(
    _ request: PageRequest, for audience: Audience? = nil, within owner: NewAudience? = nil,
    saved: (@Sendable (Audience) async throws -> HTTPResponse)? = nil
  ) async throws -> HTTPResponse {
    var form = AudienceForm(request.form)
    let action = request.form["action"] ?? ""
    if let change = ConditionChange(action: action) {
      let focus = form.conditions.apply(change)
      return try await page(form, of: audience, request, within: owner, focus: focus)
    }
    do {
      switch (action, audience) {
      case ("save", _): return try await save(form, replacing: audience, request, saved: saved)
      case ("restore", nil):
        let audience = try await request.actions.restoreAudience(
          undoToken: request.form["deleted"] ?? "", by: request.actor)
        return .seeOther("\(request.path(.audiences))/\(audience.id)")
      default:
        _ = try form.target()
        return try await page(form, of: audience, request, within: owner)
      }
    } catch let error as RequestError {
      let isGone = error.code == .notFound && action == "save"
      let problem =
        isGone
        ? RequestError(
          error.code,
          "An audience or a notification that was chosen has been deleted. Choose another one."
        ) : error
      return try await page(form, of: audience, request, within: owner, problem: problem)
    } catch let error as StoreError where error.code == .conflict {
      return try await page(
        form, of: audience, request, within: owner, problem: RequestError(error))
    }
  }

  private static func change(_ request: PageRequest) async throws -> HTTPResponse {
    guard request.form["action"] != "delete" else { return try await delete(request) }
    return try await submit(request, for: try await audience(request))
  }

  /// Deletes an audience; a damaged audience cannot be restored.
  private static func delete(_ request: PageRequest) async throws -> HTTPResponse {
    let deleted = try await readable(request)
    try await request.actions.deleteAudience(
      request.call.parameter("audience"), by: request.actor)
    return try await list(request, deleted: deleted)
  }

  /// The audience of a request; `nil` if it is damaged.
  private static func readable(_ request: PageRequest) async throws -> Audience? {
    do {
      return try await audience(request)
    } catch let error as StoreError where error.code == .damaged {
      return nil
    }
  }

  private static func save(
    _ form: AudienceForm, replacing old: Audience?, _ request: PageRequest,
    saved: (@Sendable (Audience) async throws -> HTTPResponse)?
  ) async throws -> HTTPResponse {
    let change = AudienceChange(
      name: try SendNaming.name(BodyValue(.string(form.name), at: "The name")),
      isTest: form.isTest, target: try form.target())
    if let old {
      // The version detects a change by another user since the page was loaded.
      _ = try await request.actions.updateAudience(
        old.id, change, from: request.form["version"] ?? "", by: request.actor)
    } else {
      let audience = try await request.actions.createAudience(change, by: request.actor)
      if let saved { return try await saved(audience) }
    }
    return .seeOther(request.path(.audiences))
  }

  private static func page(
    _ form: AudienceForm, of audience: Audience? = nil, _ request: PageRequest,
    within owner: NewAudience? = nil, problem: RequestError? = nil, focus: String? = nil
  ) async throws -> HTTPResponse {
    var conditions = ConditionsView(
      conditions: form.conditions,
      choices: try await ConditionChoices(for: form.conditions, of: audience, request),
      request: request)
    conditions.showsProblems = problem != nil
    conditions.focus = focus
    let view = AudienceView(
      form: form, audience: audience, owner: owner, request: request, conditions: conditions,
      count: try await form.count(of: audience, form.conditions, request),
      problem: problem.map { ($0.message, $0.path.flatMap { $0.hasPrefix("The ") ? nil : $0 }) },
      // After a conflict the page is of the new version. Otherwise it is of the one that the user knows.
      version: problem?.code == .conflict ? nil : request.form["version"])
    return WebPage(
      title: audience?.name ?? "New audience", section: owner?.section ?? .audiences,
      main: view.html,
      scripts: ["audience.js"]
    ).response(status: problem?.status ?? 200, for: request)
  }
}
