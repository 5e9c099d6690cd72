import PushModel
import PushPayload
import _HTTPServer
import _OpenSSLCrypto

/// `/templates`: payloads that an app keeps under names, with all of their versions.
enum TemplateRoutes {
  static let all: [Route] = [
    Route("GET", "/v6/templates", access: .app([.push]), operation: .listTemplates, handler: list),
    Route(
      "GET", "/v6/templates/:template", access: .app([.push]), operation: .readTemplate,
      handler: { call, router in try await newest(call, router).response(to: call) }),
    Route(
      "PUT", "/v6/templates/:template", access: .app([.push]), body: "application/json",
      operation: .saveTemplate, handler: save),
    Route(
      "DELETE", "/v6/templates/:template", access: .app([.push]), operation: .deleteTemplate,
      handler: delete),
    Route(
      "GET", "/v6/templates/:template/versions", access: .app([.push]),
      operation: .listTemplateVersions, handler: versions),
    Route(
      "GET", "/v6/templates/:template/versions/:version", access: .app([.push]),
      operation: .readTemplateVersion, handler: version),
  ]

  static let pageSize = 100

  // MARK: Reading

  private static func list(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let (app, now) = (try call.app(), router.clock.now())
    let text = try call.searchText()
    let list =
      "templates-\(app)-"
      + Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(text.utf8)).prefix(8)))
    let last = try call.cursor(of: list, at: now)?.position
    let page = try await router.store.templates(
      app: app, matching: text, after: last, limit: pageSize)
    return .json([
      "templates": .array(page.elements.map { .object($0.members) }),
      "meta": [
        "cursor": Cursor.next(page.cursor, of: list, at: now), "total": .integer(Int64(page.total)),
      ],
    ])
  }

  private static func newest(_ call: KeyedRequest, _ router: Router) async throws -> StoredTemplate
  {
    guard
      let template = try await router.store.template(call.parameter("template"), app: call.app())
    else { throw RequestError.notFound("template with this name") }
    return template
  }

  private static func versions(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse
  {
    let (app, name, now) = (try call.app(), call.parameter("template"), router.clock.now())
    let list = "versions-\(app)-\(name)"
    let last = try call.cursor(of: list, at: now)?.position
    let versions = try await router.store.versions(
      ofTemplate: name, app: app, before: last.flatMap { Int($0) }, limit: pageSize + 1)
    guard !versions.isEmpty || last != nil else {
      throw RequestError.notFound("template with this name")
    }
    let page = versions.prefix(pageSize)
    let position = versions.count > pageSize ? page.last.map { String($0.version) } : nil
    return .json([
      "versions": .array(page.map { .object($0.members) }),
      "meta": ["cursor": Cursor.next(position, of: list, at: now)],
    ])
  }

  private static func version(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    guard let version = Int(call.parameter("version")),
      let template = try await router.store.template(
        call.parameter("template"), version: version, app: call.app())
    else { throw RequestError.notFound("version of this template") }
    return try template.response(to: call)
  }

  // MARK: Changes

  private static func save(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let field = try call.json().required("template")
    let payload = try field.required("payload")
    let isForced = try field["force"]?.bool() ?? false
    let expected = try call.expectedVersion()
    do {
      return try await router.actions.saveTemplate(
        payload, as: call.parameter("template"), after: expected, isForced: isForced,
        by: call.actor
      ).response(to: call)
    } catch let error as StoreError where error.code == .conflict && expected != nil {
      throw RequestError(.outdated, error.message)
    }
  }

  private static func delete(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let expected = try call.expectedVersion()
    do {
      let template = try await router.actions.deleteTemplate(
        call.parameter("template"), after: expected, by: call.actor)
      return .json(["template": template.answer])
    } catch let error as StoreError where error.code == .conflict && expected != nil {
      throw RequestError(.outdated, error.message)
    }
  }
}

extension KeyedRequest {
  /// The version that must be the newest: that of `If-Match`, or 0 with `If-None-Match: *`; `nil` if
  /// neither is there.
  fileprivate func expectedVersion() throws(RequestError) -> Int? {
    if let field = request.header("If-None-Match") {
      guard field.trimmingPrefix(" ") == "*", request.header("If-Match") == nil else {
        throw RequestError(.invalid, "If-None-Match must be *, and be without If-Match")
      }
      return 0
    }
    guard let field = request.header("If-Match"), field != "*" else { return nil }
    guard let match = field.wholeMatch(of: /"(\d{1,9})"/), let version = Int(match.1) else {
      throw RequestError(.invalid, "If-Match must be the ETag of the template, such as \"3\"")
    }
    return version
  }
}

extension StoredTemplate {
  fileprivate var members: [String: JSONValue] {
    [
      "name": .string(name), "version": .integer(Int64(version)),
      "saved_at": .string(savedAt.iso8601), "saved_by": .optional(savedBy),
    ]
  }

  fileprivate var answer: JSONValue {
    .object(members.merging(["payload": payload]) { $1 })
  }

  /// The template with its version as the `ETag`.
  fileprivate func response(to call: KeyedRequest) throws(RequestError) -> HTTPResponse {
    let tag = "\"\(version)\""
    let response = HTTPResponse.json(
      ["template": answer], headers: [("Cache-Control", "private, no-cache"), ("ETag", tag)])
    let isKnown = call.request.method != "PUT" && call.request.hasVersion(tag)
    return isKnown ? response.notModified : response
  }
}
