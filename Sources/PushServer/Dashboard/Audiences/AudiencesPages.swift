import PushPayload
import PushStore
import _HTTPServer

/// Audiences: the list of them, and the builder, which counts while somebody builds.
enum AudiencesPages {
  static let all: [Route] = [
    .page("GET", .audiences, list),
    .page("GET", .audiences, at: "/new") { visit in try await page(AudienceForm(), nil, visit) },
    .page("POST", .audiences, at: "/new") { visit in try await act(nil, visit) },
    .page("GET", .audiences, at: "/:audience") { visit in
      let audience = try await audience(visit)
      return try await page(AudienceForm(audience), audience, visit)
    },
    .page("POST", .audiences, at: "/:audience") { visit in
      try await act(try await audience(visit), visit)
    },
  ]

  private static func list(_ visit: Visit) async throws -> HTTPResponse {
    try await list(visit, deleted: nil)
  }

  private static func list(_ visit: Visit, deleted: Audience?) async throws -> HTTPResponse {
    let (store, app) = (visit.api.store, visit.app.id)
    let named = try await store.audiences(app: app, after: nil, limit: 500).elements
      .filter { $0.name != nil }
    var rows: [(audience: Audience, count: AudienceCount)] = []
    for audience in named {
      rows.append((audience, try await visit.api.audiences.count(of: audience, at: visit.now)))
    }
    let view = AudienceList(visit: visit, rows: rows, deleted: deleted)
    return WebPage(title: "Audiences", section: .audiences, main: view.html).response(for: visit)
  }

  private static func audience(_ visit: Visit) async throws -> Audience {
    let id = visit.call.parameter("audience")
    guard let audience = try await visit.api.store.audience(id, app: visit.app.id),
      id != Identifiers.everyone(in: visit.app.id)
    else { throw APIError.notFound("audience with this id") }
    return audience
  }

  private static func act(_ audience: Audience?, _ visit: Visit) async throws -> HTTPResponse {
    let form = AudienceForm(visit.form)
    let wantsJSON = visit.request.header("Accept")?.hasPrefix("application/json") == true
    do {
      switch (visit.form["action"], audience) {
      case ("save", _): return try await save(form, audience, visit)
      case ("delete", let audience?):
        _ = try await visit.api.store(
          for: visit.apiCall("DELETE", ""), "audience.delete", audience.id
        )
        .deleteAudience(audience.id, app: visit.app.id)
        return try await list(visit, deleted: audience)
      case ("restore", nil): return try await restore(visit)
      default:
        guard wantsJSON else { return try await page(form, audience, visit) }
        let count = try await count(form, visit)
        return .json([
          "targeted": .integer(Int64(count.targeted)),
          "push_enabled": .integer(Int64(count.pushEnabled)),
          "quiet": .integer(Int64(count.quiet)),
        ])
      }
    } catch let error as APIError {
      guard !wantsJSON else { throw error }
      return try await page(form, audience, visit, status: error.status, problem: error.message)
    }
  }

  /// Undoes a deletion: what was deleted came along, sealed.
  private static func restore(_ visit: Visit) async throws -> HTTPResponse {
    guard let audience = Audience(sealed: visit.form["deleted"] ?? "", visit) else {
      throw APIError(422, "this is no audience that was deleted here")
    }
    guard try await visit.api.store.audience(audience.id, app: visit.app.id) == nil else {
      throw APIError(409, "the audience is there")
    }
    try await visit.api.store(for: visit.apiCall("PUT", ""), "audience.create", audience.id)
      .save(audience)
    return .seeOther("\(visit.path(.audiences))/\(audience.id)")
  }

  private static func save(
    _ form: AudienceForm, _ old: Audience?, _ visit: Visit
  ) async throws -> HTTPResponse {
    guard (1...255).contains(form.name.count) else {
      throw APIError.refused("The name", "must be 1 to 255 characters")
    }
    // Two people at once: the second sees what the first made of it.
    if let old, visit.form["version"] != old.updatedAt.iso8601 {
      throw APIError(
        409,
        "somebody else changed this audience meanwhile; save again to overwrite it, or load the page"
      )
    }
    var audience =
      old
      ?? Audience(
        id: Identifiers.makeObjectID(), app: visit.app.id, filters: [], createdAt: visit.now)
    audience.name = form.name
    audience.isTest = form.isTest
    audience.filters = try form.filters()
    audience.updatedAt = visit.now
    let action = old == nil ? "audience.create" : "audience.update"
    try await visit.api.store(for: visit.apiCall("PUT", ""), action, audience.id).save(audience)
    return .seeOther(visit.path(.audiences))
  }

  private static func count(
    _ form: AudienceForm, _ visit: Visit
  ) async throws -> AudienceCount {
    let audience = Audience(
      id: "", app: visit.app.id, filters: try form.filters(), createdAt: visit.now)
    return try await visit.api.audiences.count(of: audience, at: visit.now)
  }

  private static func page(
    _ form: AudienceForm, _ audience: Audience?, _ visit: Visit, status: Int = 200,
    problem: String? = nil
  ) async throws -> HTTPResponse {
    var view = AudienceView(
      form: form, audience: audience, visit: visit, fields: try await AudienceFields(visit),
      problem: problem)
    do {
      view.count = try await count(form, visit)
    } catch let error as APIError {
      view.problem = view.problem ?? error.message
    }
    return WebPage(
      title: audience?.name ?? "New audience", section: .audiences, main: view.html,
      scripts: ["audience.js"]
    ).response(status: status, for: visit)
  }
}

/// The fields that audiences choose by, with the names that some of the app's devices have.
struct AudienceFields: Sendable {
  /// As the API names them.
  private(set) var names: [String]
  private(set) var tags: [String]

  init(_ visit: Visit) async throws {
    let known = try await visit.api.store.devices(app: visit.app.id, above: nil, limit: 1000)
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
