import Foundation
import NotificationHost
import NotificationHostTesting
import Testing
import UserNotifications

@Suite("The configuration of a URLSession", .timeLimit(.minutes(10)))
struct SessionConfigurationTests {
  private typealias Fixture = SessionExtension

  @Test("adds header fields that the request does not have, and is copied by the session")
  func headers() async throws {
    let report = try await Fixture.deliver(["https://a/": .text("ok")]) {
      let configuration = URLSessionConfiguration.default
      configuration.httpAdditionalHeaders = ["X-A": "session", "X-B": 2]
      let session = URLSession(configuration: configuration)
      configuration.httpAdditionalHeaders = ["X-C": "later"]
      session.configuration.httpAdditionalHeaders = ["X-D": "later"]
      _ = try await session.data(
        for: Fixture.request("https://a/", headers: ["x-a": "request"]))
      return "done"
    }
    #expect(report.requests.first?.headers == ["x-a": "request", "X-B": "2"])
  }

  @Test("keeps the cookies of a run, which a request can refuse")
  func cookies() async throws {
    let login = ScriptedNetwork.Response.text(
      "ok", ["Set-Cookie": "id=7; Path=/private; Expires=Wed, 01 Jan 2098 00:00:00 GMT, lang=de"])
    let responses = [
      "https://a/login": login, "https://a/private/1": .text("ok"), "https://a/other": .text("ok"),
      "https://b/private/1": .text("ok"),
    ]
    let report = try await Fixture.deliver(responses) {
      let session = URLSession.shared
      for path in ["a/login", "a/private/1", "a/other", "b/private/1"] {
        _ = try await session.data(for: Fixture.request("https://\(path)"))
      }
      var refusing = Fixture.request("https://a/other")
      refusing.httpShouldHandleCookies = false
      _ = try await session.data(for: refusing)
      _ = try await URLSession(configuration: .ephemeral).data(
        for: Fixture.request("https://a/other"))
      return "\(HTTPCookieStorage.shared.cookies?.map(\.name) ?? [])"
    }
    report.expect(.displayed, body: #"["id", "lang"]"#)
    #expect(
      report.requests.map { $0.headers["Cookie"] } == [
        nil, "id=7; lang=de", "lang=de", nil, nil, nil,
      ])
    let next = try await Fixture.deliver { $0("\(HTTPCookieStorage.shared.cookies ?? [])") }
    next.expect(.displayed, body: "[]")
  }

  @Test(
    "takes from the cache only what the code put into it",
    arguments: [
      (URLRequest.CachePolicy.useProtocolCachePolicy, "network network"),
      (.returnCacheDataElseLoad, "cached network"),
      (.returnCacheDataDontLoad, "cached error -1008"),
      (.reloadIgnoringLocalCacheData, "network network"),
    ])
  func cache(policy: URLRequest.CachePolicy, body: String) async throws {
    let responses = [
      "https://a/1": ScriptedNetwork.Response.text("network"), "https://a/2": .text("network"),
    ]
    let report = try await Fixture.deliver(responses) {
      let first = Fixture.request("https://a/1")
      let url = try #require(first.url)
      URLCache.shared.storeCachedResponse(
        CachedURLResponse(
          response: URLResponse(
            url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil),
          data: Data("cached".utf8)), for: first)
      let configuration = URLSessionConfiguration.default
      configuration.requestCachePolicy = policy
      let session = URLSession(configuration: configuration)
      var texts: [String] = []
      for request in [first, Fixture.request("https://a/2")] {
        do {
          texts.append(String(decoding: try await session.data(for: request).0, as: UTF8.self))
        } catch {
          texts.append(Fixture.describe(error))
        }
      }
      return texts.joined(separator: " ")
    }
    report.expect(.displayed, body: body)
  }

  @Test("a task that waits for connectivity does not fail offline")
  func waiting() async throws {
    let report = try await Fixture.deliver { reply in
      final class Delegate: NSObject, URLSessionTaskDelegate, Sendable {
        let reply: @Sendable (String) -> Void
        init(_ reply: @escaping @Sendable (String) -> Void) { self.reply = reply }
        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
          reply("waits, state \(task.state.rawValue)")
        }
      }
      let configuration = URLSessionConfiguration.default
      configuration.waitsForConnectivity = true
      let session = URLSession(
        configuration: configuration, delegate: Delegate(reply), delegateQueue: nil)
      session.dataTask(with: Fixture.request("https://a/")) { _, _, _ in reply("ended") }.resume()
    }
    report.expect(.displayed, body: "waits, state 0")
  }

  @Test("header fields of a response have the usual names")
  func responseFields() async throws {
    let responses = [
      "https://a/": ScriptedNetwork.Response.text(
        "ok", ["content-type": "text/plain", "ETag": "1"])
    ]
    let report = try await Fixture.deliver(responses) {
      let response = try await URLSession.shared.data(for: Fixture.request("https://a/")).1
      let fields = (response as? HTTPURLResponse)?.allHeaderFields ?? [:]
      return "\(fields["Content-Type"] ?? "") \(fields["Etag"] ?? "")"
    }
    report.expect(.displayed, body: "text/plain 1")
  }
}
