import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import TestSupport
import Testing
import UserNotifications

/// Extensions as apps write them, with Foundation and UserNotifications alone.
@Suite("An extension that fetches by URLSession", .timeLimit(.minutes(10)))
struct NetworkExtensionTests {
  private static let url = "https://a/picture.png"

  private static func world(
    _ url: String = url, change: (inout ScriptedNetwork.Response) -> Void = { _ in },
    app changeApp: (inout VirtualPhone.App) -> Void = { _ in }
  ) -> World {
    var answer = ScriptedNetwork.Response.fixture("picture.png")
    change(&answer)
    return World { app, _ in
      changeApp(&app)
    }.with { ScriptedNetwork([url: answer], clock: $0) }
  }

  private static func fetch(_ address: String = url) -> World.Receive {
    { request, reply in
      guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
        let url = URL(string: address)
      else { return reply(request.content) }
      let answer = Once(content, reply)
      URLSession.shared.downloadTask(with: url) { file, response, error in
        guard let file else {
          return answer.reply { $0.body = "\((error as? URLError)?.errorCode ?? 0)" }
        }
        let target = file.deletingPathExtension().appendingPathExtension("png")
        try? FileManager.default.moveItem(at: file, to: target)
        answer.reply { content in
          let rect = CGRect(x: 0, y: 0, width: 0.5, height: 1)
          let options = [
            UNNotificationAttachmentOptionsThumbnailClippingRectKey: rect.dictionaryRepresentation
          ]
          content.attachments = [
            try? UNNotificationAttachment(identifier: "", url: target, options: options)
          ].compactMap { $0 }
          content.subtitle = "\((response as? HTTPURLResponse)?.statusCode ?? 0)"
        }
      }.resume()
    }
  }

  @Test("downloads with a completion handler, and clips the thumbnail")
  func download() async throws {
    let report = try await Self.world().deliver(Self.plain, Self.fetch())
    #expect(report.outcome == .displayed && report.content?.subtitle == "200")
    #expect(report.attachments.map(\.type) == ["public.png"])
    #expect(report.attachments.first?.thumbnailClippingRect?.width == 0.5)
  }

  private static let plain = World.plain

  @Test("awaits data in a task of its own")
  func async() async throws {
    let report = try await Self.world().deliver(Self.plain) { request, reply in
      guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
        let url = URL(string: Self.url)
      else { return reply(request.content) }
      let answer = Once(content, reply)
      Task {
        let (data, response) = try await URLSession(configuration: .ephemeral).data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        answer.reply { $0.body = "\(data.count) \(status)" }
      }
    }
    let size = try Fixtures.bytes("media/picture.png").count
    #expect(report.content?.body == "\(size) 200")
    #expect(!report.run.expired)
  }

  @Test(
    "fails with Apple's codes",
    arguments: [
      ("https://other/x.png", URLError.Code.notConnectedToInternet),
      ("http://a/x.png", .appTransportSecurityRequiresSecureConnection),
      ("ftp://a/x.png", .unsupportedURL),
    ])
  func codes(url: String, code: URLError.Code) async throws {
    let report = try await Self.world().deliver(Self.plain, Self.fetch(url))
    #expect(report.content?.body == "\(code.rawValue)")
  }

  @Test("cleartext passes with an exception of the extension's Info.plist")
  func exception() async throws {
    let plist: [String: Any] = ["NSAppTransportSecurity": ["NSAllowsArbitraryLoads": true]]
    let world = Self.world("http://a/picture.png") {
      _ in
    } app: {
      $0.transportSecurity = TransportSecurity(infoPlist: plist)
    }
    let report = try await world.deliver(Self.plain, Self.fetch("http://a/picture.png"))
    #expect(report.attachments.count == 1)
  }

  @Test("a session's own time-out of 60 s is longer than the extension lives")
  func silence() async throws {
    let report = try await Self.world { $0.stallsAfter = 10 }.deliver(Self.plain, Self.fetch())
    #expect(report.outcome == .displayedOriginal && report.run.expired)
    #expect(report.run.elapsed >= .seconds(30) && report.run.elapsed < .seconds(31))
  }

