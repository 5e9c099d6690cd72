import Foundation
import NotificationHost
import NotificationHostTesting
import PushPayload
import RichNotifications
import TestSupport
import Testing
import UserNotifications

@Suite("A RichNotificationService as an app writes it", .timeLimit(.minutes(10)))
struct HostedServiceTests {
  @Test("the code of the article Testing is the code below")
  func article() throws {
    try expectSnippets(
      of: "Sources/Device/RichNotifications/RichNotifications.docc/Testing.md", in: #filePath)
  }

  final class NotificationService: RichNotificationService {}

  @Test("a missing picture is replaced by the fallback text")
  func missingPicture() async throws {
    let missing = ScriptedNetwork.Response(status: 404)
    let phone = try TestPhone(["https://example.com/a.png": missing]) { NotificationService() }
    let report = try await phone.deliver(
      #"{"aps": {"alert": "B", "mutable-content": 1}, "_mediaUrl": "https://example.com/a.png", "_mediaAlt": "A cat"}"#
    )
    report.expect(.displayed, body: "A cat", attachments: [])
  }

  @Test("the Info.plist and the app group of an article's phone reach the engine")
  func articlesPhone() async throws {
    let group = TemporaryFolder()
    let folder = group.url
    _ = try group.write(Fixtures.bytes("media/picture.png"), to: "cover.png")
    let phone = try TestPhone { app in
      app.extensionInfo = [
        "Martlet": ["MediaKeys": ["data.picture"], "AppGroup": "group.com.example.app"]
      ]
      app.appGroup = folder
      app.appGroupIdentifier = "group.com.example.app"
    } makeExtension: {
      NotificationService()
    }
    let report = try await phone.deliver(Self.payload(#""data": {"picture": "cover.png"}"#))
    report.expect(.displayed, attachments: ["public.png"])
  }

  /// An extension without Martlet's engine, which fetches what `image_url` names and attaches nothing.
  final class OwnService: UNNotificationServiceExtension {
    override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      guard let text = request.content.userInfo["image_url"] as? String, let url = URL(string: text)
      else { return contentHandler(request.content) }
      nonisolated(unsafe) let (content, reply) = (request.content, contentHandler)
      URLSession.shared.dataTask(with: url) { _, _, _ in reply(content) }.resume()
    }
  }

  static let png = ScriptedNetwork.Response(body: .onePixelPNG)
  static let url = "https://cdn.example/a.png"

  static func payload(_ keys: String = #""image_url": "\#(url)""#) -> String {
    #"{"aps": {"alert": "Hello", "mutable-content": 1}, \#(keys)}"#
  }

  @Test("phones in parallel tests have a network each")
  func parallel() async throws {
    let reports = try await withThrowingTaskGroup(of: (Int, DeliveryReport).self) { group in
      for number in 0..<24 {
        let response =
          number.isMultiple(of: 2) ? Self.png : ScriptedNetwork.Response(status: 400 + number)
        let phone = try TestPhone([Self.url: response]) { NotificationService() }
        group.addTask { (number, try await phone.deliver(Self.payload())) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(reports.count == 24)
    for (number, report) in reports {
      let status = number.isMultiple(of: 2) ? 200 : 400 + number
      #expect(report.requests.first?.status == status)
      #expect(report.media.map(\.status) == [status])
      #expect(report.attachments.count == (status == 200 ? 1 : 0))
    }
  }

  @Test("the configuration is the dictionary Martlet of the phone's Info.plist")
  func infoPlist() async throws {
    let payload = Self.payload(#""data": {"cover": "\#(Self.url)"}"#)
    for (info, types) in [
      (["MediaKeys": ["data.cover"], "Deadline": 5], ["public.png"]), ([:], []),
    ]
      as [(JSONValue, [String])]
    {
      let phone = try TestPhone([Self.url: Self.png]) {
        $0.extensionInfo = ["Martlet": info]
      } makeExtension: {
        NotificationService()
      }
      try await phone.deliver(payload).expect(.displayed, body: "Hello", attachments: types)
    }
    var stalled = Self.png
    stalled.stallsAfter = 4
    let phone = try TestPhone([Self.url: stalled]) {
      $0.extensionInfo = ["Martlet": ["Deadline": 5]]
    } makeExtension: {
      NotificationService()
    }
    let elapsed = try await phone.deliver(Self.payload()).run.elapsed
    #expect(elapsed >= .seconds(5) && elapsed < .seconds(25), "\(elapsed)")
  }

  @Test(
    "the app group's container is used if the Info.plist names the phone's group",
    arguments: [
      (nil, "group.a", true), ("group.a", "group.a", true), ("group.a", "group.b", false),
    ]
      as [(String?, String, Bool)])
  func appGroup(identifier: String?, named: String, isFound: Bool) async throws {
    let group = TemporaryFolder()
    _ = try group.write(Fixtures.bytes("media/picture.png"), to: "cover.png")
    let phone = try TestPhone {
      $0.appGroup = group.url
      $0.appGroupIdentifier = identifier
      $0.extensionInfo = ["Martlet": ["AppGroup": .string(named)]]
    } makeExtension: {
      NotificationService()
    }
    let report = try await phone.deliver(Self.payload(#""_mediaUrl": "cover.png""#))
    report.expect(.displayed, attachments: isFound ? ["public.png"] : [])
  }

  @Test(
    "a file of the extension's bundle is attached, and one of the app's where that is all there is",
    arguments: [
      (true, false, true), (true, true, true), (false, true, false), (false, false, true),
    ])
  func bundle(isExtensions: Bool, hasBoth: Bool, isFound: Bool) async throws {
    let (bundle, other) = (TemporaryFolder(), TemporaryFolder())
    _ = try bundle.write(Fixtures.bytes("media/picture.png"), to: "cover.png")
    let phone = try TestPhone {
      if isExtensions {
        $0.extensionBundle = bundle.url
        if hasBoth { $0.bundle = other.url }
      } else {
        $0.bundle = bundle.url
        if hasBoth { $0.extensionBundle = other.url }
      }
    } makeExtension: {
      NotificationService()
    }
    let report = try await phone.deliver(Self.payload(#""_mediaUrl": "cover.png""#))
    report.expect(.displayed, attachments: isFound ? ["public.png"] : [])
  }

  @Test("App Transport Security holds for Martlet's own extension, too", arguments: [false, true])
  func transportSecurity(isAllowed: Bool) async throws {
    let url = "http://cdn.example/a.png"
    let phone = try TestPhone([url: ScriptedNetwork.Response(body: .onePixelPNG)]) {
      $0.extensionInfo = ["Martlet": ["AllowsPlainHTTP": true]]
      if isAllowed {
        $0.transportSecurity = TransportSecurity(
          infoPlist: ["NSAppTransportSecurity": ["NSAllowsArbitraryLoads": true]])
      }
    } makeExtension: {
      NotificationService()
    }
    let report = try await phone.deliver(Self.payload(#""_mediaUrl": "\#(url)""#))
    report.expect(.displayed, attachments: isAllowed ? ["public.png"] : [])
  }

  @Test(
    "a report says why media are missing",
    arguments: [
      (true, ScriptedNetwork.Response(status: 404), payload(), ["\(url): http-status 404"]),
      (
        true, nil, payload(),
        ["\(url): offline (the scripted network has no response for this URL)"]
      ),
      (
        true, ScriptedNetwork.Response(body: .bytes(Array("<html>".utf8))), payload(),
        ["\(url): unsupported-type 200"]
      ),
      (
        true, nil, payload(#""image_url": "http://cdn.example/a.png""#),
        ["http://cdn.example/a.png: not-https"]
      ),
      (true, nil, payload(#""a": 1"#), ["the extension requested nothing from the network"]),
      (
        true, nil, #"{"aps": {"alert": "Hello"}, "image_url": "\#(url)"}"#,
        ["the extension did not run"]
      ),
      (false, ScriptedNetwork.Response(status: 404), payload(), ["\(url): status 404"]),
      (
        false, nil, payload(), ["\(url): the scripted network has no response for this URL"]
      ),
    ] as [(Bool, ScriptedNetwork.Response?, String, [String])])
  func reasons(
    isRich: Bool, response: ScriptedNetwork.Response?, payload: String, expected: [String]
  ) async throws {
    let phone = try TestPhone(response.map { [Self.url: $0] } ?? [:]) {
      isRich ? NotificationService() : OwnService()
    }
    let report = try await phone.deliver(payload)
    #expect(report.missingMediaReasons == expected, "\(report)")
  }

  @Test("the requests of an extension in a process of its own are in its report")
  func process() async throws {
    let report = try await IsolatedPhone().deliver(
      #""image_url": "\#(Self.url)""#, answers: [Self.url: ScriptedNetwork.Response(status: 404)])
    #expect(report.missingMediaReasons == ["\(Self.url): status 404"])
  }

  @Test("the trace of a report has the engine's decisions, with their URLs")
  func trace() async throws {
    let phone = try TestPhone([Self.url: Self.png]) { NotificationService() }
    let report = try await phone.deliver(Self.payload())
    #expect(report.trace.contains { $0.stage == .media && $0.rule == "fetch" })
    #expect("\(report)".contains("fetch: fetching \(Self.url)"))
  }
}
