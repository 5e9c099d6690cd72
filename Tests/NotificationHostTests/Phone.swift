import Foundation
import MediaLoading
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import UserNotifications

/// A phone with an app whose extension is a `RichNotificationService`, for the tests of this target.
final class Phone: Sendable {
  let folder: TemporaryFolder
  let clock = VirtualClock()
  private let answers: [String: ScriptedNetwork.Answer]
  private let latency: Duration
  private let bandwidth: Int?
  private let categories: [String]
  private let configuration: RichConfiguration
  private let outcome = Mutex<EnrichedContent?>(nil)

  init(
    _ answers: [String: ScriptedNetwork.Answer] = [:], latency: Duration = .zero,
    bandwidth: Int? = nil, categories: [String] = [],
    configuration: RichConfiguration = RichConfiguration()
  ) throws {
    folder = TemporaryFolder()
    self.answers = answers
    self.latency = latency
    self.bandwidth = bandwidth
    self.categories = categories
    self.configuration = configuration
  }

  /// What the engine said of the last push.
  var enriched: EnrichedContent? { outcome.withLock { $0 } }

  func deliver(_ json: String, pushType: String? = "alert") async throws -> DeliveryReport {
    var configuration = configuration
    configuration.delivered = { content in self.outcome.withLock { $0 = content } }
    let network = ScriptedNetwork(answers, clock: clock, latency: latency, bandwidth: bandwidth)
    return try await deliver(json, pushType: pushType, configuration, network)
  }

  func deliver(
    _ json: String, pushType: String? = "alert", _ configuration: RichConfiguration,
    _ loader: any MediaLoader
  ) async throws -> DeliveryReport {
    let bundle = Fixtures.url("media")
    let environment = RichEnvironment(
      loader: loader, clock: clock, temporaryDirectory: folder.url,
      bundledFile: { name in
        let file = bundle.appending(path: name)
        return FileManager.default.fileExists(atPath: file.path()) ? file : nil
      },
      categories: categories)
    let app = NotificationHost.App(container: folder.url) {
      Service(configuration, environment)
    }
    let message = PushMessage(payload: try JSONValue(parsing: json), pushType: pushType)
    return await NotificationHost(app: app, clock: clock).deliver(message)
  }

  /// An app's extension, as an app writes it.
  final class Service: RichNotificationService {
    private let own: (RichConfiguration, RichEnvironment)

    init(_ configuration: RichConfiguration, _ environment: RichEnvironment) {
      own = (configuration, environment)
      super.init()
    }

    required init() { fatalError("the host is given a closure") }

    override var configuration: RichConfiguration { own.0 }
    override var environment: RichEnvironment { own.1 }
  }
}

extension ScriptedNetwork.Answer {
  static func fixture(_ name: String) -> Self { Self(body: .file(Fixtures.url("media/\(name)"))) }
}
