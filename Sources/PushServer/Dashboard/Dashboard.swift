import Markup
import PushPayload
import PushStore
import _HTTPServer

/// The pages at `/`, for people who do not write JSON.
///
/// They are rendered here, work without a script, and do what the API does by the API's own code.
enum Dashboard {
  static let all: [Route] =
    [
      Route("GET", "/", access: .page, handler: home),
      Route("GET", "/assets/:folder/:name", access: .open) { call, _ in try WebAssets.answer(call)
      },
      Route("GET", "/apps/:app", access: .page, handler: home),
    ] + SignIn.all + ComposePages.all + SendsPages.all + AudiencesPages.all + DevicesPages.all
    + ReportsPages.all + SettingsPages.all

  /// The first page of an app that the session opens.
  private static func home(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let session = api.session(of: call.request) else { return .seeOther("/sign-in") }
    let opened = try await Visit.Opened(session, from: call.request.remoteAddress, api.store)
    let named = opened.apps.first { $0.app.id == call.parameters["app"] }
    guard let (app, key) = named ?? opened.apps.first,
      let section = Section.allCases.first(where: { $0.admits(key.role) })
    else {
      guard opened.hasServerKey else { return .seeOther("/sign-in") }
      return noApp(session)
    }
    return .seeOther(section.path(app: app.id))
  }

  private static func noApp(_ session: Session) -> HTTPResponse {
    let main: HTML = """
      <h1>No app yet</h1>
      <p>An app is a bundle id with the key that Apple gave its team. Make the first one:</p>
      <pre tabindex="0"><code>martlet apps create --bundle-id com.example.app --team-id TEAM123456 \
      --key-id KEY1234567 --key-file AuthKey_KEY1234567.p8</code></pre>
      <p>Then <a href="/">load this page again</a>.</p>
      <form method="post" action="/sign-out">\(session.tokenField)<button>Sign out</button></form>
      """
    return WebPage(title: "No app yet", main: main).response()
  }
}

extension Route {
  typealias PageHandler = @Sendable (Visit) async throws -> HTTPResponse

  /// A page of a section: `path` goes on from `/apps/:app/SECTION`.
  static func page(
    _ method: String, _ section: Section, at path: String = "", _ handler: @escaping PageHandler
  ) -> Route {
    Route(method, "/apps/:app/\(section.rawValue)\(path)", access: .page) { call, api in
      try await Dashboard.answer(call, api, section, handler)
    }
  }
}

extension Dashboard {
  /// Lets in who may, checks where a form came from, and shows what went wrong as a page.
  fileprivate static func answer(
    _ call: Call, _ api: API, _ section: Section, _ handler: Route.PageHandler
  ) async throws -> HTTPResponse {
    let session = api.session(of: call.request)
    let isForm = call.request.method == "POST"
    guard var visit = try await visit(call, api, session) else {
      // What was typed is not lost: it waits in the form for the key.
      let form = isForm ? try? Form(call.request) : nil
      return SignIn.page(
        call, api, session: session, status: 401,
        SignIn.Again(
          next: call.request.path, kept: form.map { $0.kept },
          problem: isForm ? "The session is over." : nil))
    }
    do {
      try api.limit(visit.key, call.request.remoteAddress)
      guard section.admits(visit.key.role) else {
        throw APIError(403, "this key may not see \(section.title)")
      }
      if isForm {
        visit.form = try Form(call.request)
        guard visit.session.issued(visit.form["token"]) else { return try earlier(visit) }
      }
      var response = try await handler(visit)
      if visit.session.expiresAt < visit.now + Session.life / 2 {
        response.headers.append(api.cookie(visit.session))
      }
      return response
    } catch let error as APIError {
      return problem(error, in: section, visit)
    } catch let error as StoreError {
      return problem(APIError(error), in: section, visit)
    }
  }

  /// What a form of another session gets: one of our own pages, of before somebody signed in anew, loses
  /// no words.
  private static func earlier(_ visit: Visit) throws(APIError) -> HTTPResponse {
    guard visit.request.header("Sec-Fetch-Site") == "same-origin",
      visit.request.header("Accept")?.hasPrefix("application/json") != true
    else { throw APIError(403, "this form is from another session; load the page again") }
    return Kept.page(
      try Form(urlEncoded: visit.form.kept), next: visit.request.path, session: visit.session,
      title: "Signed in anew", status: 403)
  }

  private static func visit(
    _ call: Call, _ api: API, _ session: Session?
  ) async throws -> Visit? {
    guard let session else { return nil }
    let opened = try await Visit.Opened(session, from: call.request.remoteAddress, api.store)
    guard let (app, key) = opened.apps.first(where: { $0.app.id == call.parameter("app") }) else {
      return nil
    }
    return Visit(
      call: call, api: api, session: session, app: app, key: key, apps: opened.apps.map(\.app))
  }

  private static func problem(
    _ error: APIError, in section: Section, _ visit: Visit
  ) -> HTTPResponse {
    // A script shows the text itself.
    if visit.request.header("Accept")?.hasPrefix("application/json") == true {
      return error.response
    }
    let back =
      section.admits(visit.key.role)
      ? (path: visit.path(section), title: "Back to \(section.title)")
      : (path: "/apps/\(visit.app.id)", title: "To what this key opens")
    let main: HTML = """
      <h1>That did not work</h1>
      \(.alert(error.message))
      <p><a href="\(back.path)">\(back.title)</a></p>
      """
    return WebPage(title: "Problem", section: section, main: main).response(
      status: error.status, for: visit, headers: error.headers)
  }
}

extension API {
  func session(of request: HTTPRequest) -> Session? {
    Session(request, sealedWith: secretKey, at: clock.now())
  }

  func cookie(_ session: Session) -> (name: String, value: String) {
    session.cookie(sealedWith: secretKey, secure: site.isSecure, at: clock.now())
  }
}
