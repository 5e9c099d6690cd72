import Markup
import PushModel
import PushPayload
import _HTTPServer
import _OpenSSLCrypto

/// The pages of in-app messages: the list, one message with its numbers, and its edit.
enum MessagesPages {
  static let path = "/messages"

  static let all: [Route] = [
    .page("GET", .sends, at: path, handler: list),
    .page("GET", .sends, at: path + "/:message") { request in
      try await page(try await message(request), request)
    },
    .page("POST", .sends, at: path + "/:message", needs: .stop, handler: unpublish),
    .page("GET", .sends, at: path + "/:message/edit", needs: .send) { request in
      let message = try await message(request)
      return try await form(MessageForm(message), of: message, request)
    },
    .page("POST", .sends, at: path + "/:message/edit", needs: .send, handler: save),
  ]

  private static let pageSize = 50

  static func path(of message: Message, _ request: PageRequest) -> String {
    "\(request.path(.sends))\(path)/\(message.id)"
  }

  private static func message(_ request: PageRequest) async throws -> Message {
    let id = request.call.parameter("message")
    guard let message = try await request.router.store.message(id, app: request.app.id) else {
      throw RequestError.notFound("in-app message with this id")
    }
    return message
  }

  private static func list(_ request: PageRequest) async throws -> HTTPResponse {
    let (store, app, cursor) = (
      request.router.store, request.app.id, request.call.query("after")
    )
    let search = ListSearch.messages(request)
    let page: Page<Message>
    do throws(StoreError) {
      page = try await store.messages(
        app: app, matching: MessageQuery(search, at: request.now), after: cursor, limit: pageSize)
    } catch {
      guard error.code == .expiredCursor else { throw error }
      return .seeOther(search.path)
    }
    var view = MessageList(
      request: request,
      rows: try await MessageRow.rows(
        of: page.elements, isFolded: !search.hasTriggered, request),
      total: page.total, cursor: page.cursor, search: search, isFirst: cursor == nil)
    if search.isEmpty {
      var others = MessageQuery()
      others.leavesOutTriggered = true
      let all = try await store.messages(app: app, after: nil, limit: 1).total
      let listed = try await store.messages(app: app, matching: others, after: nil, limit: 1).total
      view.leftOut = all - listed
    }
    return WebPage(title: "In-app messages", section: .sends, main: view.html)
      .response(for: request)
  }

  private static func page(
    _ message: Message, _ request: PageRequest, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    let store = request.router.store
    var view = MessageView(request: request, message: message, problem: problem)
    view.seen = try await store.impressions(of: message.id, app: message.app)
    view.readers = try await store.readers(of: message.id, app: message.app)
    view.audience = try await store.audience(message.audience, app: message.app)
    if let id = message.send { view.send = try await store.send(id, app: message.app) }
    view.preview = try await MessagePreview(message, request)
    return WebPage(title: message.title, section: .sends, main: view.html)
      .response(status: status, for: request)
  }

  private static func unpublish(_ request: PageRequest) async throws -> HTTPResponse {
    let message = try await message(request)
    guard request.form["action"] == "unpublish" else {
      throw RequestError(.invalid, "unknown action; an in-app message can be unpublished here")
    }
    do {
      _ = try await request.actions.unpublishMessage(message.id, by: request.actor)
      return .seeOther(path(of: message, request))
    } catch let error as StoreError where error.code == .conflict {
      return try await page(
        try await self.message(request), request, status: 409, problem: error.message)
    }
  }

  // MARK: The edit

  private static func form(
    _ form: MessageForm, of message: Message, _ request: PageRequest, status: Int = 200,
    problem: (text: String, field: String?)? = nil
  ) async throws -> HTTPResponse {
    var view = MessageFormView(request: request, message: message, form: form, problem: problem)
    if let changed = form.changed(message) {
      view.preview = try await MessagePreview(changed, request)
    }
    let response = WebPage(
      title: "Edit in-app message", section: .sends, main: view.html, scripts: ["message.js"]
    ).response(status: status, for: request)
    return request.http.method == "POST" ? response.keptForBack : response
  }

  private static func save(_ request: PageRequest) async throws -> HTTPResponse {
    let (message, form) = (try await message(request), MessageForm(request.form))
    guard request.form["action"] != "preview" else {
      return try await self.form(form, of: message, request)
    }
    guard form.version == MessageForm.version(of: message) else {
      return try await self.form(
        form, of: message, request, status: 409,
        problem: (
          "Somebody else has changed this message meanwhile. Save again to overwrite that, or open it anew.",
          nil
        ))
    }
    do {
      _ = try await request.actions.updateMessage(
        message.id, to: form.body(replacing: message), from: message, by: request.actor)
      return .seeOther(path(of: message, request))
    } catch let error as RequestError {
      let field = error.path.flatMap { MessageForm.field(at: $0) }
      let words = error.path.map { String(error.message.dropFirst($0.count)) }
      let text = field.map { "\($0.title)\(words ?? "")" } ?? error.message
      return try await self.form(
        form, of: message, request, status: error.status, problem: (text, field?.rawValue))
    } catch let error as StoreError where error.code == .conflict {
      return try await self.form(
        form, of: try await self.message(request), request, status: 409,
        problem: (error.message, nil))
    }
  }
}
