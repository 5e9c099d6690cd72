import Markup
import PushStore
import _HTTPServer

/// `/sign-in` and `/sign-out`: a session opens what the keys that were typed in open.
enum SignIn {
  static let all: [Route] = [
    Route("GET", "/sign-in", access: .page) { call, api in
      page(call, api, session: api.session(of: call.request), Again(next: call.query("next")))
    },
    Route(
      "POST", "/sign-in", access: .page, body: "application/x-www-form-urlencoded", handler: open),
    Route(
      "POST", "/sign-out", access: .page, body: "application/x-www-form-urlencoded", handler: end),
  ]

  /// Why somebody sees the form, and what is to happen after it.
  struct Again {
    /// A path of ours.
    var next: String?
    /// A form that came too late, as ``Form/urlEncoded``.
    var kept: String?
    var problem: String?
  }

  static func page(
    _ call: Call, _ api: API, session: Session?, status: Int = 200, _ again: Again
  ) -> HTTPResponse {
    // Whatever comes from there must not put another session in the place of the one that is.
    if session == nil, call.request.header("Sec-Fetch-Site") == "cross-site" {
      return sameSite()
    }
    // A session without a key: the form's token needs one.
    let session = session ?? Session(at: api.clock.now())
    let main: HTML = """
      <div class="card narrow">
      <h1>Sign in</h1>
      \(again.problem.map(HTML.alert))
      \("<p>What you wrote is kept: it is there again once you have signed in.</p>",
        if: again.kept != nil)
      <form method="post" action="/sign-in">
      \(session.tokenField)
      <input type="hidden" name="next" value="\(again.next ?? "")">
      <input type="hidden" name="kept" value="\(again.kept ?? "")">
      <label for="key">API key</label>
      <input id="key" name="key" type="password" required autocomplete="current-password" \
      autofocus aria-describedby="key-help" spellcheck="false" autocapitalize="none">
      <p class="help" id="key-help">A key of an app with the role push, analytics or admin, or the \
      server's admin key. <code>martlet apps create</code> printed the first ones.</p>
      <button class="primary">Sign in</button>
      </form>
      </div>
      """
    return WebPage(title: "Sign in", main: main).response(
      status: status, headers: [api.cookie(session)])
  }

  /// A link on another site does not bring the cookie along; our own page that loads it again does.
  private static func sameSite() -> HTTPResponse {
    WebPage(
      title: "Opening", main: "<p><a href=\"\">Open the dashboard</a></p>", refreshes: true
    ).response()
  }

  private static func open(_ call: Call, _ api: API) async throws -> HTTPResponse {
    let form = try Form(call.request)
    let now = api.clock.now()
    var again = Again(next: form["next"], kept: form["kept"])
    func refused(_ status: Int, _ problem: String) -> HTTPResponse {
      again.problem = problem
      return page(call, api, session: api.session(of: call.request), status: status, again)
    }
    guard var session = api.session(of: call.request), session.issued(form["token"]) else {
      return refused(403, "This page had expired. Type the key once more.")
    }
    if let wait = api.signInWait(call.request.remoteAddress) {
      var response = refused(429, "Too many tries from your address. Wait \(wait) s.")
      response.headers.append((name: "Retry-After", value: String(wait)))
      return response
    }
    let hash = Identifiers.hash(ofKey: form["key"] ?? "")
    guard let key = try await api.store.admittedKey(hash: hash),
      key.limits.admits(call.request.remoteAddress)
    else { return refused(401, "No app has this key, or not for your address.") }
    guard key.role != .device else {
      return refused(403, "This is a device key, which is public. Use a push or an admin key.")
    }
    session.add(key: hash)
    var entry = call
    entry.key = key
    try await api.audit("session.open", object: nil, for: entry)
    // A new token, so that none that was known before the key opens anything.
    var fresh = Session(at: now)
    for hash in session.keys.reversed() { fresh.add(key: hash) }
    if let kept = again.kept, let form = try? Form(urlEncoded: kept), let next = again.next {
      return Kept.page(form, next: next, session: fresh, headers: [api.cookie(fresh)])
    }
    var next = again.next.flatMap { isOwn($0) ? $0 : nil }
    if next == nil { next = try await firstPage(of: key, api) }
    return .seeOther(next ?? "/", headers: [api.cookie(fresh)])
  }

  /// Where a key leads by itself, without another stop on the way.
  private static func firstPage(of key: APIKey, _ api: API) async throws -> String? {
    var app = key.app
    if app == nil { app = try await api.store.apps().first?.id }
    guard let app, let section = Section.allCases.first(where: { $0.admits(key.role) }) else {
      return nil
    }
    return section.path(app: app)
  }

  /// Whether it is a path of this server: no other host, by whichever trick of writing.
  static func isOwn(_ path: String) -> Bool {
    path.hasPrefix("/apps/")
      && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }
  }

  private static func end(_ call: Call, _ api: API) async throws -> HTTPResponse {
    guard let session = api.session(of: call.request),
      session.issued(try Form(call.request)["token"])
    else { return .seeOther("/sign-in") }
    return .seeOther("/sign-in", headers: [Session.end(secure: api.site.isSecure)])
  }
}

/// A form that came after its session was over, shown to be sent once more.
enum Kept {
  static func page(
    _ form: Form, next: String, session: Session, title: String = "Signed in again",
    status: Int = 200, headers: [(String, String)] = []
  ) -> HTTPResponse {
    guard SignIn.isOwn(next) else { return .seeOther("/", headers: headers) }
    let fields = form.fields.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
    }
    let main: HTML = """
      <div class="card narrow">
      <h1>\(title)</h1>
      <p>What you wrote is here. Nothing was sent.</p>
      <form method="post" action="\(next)">
      \(session.tokenField)
      \(fields)<button class="primary" name="action" value="preview">Go on writing</button>
      </form>
      </div>
      """
    return WebPage(title: title, main: main).response(status: status, headers: headers)
  }
}

extension Form {
  /// What is worth keeping: all but what belongs to the session and the button that was pressed.
  var kept: String {
    var form = Form(fields)
    form.set("token", nil)
    form.set("action", nil)
    return form.urlEncoded
  }
}
