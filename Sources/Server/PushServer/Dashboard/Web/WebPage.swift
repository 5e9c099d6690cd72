import Markup
import PushModel
import PushPayload
import _HTTPServer

/// A page of the dashboard: its content with the shared layout and the security headers.
struct WebPage: Sendable {
  var title: String
  var section: Section?
  var main: HTML
  /// The file names of the page's JavaScript modules, beside `page.js`.
  var scripts: [String] = []
  /// The address that the browser opens at once, "" for the page's own; `nil` opens none.
  var refresh: String?

  /// Allows only files of this server, no inline scripts or styles, and no framing by other sites.
  static let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
    "media-src 'self'", "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'",
    "base-uri 'none'", "require-trusted-types-for 'script'",
  ].joined(separator: "; ")

  static let headers: [(String, String)] = [
    ("Content-Security-Policy", contentSecurityPolicy), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]

  /// The response with this page; with a request, the page has the navigation bar of its user.
  func response(
    status: Int = 200, for request: PageRequest? = nil, headers: [(String, String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [("Content-Type", "text/html; charset=utf-8")] + Self.headers + headers,
      body: html(for: request, isRefused: Self.refusals.contains(status)).bytes)
  }

  /// The statuses of a form that has to be changed, or submitted again.
  private static let refusals: Set<Int> = [400, 409, 413, 415, 422]

  private func html(for request: PageRequest?, isRefused: Bool) -> HTML {
    let scripts = (["page.js"] + scripts).map { name -> HTML in
      "<script type=\"module\" src=\"\(WebAssets.path(name))\"></script>\n"
    }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      \(refresh.map { "<meta http-equiv=\"refresh\" content=\"0\($0.isEmpty ? "" : "; url=\($0)")\">\n" as HTML })<title>\(isRefused ? "Error: " : "")\(title) · Martlet</title>
      <link rel="stylesheet" href="\(WebAssets.path("style.css"))">
      <link rel="icon" type="image/svg+xml" href="\(WebAssets.path("icon.svg"))">
      \(scripts)</head>
      <body>
      <a class="skip" href="#main">Skip to main content</a>
      <header class="top">
      <a class="brand" href="/"><img src="\(WebAssets.path("icon.svg"))" alt="">Martlet</a>
      \(request.map(navigation))<a class="help-link" href="\(HelpTopic.path(for: request))">Help</a>
      </header>
      <main id="main" tabindex="-1">
      \(main)
      </main>
      </body>
      </html>

      """
  }

  /// The button that composes, and the sections and the account, which a phone shows as a menu.
  private func navigation(_ request: PageRequest) -> HTML {
    func current(_ section: Section) -> HTML {
      section == self.section ? " aria-current=\"page\"" : ""
    }
    let links = Section.navigation.filter(request.mayOpen).map { section -> HTML in
      "<li><a href=\"\(request.path(section))\"\(current(section))>\(section.title)</a></li>"
    }
    let compose: HTML = """
      <a class="button primary compose-link" href="\(request.path(.compose))"\(current(.compose))>Compose</a>
      """
    return """
      \(compose, if: request.mayOpen(.compose))
      <button type="button" class="menu-button" popovertarget="menu">Menu</button>
      <div class="bar" id="menu" popover>
      <nav aria-label="Sections"><ul>\(links)</ul></nav>
      <div class="account">
      \(appMenu(request))\(request.person.map(accountLink))
      <form method="post" action="/sign-out">\(request.session.tokenField)\
      <button class="quiet">Sign out</button></form>
      </div>
      </div>

      """
  }

  private func accountLink(_ person: Person) -> HTML {
    "<a href=\"\(AccountPages.path)\"><span class=\"hidden\">Your account: </span>\(person.name)</a>"
  }

  /// The menu with the name of the app, which leads to the session's other apps.
  private func appMenu(_ request: PageRequest) -> HTML {
    let others = request.apps.filter { $0.id != request.app.id }.map { app -> HTML in
      "<li><a href=\"/apps/\(app.id)/\((section ?? .home).rawValue)\">\(app.name)</a></li>"
    }
    return """
      <details class="menu"><summary><span class="hidden">App: </span>\(request.app.name)</summary>
      <ul>\(others)<li><a href="/sign-in">Sign in to another app</a></li></ul></details>
      """
  }
}

extension Session {
  /// The hidden field with the form token, which every form contains.
  var tokenField: HTML { "<input type=\"hidden\" name=\"token\" value=\"\(formToken)\">" }
}

extension HTML {
  /// A time to the minute in UTC, which a script converts to the viewer's time zone.
  static func time(_ time: Timestamp) -> HTML {
    "<time datetime=\"\(time.iso8601)\">\(time.utcText)</time>"
  }

  /// A time to the minute that clocks show, whatever their time zone, written as if it were UTC.
  static func wallTime(_ time: Timestamp) -> HTML {
    "<time datetime=\"\(time.iso8601)\" data-wall>\(time.utcText.prefix(16))</time>"
  }

  /// A time to the second in UTC, which a script converts to the viewer's time zone.
  static func timeWithSeconds(_ time: Timestamp) -> HTML {
    let text = time.iso8601.prefix(19).replacing("T", with: " ") + " UTC"
    return "<time datetime=\"\(time.iso8601)\" data-seconds>\(text)</time>"
  }

  /// An error message, which screen readers announce immediately.
  static func alert(_ text: String) -> HTML { "<p class=\"alert\" role=\"alert\">\(text)</p>" }

  /// The mistake that prevents a form from being submitted, with the focus, because a page that is loaded
  /// again looks as if nothing had happened.
  ///
  /// `field` is the id of the field to which the text leads.
  static func problem(_ text: String, at field: String? = nil) -> HTML {
    let shown: HTML = field.map { "<a href=\"#\($0)\">\(text)</a>" } ?? "\(text)"
    return "<p class=\"alert\" role=\"alert\" tabindex=\"-1\" autofocus>\(shown)</p>"
  }

  /// The time of day of a moment in UTC, which a script converts to the viewer's time zone.
  static func clock(_ time: Timestamp) -> HTML {
    "<time datetime=\"\(time.iso8601)\" data-clock>\(time.iso8601.dropFirst(11).prefix(5))</time>"
  }

  /// A time in words to the minute, which a script converts to the viewer's time zone and names.
  static func timeInWords(_ time: Timestamp) -> HTML {
    "<time datetime=\"\(time.iso8601)\" data-words>\(time.utcText)</time>"
  }

  /// A table that scrolls horizontally on narrow screens, also by keyboard.
  static func table(_ label: String, _ table: HTML) -> HTML {
    "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"\(label)\">\(table)</div>"
  }
}

extension WebPage {
  /// A page that opens an address at once, by a navigation from this site.
  ///
  /// A redirect would continue the navigation that it answers. That of a form may not leave this site
  /// (`form-action`), and with one from another site browsers send no `SameSite=Strict` cookie.
  static func opening(_ address: String, _ name: String) -> WebPage {
    WebPage(
      title: "Opening \(name)", main: "<p><a href=\"\(address)\">Open \(name)</a></p>",
      refresh: address)
  }
}

extension HTTPResponse {
  /// The answer to a form, which the browser shows again when the user goes back to it.
  ///
  /// Without a stored answer the browser would have to submit the form again, and shows an error page instead.
  /// Signing out removes the answer from the browser.
  var keptForBack: HTTPResponse {
    var response = self
    response.headers.removeAll { $0.name == "Cache-Control" }
    response.headers.append((name: "Cache-Control", value: "private, no-cache"))
    return response
  }

  /// A redirect that the browser follows with GET (RFC 9110, section 15.4.4).
  static func seeOther(_ path: String, headers: [(String, String)] = []) -> HTTPResponse {
    HTTPResponse(
      status: 303, headers: [("Location", path), ("Cache-Control", "no-store")] + headers)
  }
}

extension Timestamp {
  /// The time to the minute in UTC: `2026-11-21 09:30 UTC`.
  var utcText: String { iso8601.prefix(16).replacing("T", with: " ") + " UTC" }
}
