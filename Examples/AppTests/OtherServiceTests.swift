import Foundation
import NotificationHost
import NotificationHostTesting
import Testing

@testable import ExampleNotificationService

@Suite("Other ways to write an extension")
struct OtherServiceTests {
  static let url = "https://cdn.example/a.png"
  static let png = ScriptedNetwork.Response(body: .onePixelPNG)
  static let payload = """
    {"aps": {"alert": "Hello", "mutable-content": 1}, "image_url": "\(url)"}
    """

  @Test("a reply on the main queue is shown")
  func mainQueue() async throws {
    let phone = try TestPhone { MainQueueService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, body: "From the main queue")
  }

  @Test("a picture that a task loads is shown")
  func task() async throws {
    let phone = try TestPhone([Self.url: Self.png]) { TaskService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, body: "Hello", attachments: ["public.png"])
  }

  @Test("a task that ends by an error leaves the reply to the end of the time")
  func failedTask() async throws {
    let phone = try TestPhone { TaskService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, body: "Hello", attachments: [])
    #expect(report.run.expired)
  }

  @Test(
    "Data(contentsOf:) loads a picture, and nothing for an error",
    arguments: [(png, ["public.png"]), (ScriptedNetwork.Response(status: 404), [])])
  func dataContentsOf(answer: ScriptedNetwork.Response, types: [String]) async throws {
    let phone = try TestPhone([Self.url: answer]) { DataContentsOfService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, body: "Hello", attachments: types)
  }

  @Test("a static session uses the network of the phone that runs", arguments: 1...3)
  func staticSession(number: Int) async throws {
    let phone = try TestPhone([Self.url: Self.png]) { StaticSessionService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, attachments: ["public.png"])
  }

  @Test("a page in place of the picture is not shown")
  func page() async throws {
    let page = ScriptedNetwork.Response(body: .bytes(Array("<html></html>".utf8)))
    let phone = try TestPhone([Self.url: page]) { DownloadService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, body: "Hello", attachments: [])
    #expect(report.missingMediaReasons.contains { $0.contains("HTML") })
  }

  @Test("a failed request is sent three times, with pauses that take no time")
  func retries() async throws {
    let phone = try TestPhone { RetryService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, body: "Hello", attachments: [])
    #expect(report.requests.count == 3)
    #expect(report.run.elapsed > .seconds(3))
  }

  @Test("a server that stops is given up after 20 seconds, which take no time")
  func deadline() async throws {
    var stalled = Self.png
    stalled.stallsAfter = 20
    let phone = try TestPhone([Self.url: stalled]) { DeadlineService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, body: "Hello", attachments: [])
    #expect(!report.run.expired)
  }

  @Test("the badge is counted in the app group")
  func badge() async throws {
    let phone = try TestPhone {
      $0.appGroupIdentifier = "group.com.example.app"
    } makeExtension: {
      BadgeService()
    }
    for expected in 1...3 {
      let report = try await phone.deliver(Self.payload)
      #expect(report.content?.badge == expected)
    }
  }

  @Test("a picture of the extension's bundle is shown")
  func bundle() async throws {
    let bundle = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: bundle) }
    if case .bytes(let png) = ScriptedNetwork.Body.onePixelPNG {
      try Data(png).write(to: bundle.appending(path: "placeholder.png"))
    }
    let phone = try TestPhone {
      $0.extensionBundle = bundle
    } makeExtension: {
      BundleService()
    }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayed, body: "Hello", attachments: ["public.png"])
  }

  @Test("without a reply the payload's text is shown after 30 seconds, which take no time")
  func silent() async throws {
    let phone = try TestPhone { SilentService() }
    let report = try await phone.deliver(Self.payload)
    report.expect(.displayedOriginal, body: "Hello")
    #expect(report.run.elapsed == .seconds(30))
  }
}