  @Test("a full disk fails the download")
  func fullDisk() async throws {
    let world = Self.world(app: { $0.freeDiskSpace = 10 })
    let report = try await world.deliver(Self.plain, Self.fetch())
    #expect(report.content?.body == "\(URLError.Code.cannotWriteToFile.rawValue)")
  }

  @Test("before the first unlock files are closed: the text is shown without them")
  func locked() async throws {
    let world = Self.world(app: { $0.lockState = .beforeFirstUnlock })
    let report = try await world.deliver(Self.plain, Self.fetch())
    #expect(report.outcome == .displayed && report.attachments.isEmpty)
    #expect(report.trace.contains { $0.rule == HostRule.firstUnlock.name })
    #expect(LockState.locked.opens(.completeUntilFirstUserAuthentication))
    #expect(!LockState.locked.opens(.complete) && LockState.beforeFirstUnlock.opens(.none))
  }

  @Test("a background session without a shared container fails at once")
  func background() async throws {
    let configuration = URLSessionConfiguration.background(withIdentifier: "b")
    let url = try #require(URL(string: Self.url))
    await #expect(throws: URLError(.backgroundSessionRequiresSharedContainer)) {
      _ = try await URLSession(configuration: configuration).data(from: url)
    }
  }
}

/// `@unchecked Sendable`: the content is changed by the one who replies, once.
private struct Once: @unchecked Sendable {
  private let content: UNMutableNotificationContent
  private let handler: (UNNotificationContent) -> Void

  init(
    _ content: UNMutableNotificationContent, _ handler: @escaping (UNNotificationContent) -> Void
  ) {
    self.content = content
    self.handler = handler
  }

  func reply(_ change: (UNMutableNotificationContent) -> Void) {
    change(content)
    handler(content)
  }
}

@Suite("App Transport Security")
struct TransportSecurityTests {
  private static func plist(_ rules: [String: Any]) -> TransportSecurity {
    TransportSecurity(infoPlist: ["NSAppTransportSecurity": rules])
  }

  @Test(
    "lets cleartext pass by the extension's Info.plist alone",
    arguments: [
      (#"{}"#, "http://a.com/", false), (#"{}"#, "https://a.com/", true),
      (#"{"NSAllowsArbitraryLoads":true}"#, "http://a.com/", true),
      (#"{"NSAllowsArbitraryLoads":true,"NSAllowsLocalNetworking":false}"#, "http://a.com/", false),
      (#"{"NSAllowsLocalNetworking":true}"#, "http://server.local/", true),
      (#"{"NSAllowsLocalNetworking":true}"#, "http://a.com/", false),
      (
        #"{"NSExceptionDomains":{"a.com":{"NSExceptionAllowsInsecureHTTPLoads":true}}}"#,
        "http://A.com/", true
      ),
      (
        #"{"NSExceptionDomains":{"a.com":{"NSExceptionAllowsInsecureHTTPLoads":true}}}"#,
        "http://b.a.com/", false
      ),
      (
        #"{"NSExceptionDomains":{"a.com":{"NSIncludesSubdomains":true,"NSThirdPartyExceptionAllowsInsecureHTTPLoads":true}}}"#,
        "http://b.a.com/", true
      ),
      (
        #"{"NSExceptionDomains":{"a.com":{"NSIncludesSubdomains":true,"NSExceptionAllowsInsecureHTTPLoads":true}}}"#,
        "http://nota.com/", false
      ),
      (
        #"{"NSAllowsArbitraryLoads":true,"NSExceptionDomains":{"a.com":{}}}"#, "http://a.com/",
        false
      ),
    ])
  func rules(json: String, url: String, allowed: Bool) throws {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let rules = try #require(object as? [String: Any])
    let target = try #require(URL(string: url))
    #expect(Self.plist(rules).allows(target) == allowed)
  }
}
