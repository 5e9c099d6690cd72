import Foundation
import PushModel
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import PushServer
@testable import _HTTPServer

/// A client of the dashboard without a browser.
///
/// It keeps the cookies of the session, of a provider's sign-in and of a known browser, and submits forms with the form token of the last page.
final class DashboardClient: Sendable {
  private struct State {
    var cookie: String?
    var providerCookie: String?
    var browserCookie: String?
    var token = ""
  }

  let fixture: Fixture
  let router: Router
  let uploads: String
  /// What the server has logged.
  let lines = Lines()
  private let state = Mutex(State())

  init(
    _ fixture: Fixture, store: (any PushStore)? = nil, secure: Bool = false,
    media: ScriptedMedia = ScriptedMedia([:]),
    provider: ScriptedProvider? = nil, identityProvider: IdentityProvider? = nil,
    publicURL: String? = nil, requiresSecondFactor: Bool = false, hasAddress: Bool = true
  ) {
    self.fixture = fixture
    uploads = fixture.directory.path("media")
    var settings = SiteSettings()
    settings.mediaFolder = uploads
    settings.isSecure = secure
    settings.mediaLoader = { media }
    settings.passwordCost = .cheap
    settings.requiresSecondFactor = requiresSecondFactor
    if hasAddress {
      settings.publicURL = publicURL ?? "\(secure ? "https" : "http")://push.example"
    }
    if let named = provider?.settings ?? identityProvider {
      settings.publicURL = "https://push.example"
      settings.identityProvider = named
    }
    if let provider { settings.http = provider }
    router = Router(
      Actions(
        store: store ?? fixture.store, secretKey: fixture.secretKey,
        clock: fixture.clock.serverClock,
        sender: fixture.apple, site: settings, log: { [lines] in lines.add($0.message) }),
      pages: Dashboard.all, unknownPage: Dashboard.unknown)
  }

  /// Another browser at the same server.
  init(sharing other: DashboardClient) {
    (fixture, router, uploads) = (other.fixture, other.router, other.uploads)
  }

  /// A client that has signed in with the fixture's key of a role.
  static func signedIn(_ fixture: Fixture, as role: APIKey.Role = .admin) async throws
    -> DashboardClient
  {
    let client = DashboardClient(fixture)
    let answer = await client.signIn(fixture.keys[role] ?? "")
    #expect(answer.status == 303, "\(answer.text)")
    return client
  }

  var cookie: String? {
    get { state.withLock(\.cookie) }
    set { state.withLock { $0.cookie = newValue } }
  }
  var providerCookie: String? {
    get { state.withLock(\.providerCookie) }
    set { state.withLock { $0.providerCookie = newValue } }
  }
  var browserCookie: String? {
    get { state.withLock(\.browserCookie) }
    set { state.withLock { $0.browserCookie = newValue } }
  }
  /// The form token of the last page.
  var token: String {
    get { state.withLock(\.token) }
    set { state.withLock { $0.token = newValue } }
  }

  func path(_ rest: String) -> String { "/apps/\(fixture.app.id)/\(rest)" }

  func get(_ path: String, headers: [(String, String)] = []) async -> Fixture.Answer {
    await request("GET", path, headers: headers)
  }

  /// Follows a link or a redirect of another site, with which browsers send no `SameSite=Strict` cookie.
  func arrive(_ path: String) async -> Fixture.Answer {
    await request("GET", path, headers: [("Sec-Fetch-Site", "cross-site")], isCrossSite: true)
  }

  @discardableResult
  func signIn(_ key: String, from address: String = "127.0.0.1") async -> Fixture.Answer {
    _ = await get("/sign-in")
    return await post("/sign-in", ["key": key], from: address)
  }

  func post(
    _ path: String, _ fields: KeyValuePairs<String, String>, headers: [(String, String)] = [],
    from address: String = "127.0.0.1"
  ) async -> Fixture.Answer {
    await post(path, fields.map { ($0.key, $0.value) }, headers: headers, from: address)
  }

  func post(
    _ path: String, _ fields: [(String, String)], headers: [(String, String)] = [],
    from address: String = "127.0.0.1"
  ) async -> Fixture.Answer {
    let form = Form([("token", token)] + fields)
    return await request(
      "POST", path,
      headers: [("Content-Type", "application/x-www-form-urlencoded")] + headers,
      body: Array(form.urlEncoded.utf8), from: address)
  }

  /// Submits a form with a file as `multipart/form-data`.
  func upload(
    _ path: String, _ fields: KeyValuePairs<String, String>, file: [UInt8], named name: String,
    in part: String = "file"
  ) async -> Fixture.Answer {
    await upload(path, fields.map { ($0.key, $0.value) }, file: file, named: name, in: part)
  }

  func upload(
    _ path: String, _ fields: [(String, String)], file: [UInt8], named name: String,
    in part: String = "file"
  ) async -> Fixture.Answer {
    var body: [UInt8] = []
    for (field, value) in [("token", token)] + fields {
      body += "--mark\r\nContent-Disposition: form-data; name=\"\(field)\"\r\n\r\n\(value)\r\n".utf8
    }
    body +=
      "--mark\r\nContent-Disposition: form-data; name=\"\(part)\"; filename=\"\(name)\"\r\n".utf8
    body += "Content-Type: image/png\r\n\r\n".utf8
    body += file
    body += "\r\n--mark--\r\n".utf8
    return await request(
      "POST", path, headers: [("Content-Type", "multipart/form-data; boundary=mark")], body: body)
  }

  func request(
    _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = [],
    from address: String = "127.0.0.1", isCrossSite: Bool = false
  ) async -> Fixture.Answer {
    let parts = path.split(separator: "?", maxSplits: 1)
    let query = parts.count > 1 ? try? Form(urlEncoded: String(parts[1])) : nil
    var fields = headers + [("Host", "push.example")]
    if let cookie, !isCrossSite { fields.append(("Cookie", cookie)) }
    if let providerCookie { fields.append(("Cookie", providerCookie)) }
    if let browserCookie, !isCrossSite { fields.append(("Cookie", browserCookie)) }
    var response = await router.respond(
      to: HTTPRequest(
        method: method, path: String(parts[0]), query: query?.fields ?? [],
        headers: fields.map { (name: $0.0, value: $0.1) }, body: body, remoteAddress: address))
    if case .stream(let chunks) = response.body.source,
      response.headers.contains(where: { $0.value.hasPrefix("text/csv") })
    {
      var bytes: [UInt8] = []
      for await chunk in chunks { bytes += chunk }
      response.body = .bytes(bytes)
    }
    let answer = Fixture.Answer(response)
    #expect(!answer.text.contains("HTML(markup"), "\(path) has markup that is written as text")
    for set in response.headers where set.name == "Set-Cookie" {
      let pair = set.value.prefix { $0 != ";" }
      let kept = pair.hasSuffix("=") ? nil : String(pair)
      if pair.contains("martlet_provider=") {
        providerCookie = kept
      } else if pair.contains("martlet_browser=") {
        browserCookie = kept
      } else {
        cookie = kept
      }
    }
    if let found = answer.text.firstMatch(of: /name="token" value="([0-9a-f]+)"/) {
      token = String(found.1)
    }
    return answer
  }
}

/// The lines of a log.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock(\.self) }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
