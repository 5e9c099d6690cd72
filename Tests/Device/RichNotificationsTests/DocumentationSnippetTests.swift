import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
import UserNotifications

@Suite("The snippets of RichNotifications' landing page", .timeLimit(.minutes(10)))
struct DocumentationSnippetTests {
  final class NotificationService: RichNotificationService {}

  final class ConfiguredService: RichNotificationService {
    override var configuration: RichConfiguration {
      var configuration = super.configuration
      configuration.deadline = .seconds(20)
      configuration.media.allowedHosts = ["*.example.com"]
      configuration.dialects = .standard.preceded(by: .custom(media: ["data.picture"]))
      return configuration
    }
  }

  nonisolated final class ComposedService: UNNotificationServiceExtension {
    private let enricher = RichEnricher()
    private var delivery: RichDelivery?

    override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      delivery = enricher.enrich(request, withContentHandler: contentHandler)
    }

    override func serviceExtensionTimeWillExpire() { delivery?.expire() }
  }

  @Test("the page's code is the code of this file")
  func page() throws {
    try expectSnippets(
      of: "Sources/Device/RichNotifications/RichNotifications.docc/RichNotifications.md",
      in: #filePath)
  }

  @Test(
    "each of the page's extensions calls the handler once",
    arguments: [
      { NotificationService() }, { ConfiguredService() }, { ComposedService() },
    ] as [@Sendable () -> UNNotificationServiceExtension])
  func extensions(makeExtension: @Sendable () -> UNNotificationServiceExtension) {
    let content = UNMutableNotificationContent()
    content.body = "You have a picture"
    content.userInfo = ["_mediaUrl": "https://cdn.example.com/cat.png", "_mediaAlt": "A cat"]
    var bodies: [String] = []
    let service = makeExtension()
    service.didReceive(UNNotificationRequest(identifier: "1", content: content, trigger: nil)) {
      bodies.append($0.body)
    }
    service.serviceExtensionTimeWillExpire()
    #expect(bodies == ["A cat"], "without a network the fallback text is shown")
  }

  @Test("the configured extension has its configuration")
  func configuration() {
    let configuration = ConfiguredService().configuration
    #expect(configuration.deadline == .seconds(20))
    #expect(configuration.media.allowedHosts == ["*.example.com"])
  }

  @Test("the engine without UserNotifications delivers")
  func engine() {
    let delivered = Mutex<[String]>([])
    var configuration = RichConfiguration()
    configuration.trace = { event in
      print(event.at, event.stage.rawValue, event.rule, event.fullMessage)
    }
    configuration.delivered = { content in
      for outcome in content.media { print(outcome.url, outcome.result.rawValue) }
    }
    let printOutcomes = configuration.delivered
    configuration.delivered = { content in
      printOutcomes?(content)
      delivered.withLock { $0.append(content.text.body) }
    }
    run(configuration)
    #expect(delivered.withLock { $0 } == ["A cat"])
  }

  private func run(_ configuration: RichConfiguration) {
    let environment = RichEnvironment(loader: OfflineMediaLoader())
    let notification = IncomingNotification(
      payload: ["_mediaUrl": "https://cdn.example.com/cat.png", "_mediaAlt": "A cat"],
      text: NotificationText(body: "You have a picture"))
    let delivery = RichDelivery(
      notification, configuration: configuration, environment: environment
    ) { content in
      print(content.text.body, content.media.map(\.reason))
    }
    delivery.begin()
  }
}
