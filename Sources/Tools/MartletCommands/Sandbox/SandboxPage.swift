import APNsSandbox
import Foundation
import Markup
import _HTTPServer

/// The page of `--page`, which shows the requests to the sandbox as they arrive.
final class SandboxPage: Sendable {
  private let server: HTTPServer
  private let task: Task<Void, Never>

  var port: UInt16 { server.port }

  /// Starts a server on an address of this machine.
  init(host: String, port: UInt16, feed: SandboxFeed, phones: VirtualAPNs) throws {
    let routes = SandboxPageRoutes(host: host, feed: feed, phones: phones)
    do throws(HTTPServerError) {
      server = try HTTPServer(HTTPServer.Configuration(host: host, port: port)) {
        await routes.answer($0)
      }
    } catch { throw CommandFailure("--page: \(error.sentence)", cause: error) }
    task = Task { await feed.run() }
  }

  deinit { task.cancel() }

  func stop() async {
    task.cancel()
    await server.stop()
  }
}

/// The routes of the page's server.
struct SandboxPageRoutes: Sendable {
  let host: String
  let feed: SandboxFeed
  let phones: VirtualAPNs

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    // Another site whose name resolves to this machine must not read the requests (DNS rebinding).
    guard isOwnName(request.header("host")) else {
      return Self.text(421, "This page is not served under that name.\n")
    }
    if let order = PhoneOrder(request.path) { return await answer(request, order) }
    guard ["GET", "HEAD"].contains(request.method) else {
      return Self.text(405, "This page is only read.\n", headers: [("Allow", "GET, HEAD")])
    }
    switch request.path {
    case "/":
      let page = await feed.page
      return Self.text(
        200, SandboxPageMarkup.document(rows: page.rows, change: page.change).markup,
        type: "text/html")
    case "/page.css": return Self.text(200, SandboxPageMarkup.style, type: "text/css")
    case "/page.js": return Self.text(200, SandboxPageMarkup.script, type: "text/javascript")
    case "/events": return await events(request)
    default:
      guard let card = await card(request.path) else {
        return Self.text(404, "There is no such page.\n")
      }
      return HTTPResponse(
        status: 200, headers: Self.commonHeaders + [("Content-Type", "image/png")],
        body: .file(card))
    }
  }

  private func events(_ request: HTTPRequest) async -> HTTPResponse {
    let sent = request.header("last-event-id") ?? request.query.first { $0.name == "after" }?.value
    guard let stream = await feed.watch(after: sent.flatMap { Int($0) } ?? 0) else {
      return Self.text(
        503, "Too many pages follow the sandbox; close one.\n", headers: [("Retry-After", "10")])
    }
    return HTTPResponse(
      status: 200, headers: Self.commonHeaders + [("Content-Type", "text/event-stream")],
      body: .stream(stream))
  }

  /// The card for a path such as `/cards/7.png`; `nil` if row 7 has no card.
  private func card(_ path: String) async -> String? {
    guard path.hasPrefix("/cards/"), path.hasSuffix(".png"),
      let number = Int(path.dropFirst(7).dropLast(4))
    else { return nil }
    return await feed.card(ofRow: number)
  }

  /// Whether a `Host` header is a name of this machine: an IP address, `localhost`, or the host of `--page`.
  private func isOwnName(_ header: String?) -> Bool {
    guard let header else { return false }
    let isBracketed = header.hasPrefix("[")
    let name = isBracketed ? header.prefix { $0 != "]" }.dropFirst() : header.prefix { $0 != ":" }
    let digits = name.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == 0x2e }
    return isBracketed || digits || ["localhost", host.lowercased()].contains(name.lowercased())
  }

  private static let commonHeaders = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
  ]

  static func text(
    _ status: Int, _ text: String, headers: [(String, String)] = [], type: String = "text/plain"
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: Self.commonHeaders + headers + [("Content-Type", type + "; charset=utf-8")],
      body: Array(text.utf8))
  }
}
