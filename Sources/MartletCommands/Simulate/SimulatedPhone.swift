package import Foundation
package import MediaLoading
package import NotificationHost
package import PushCrypto
import PushPayload
package import RichNotifications
import Synchronization
@_spi(Host) import UserNotifications
import _OpenSSLCrypto

/// A phone with one app and the real extension, which tells for each push what it shows and why.
package final class SimulatedPhone: Sendable {
  /// How the phone and its world are.
  package struct Configuration: Sendable {
    /// Where attachments end up; a folder that exists.
    package var container: URL
    package var bundle: URL?
    package var appGroup: URL?
    /// The categories in the extension's Info.plist.
    package var categories: [String] = []
    /// The dialect of keys that the app names itself.
    package var mediaKeys: [String] = []
    package var timeLimit: Duration?
    /// Whether the extension has the filtering entitlement.
    package var isFiltering = false
    /// The keys that encrypted payloads are sealed to.
    package var keys: DeviceKeys?
    /// Whether media may come from a server on this machine or in its network.
    package var allowsPrivateAddresses = false

    package init(container: URL) { self.container = container }
  }

  private let configuration: Configuration
  private let clock: any HostClock
  private let loader: any MediaLoader

  package init(_ configuration: Configuration, clock: any HostClock, loader: any MediaLoader) {
    self.configuration = configuration
    self.clock = clock
    self.loader = loader
  }

  /// Delivers one push and waits for what becomes of it.
  package func deliver(_ message: PushMessage) async -> SimulatedDelivery {
    let record = EngineRecord()
    let host = NotificationHost(app: app(recording: record), clock: clock, behavior: behavior)
    let report = await host.deliver(message)
    let isSealed = record.content?.decryption != nil
    let wanted = isSealed ? [] : dialects.read(message.payload).media.map(\.wanted.url)
    return SimulatedDelivery(
      report: report, enriched: record.content, engineTrace: record.trace, wanted: wanted)
  }

  private var dialects: DialectTable {
    guard !configuration.mediaKeys.isEmpty else { return .standard }
    return .standard.preceded(by: .custom(media: configuration.mediaKeys.map { PayloadPath($0) }))
  }

  private var behavior: HostBehavior {
    var behavior = HostBehavior()
    if let limit = configuration.timeLimit {
      behavior.timeLimit = limit
      behavior.expiryGrace = min(behavior.expiryGrace, limit)
    }
    return behavior
  }

  private func app(recording record: EngineRecord) -> NotificationHost.App {
    var rich = RichConfiguration(dialects: dialects)
    rich.media.allowsPrivateAddresses = configuration.allowsPrivateAddresses
    rich.decryption = configuration.keys.map { keys in
      PayloadDecryption(crypto: OpenSSLCrypto()) { keys }
    }
    rich.trace = { record.add($0) }
    rich.delivered = { record.set($0) }
    let bundle = configuration.bundle
    var environment = RichEnvironment(
      loader: loader, clock: clock, temporaryDirectory: configuration.container,
      bundledFile: { name in
        guard let file = bundle?.appending(path: name) else { return nil }
        return FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) ? file : nil
      },
      categories: configuration.categories)
    environment.appGroupFolder = configuration.appGroup
    environment.crypto = OpenSSLCrypto()
    let center = UNUserNotificationCenter(readsUntilVisible: 0)
    environment.categoryRegistry = UNCategoryRegistry(center: center)
    var app = NotificationHost.App(container: configuration.container) { [rich, environment] in
      SimulatedExtension(configuration: rich, environment: environment)
    }
    app.center = center
    app.entitlements.filtering = configuration.isFiltering
    // What a payload asks for is shown as if Apple had granted it.
    app.entitlements.criticalAlerts = true
    app.temporaryDirectory = configuration.container
    app.bundle = configuration.bundle
    app.appGroup = configuration.appGroup
    app.extensionCategories = configuration.categories
    return app
  }
}

/// What the engine said of one notification.
private final class EngineRecord: Sendable {
  private let state = Mutex<(content: EnrichedContent?, trace: [TraceEvent])>((nil, []))

  var content: EnrichedContent? { state.withLock { $0.content } }
  var trace: [TraceEvent] { state.withLock { $0.trace } }

  func add(_ event: TraceEvent) { state.withLock { $0.trace.append(event) } }
  func set(_ content: EnrichedContent) { state.withLock { $0.content = content } }
}

/// What became of one push: the host's report and the engine's.
package struct SimulatedDelivery: Sendable {
  package var report: DeliveryReport
  package var enriched: EnrichedContent?
  package var engineTrace: [TraceEvent]
  /// The media URLs that the payload asks for.
  package var wanted: [String]

  /// Whether the person sees all that the payload asks for.
  package var isComplete: Bool {
    guard report.outcome == .displayed, enriched?.decryption ?? "ok" == "ok" else { return false }
    // Where the engine tried nothing, what the payload asks for is missing.
    guard let media = enriched?.media, !media.isEmpty else { return wanted.isEmpty }
    return report.attachments.count == media.count && media.allSatisfy { $0.result == .attached }
  }

  /// The whole way, the host's part and the engine's, in the order of time.
  package var trace: [TraceEvent] {
    // At equal times the engine's part lies between the launch, which is the host's first note, and
    // the rest.
    (report.trace.prefix(1) + engineTrace + report.trace.dropFirst()).enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}
