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
}
