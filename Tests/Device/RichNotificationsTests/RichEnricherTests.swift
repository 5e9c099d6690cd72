import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing
import UserNotifications

@testable import RichNotifications

@Suite("An extension with its own base class")
struct RichEnricherTests {
  /// An app's extension, which must compile in Swift 6.
  final class Service: UNNotificationServiceExtension {
    private let enricher: RichEnricher
    private var delivery: RichDelivery?

    init(_ enricher: RichEnricher) {
      self.enricher = enricher
      super.init()
    }

    override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      delivery = enricher.enrich(request, withContentHandler: contentHandler)
    }

    override func serviceExtensionTimeWillExpire() { delivery?.expire() }
  }

  static func request() -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.body = "B"
    content.userInfo = ["_mediaUrl": "https://a/i", "_mediaAlt": "alt"]
    return UNNotificationRequest(identifier: "1", content: content, trigger: nil)
  }

  @Test("the handler is called once, with the media received before the expiry")
  func expires() throws {
    let (loader, folder) = (ManualLoader(), TemporaryFolder())
    let service = Service(
      RichEnricher(
        environment: Sample.environment(loader, clock: ManualClock(), folder: folder.url)))
    var bodies: [String] = []
    service.didReceive(Self.request()) { bodies.append($0.body) }
    #expect(bodies == [])
    service.serviceExtensionTimeWillExpire()
    loader.sink?.respond(200, body: Sample.png)
    service.serviceExtensionTimeWillExpire()
    #expect(bodies == ["alt"])
  }

  @Test("the picture is attached")
  func attaches() throws {
    let (loader, folder) = (ManualLoader(), TemporaryFolder())
    let service = Service(
      RichEnricher(
        environment: Sample.environment(loader, clock: ManualClock(), folder: folder.url)))
    var types: [[String]] = []
    service.didReceive(Self.request()) { types.append($0.attachments.map(\.type)) }
    loader.sink?.respond(200, body: Sample.png)
    #expect(types == [["public.png"]])
  }

  /// A configuration that removes each file that was received, as the system removes temporary files, and keeps the receipts.
  private static func losing(
    _ folder: TemporaryFolder, _ contents: Locked<[EnrichedContent]>
  ) -> RichConfiguration {
    var configuration = RichConfiguration()
    configuration.trace = { event in
      guard event.stage == .media, event.rule == "type" else { return }
      for name in folder.contents where name.hasSuffix(".png") {
        try? FileManager.default.removeItem(at: folder.file(name))
      }
    }
    configuration.delivered = { content in contents.withLock { $0.append(content) } }
    return configuration
  }

  @Test("an attachment that the system refuses is reported as failed, and not as attached")
  func refused() throws {
    let (loader, folder) = (ManualLoader(), TemporaryFolder())
    let contents = Locked<[EnrichedContent]>([])
    let enricher = RichEnricher(
      configuration: Self.losing(folder, contents),
      environment: Sample.environment(loader, clock: ManualClock(), folder: folder.url))
    var counts: [Int] = []
    let delivery = enricher.enrich(Self.request()) { counts.append($0.attachments.count) }
    loader.sink?.respond(200, body: Sample.png)
    #expect(counts == [0])
    let delivered = contents.withLock(\.self)
    let content = try #require(delivered.first)
    #expect(content.attachments.isEmpty && content.note?.contains("refuses") == true)
    #expect(content.media.map(\.result) == [.failed] && content.media.map(\.reason) == [.storage])
    withExtendedLifetime(delivery) {}
  }

  @Test("an attachment of an asynchronous extension is made once, and kept")
  func asynchronous() async throws {
    let (loader, folder) = (ManualLoader(), TemporaryFolder())
    let enricher = RichEnricher(
      environment: Sample.environment(loader, clock: ManualClock(), folder: folder.url))
    async let types = enricher.enrich(Self.request()).attachments.map(\.type)
    try await until { loader.sink != nil }
    loader.sink?.respond(200, body: Sample.png)
    #expect(await types == ["public.png"])
  }
}
