import APNsSandbox
import PushServer
import _HTTPServer

/// The order of `POST /phones/TOKEN/offline` or `/online`: take a phone off the network, or bring it back.
struct PhoneOrder: Hashable {
  var token: String
  var isOnline: Bool

  /// Reads a path; `nil` if it is another one.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "phones",
      ["offline", "online"].contains(parts[3])
    else { return nil }
    (token, isOnline) = (parts[2], parts[3] == "online")
  }
}

extension SandboxPageRoutes {
  /// Performs an order of a page of this server, or of a program.
  func answer(_ request: HTTPRequest, _ order: PhoneOrder) async -> HTTPResponse {
    guard request.method == "POST" else {
      return Self.text(405, "Send POST to this path.\n", headers: [("Allow", "POST")])
    }
    // A browser names the site that sends the request; a page of another one must not switch phones off.
    if let origin = request.header("origin"), origin != "http://\(request.header("host") ?? "")" {
      return Self.text(403, "A page of another site cannot do this.\n")
    }
    let token: String
    do throws(PushToken.Refusal) { token = try PushToken.read(order.token) } catch {
      return Self.text(400, "The token \(error.reason).\n")
    }
    if order.isOnline {
      await phones.reconnect(token)
      return Self.text(200, "The phone is online.\n")
    }
    guard await phones.disconnect(token) else {
      return Self.text(503, "Too many phones are offline; bring one back.\n")
    }
    return Self.text(200, "The phone is offline.\n")
  }
}
