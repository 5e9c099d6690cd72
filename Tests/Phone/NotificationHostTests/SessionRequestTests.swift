import Foundation
import MediaLoading
@testable import NotificationHost
import NotificationHostTesting
import Testing
import UserNotifications

@Suite("The requests that an extension sends by URLSession", .timeLimit(.minutes(10)))
struct SessionRequestTests {
  private typealias Fixture = SessionExtension

  /// What an extension sends, and what the report shows of it.
  struct Sent: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var method: String
    var body: String?
    var headers: [String: String] = [:]
    var send: @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
  }

  private static let receipts = "https://api/receipts"

  static let sent: [Sent] = [
    Sent(testDescription: "a data task", method: "GET") { done in
      URLSession.shared.dataTask(with: Fixture.request(receipts)) { _, _, _ in done() }.resume()
    },
    Sent(
      testDescription: "a data task with a body", method: "POST", body: #"{"id":1}"#,
      headers: ["Content-Type": "application/json", "X-Key": "1"]
    ) { done in
      var request = Fixture.request(receipts, method: "POST", body: #"{"id":1}"#)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.addValue("1", forHTTPHeaderField: "X-Key")
      URLSession.shared.dataTask(with: request) { _, _, _ in done() }.resume()
    },
    Sent(testDescription: "a stream", method: "PUT", body: "stream") { done in
      var request = Fixture.request(receipts, method: "PUT")
      request.httpBodyStream = InputStream(data: Data("stream".utf8))
      URLSession.shared.dataTask(with: request) { _, _, _ in done() }.resume()
    },
    Sent(testDescription: "an upload task", method: "POST", body: "upload") { done in
      URLSession.shared.uploadTask(
        with: Fixture.request(receipts, method: "POST"), from: Data("upload".utf8)
      ) { _, _, _ in done() }.resume()
    },
    Sent(testDescription: "an upload task of a file", method: "PUT", body: "file") { done in
      let file = FileManager.default.temporaryDirectory.appending(path: "upload")
      try? Data("file".utf8).write(to: file)
      URLSession.shared.uploadTask(
        with: Fixture.request(receipts, method: "PUT"), fromFile: file
      ) { _, _, _ in done() }.resume()
    },
    Sent(testDescription: "an awaited upload", method: "PATCH", body: "awaited") { done in
      Task {
        _ = try? await URLSession.shared.upload(
          for: Fixture.request(receipts, method: "PATCH"), from: Data("awaited".utf8))
        done()
      }
    },
    Sent(testDescription: "a request without a body", method: "DELETE") { done in
      Task {
        _ = try? await URLSession.shared.data(for: Fixture.request(receipts, method: "DELETE"))
        done()
      }
    },
  ]

  @Test("have their method, header fields and body in the report", arguments: sent)
  func record(sent: Sent) async throws {
    let network = KeptNetwork()
    let report = try await Fixture.deliver([Self.receipts: .text("ok")], app: network.keep) {
      reply in
      sent.send { reply("done") }
    }
    report.expect(.displayed, body: "done")
    let request = try #require(report.requests.first)
    #expect(request.method == sent.method && request.headers == sent.headers)
    #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == sent.body)
    #expect(network.requests.map(\.method) == [sent.method])
    #expect(network.requests.map(\.body) == [request.body])
  }

  @Test("a GET request with a body is not sent (iOS 13; Proxyman's issue 614)")
  func bodyOfGet() async throws {
    let report = try await Fixture.deliver([Self.receipts: .text("ok")]) { reply in
      let request = Fixture.request(Self.receipts, body: "x")
      URLSession.shared.dataTask(with: request) { _, _, error in reply(Fixture.describe(error)) }
        .resume()
    }
    report.expect(.displayed, body: "error -1103")
    #expect(report.requests.isEmpty)
  }

  /// A redirect and the request that follows it.
  struct Redirect: Sendable {
    var status: Int
    var method: String
    var next: String
    var keepsBody: Bool
  }

  @Test(
    "a redirect changes the method as the Fetch standard says",
    arguments: [
      Redirect(status: 301, method: "POST", next: "GET", keepsBody: false),
      Redirect(status: 302, method: "POST", next: "GET", keepsBody: false),
      Redirect(status: 303, method: "POST", next: "GET", keepsBody: false),
      Redirect(status: 303, method: "PUT", next: "GET", keepsBody: false),
      Redirect(status: 303, method: "HEAD", next: "HEAD", keepsBody: true),
      Redirect(status: 301, method: "PUT", next: "PUT", keepsBody: true),
      Redirect(status: 307, method: "POST", next: "POST", keepsBody: true),
      Redirect(status: 308, method: "POST", next: "POST", keepsBody: true),
    ], ["https://api/next", "https://other/next"])
  func redirects(redirect: Redirect, target: String) async throws {
    let report = try await Fixture.deliver([
      "https://api/start": .redirect(redirect.status, to: target), target: .text("end"),
    ]) { reply in
      let body = redirect.method == "HEAD" ? nil : "body"
      let request = Fixture.request(
        "https://api/start", method: redirect.method,
        headers: ["Authorization": "secret", "Content-Type": "text/plain", "X-Kept": "1"],
        body: body)
      URLSession.shared.dataTask(with: request) { data, response, _ in
        reply(
          "\(data.map { String(decoding: $0, as: UTF8.self) } ?? "") \(response?.url?.host() ?? "")"
        )
      }.resume()
    }
    let host = try #require(URL(string: target)?.host())
    report.expect(.displayed, body: "end \(host)")
    #expect(report.requests.map(\.method) == [redirect.method, redirect.next])
    let (first, second) = (report.requests[0], report.requests[1])
    #expect(first.headers["Authorization"] == "secret")
    #expect(second.body == (redirect.keepsBody ? first.body : nil))
    // Apple's system sends this field on to no server, not even the same (Alamofire's issue 1850).
    #expect(second.headers["Authorization"] == nil && second.headers["X-Kept"] == "1")
    #expect((second.headers["Content-Type"] != nil) == redirect.keepsBody)
  }

  @Test("follow 16 redirects, and no 17th", arguments: [(16, "end"), (17, "error -1007")])
  func tooManyRedirects(count: Int, body: String) async throws {
    var responses = ["https://a/\(count)": ScriptedNetwork.Response.text("end")]
    for number in 0..<count {
      responses["https://a/\(number)"] = .redirect(302, to: "/\(number + 1)")
    }
    let report = try await Fixture.deliver(responses) {
      let (data, _) = try await URLSession.shared.data(for: Fixture.request("https://a/0"))
      return String(decoding: data, as: UTF8.self)
    }
    report.expect(.displayed, body: body)
    #expect(report.requests.count == count + (count == 16 ? 1 : 0))
  }

  @Test("are the same over the channel of an extension process")
  func wire() throws {
    let url = try #require(URL(string: Self.receipts))
    var request = MediaRequest(url: url, headers: ["A": "b"])
    (request.method, request.body) = ("POST", Data([0, 255]))
    let data = try JSONEncoder().encode(WireRequest(request))
    #expect(try JSONDecoder().decode(WireRequest.self, from: data).request == request)
  }
}

/// Keeps the network that a phone has.
private final class KeptNetwork {
  private var network: ScriptedNetwork?
  var requests: [MediaRequest] { network?.requests ?? [] }
  func keep(_ app: inout VirtualPhone.App) { network = app.network as? ScriptedNetwork }
}
