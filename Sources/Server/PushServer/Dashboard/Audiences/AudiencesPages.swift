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
    var rows: [AudienceList.Row] = []
    for audience in page.elements {
      let count = try await count(of: audience, request)
      rows.append(AudienceList.Row(audience: audience, count: count))
    }
    let view = AudienceList(
      request: request, search: search, isFirst: after == nil, page: page, rows: rows,
      deleted: deleted)
    return WebPage(title: "Audiences", section: .audiences, main: view.html).response(for: request)
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
    let form = AudienceForm(request.form)
    let wantsJSON = request.http.header("Accept")?.hasPrefix("application/json") == true
    do {
      switch (request.form["action"], audience) {
      case ("save", _): return try await save(form, replacing: audience, request, saved: saved)
      case ("restore", nil):
        let audience = try await request.actions.restoreAudience(
          undoToken: request.form["deleted"] ?? "", by: request.actor)
        return .seeOther("\(request.path(.audiences))/\(audience.id)")
      default:
        guard wantsJSON else { return try await page(form, of: audience, request, within: owner) }
        let count = try await count(form, request)
        return .json([
          "targeted": .integer(Int64(count.targeted)),
          "push_enabled": .integer(Int64(count.pushEnabled)),
          "quiet": .integer(Int64(count.quiet)),
        ])
      }
    } catch let error as RequestError {
      guard !wantsJSON else {
        throw RequestError(error.code, form.problem(error), wait: error.wait)
      }
      return try await page(
        form, of: audience, request, within: owner, status: error.status,
        problem: form.problem(error))
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
      isTest: form.isTest, conditions: .filters(try form.filters()))
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

  private static func count(
    _ form: AudienceForm, _ request: PageRequest
  ) async throws -> AudienceCount {
    let audience = Audience(
      id: "", app: request.app.id, filters: try form.filters(), createdAt: request.now)
    return try await request.router.audiences.count(of: audience, at: request.now)
  }

  private static func page(
    _ form: AudienceForm, of audience: Audience? = nil, _ request: PageRequest,
    within owner: NewAudience? = nil, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    var view = AudienceView(
      form: form, audience: audience, owner: owner, request: request,
      fields: try await AudienceFields(request), problem: problem)
    do {
      view.count = try await count(form, request)
    } catch let error as RequestError {
      view.problem = view.problem ?? form.problem(error)
    }
    return WebPage(
      title: audience?.name ?? "New audience", section: owner?.section ?? .audiences,
      main: view.html,
      scripts: ["audience.js"]
    ).response(status: status, for: request)
  }
}

/// The field names and tags that the audience builder suggests.
struct AudienceFields: Sendable {
  /// The names of fields in the API.
  private(set) var names: [String]
  private(set) var tags: [String]

  init(_ request: PageRequest) async throws {
    let known = try await request.router.store.devices(app: request.app.id, above: nil, limit: 1000)
    var attributes: Set<String> = []
    for device in known {
      for (name, attribute) in device.attributes {
        attributes.insert(Filter.Field.attribute(attribute.kind, name: name).apiName)
      }
      for name in device.events.keys { attributes.insert(Filter.Field.event(name).apiName) }
    }
    names = Filter.BuiltIn.allCases.map(\.rawValue) + attributes.sorted()
    tags = Set(known.flatMap(\.tags)).sorted()
  }
}
