package import Foundation
package import MediaLoading
package import NotificationHost
package import PushCrypto
import PushPayload
package import RichNotifications
import Synchronization
@_spi(Host) import UserNotifications

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
    /// What the extension may use of memory, in a process of its own; `nil` runs it in this one.
    package var memoryLimit: Int?
    /// This binary, which is that process's program too.
    package var program = URL(fileURLWithPath: "/proc/self/exe")
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
    let wanted = isSealed ? [] : engine.dialects.read(message.payload).media.map(\.wanted.url)
    return SimulatedDelivery(
      report: report, enriched: record.content, engineTrace: record.trace, wanted: wanted)
  }

  private var engine: SimulatedEngine {
    SimulatedEngine(
      mediaKeys: configuration.mediaKeys,
      allowsPrivateAddresses: configuration.allowsPrivateAddresses, keys: configuration.keys)
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
    let bundle = configuration.bundle
    var environment = RichEnvironment(
      loader: loader, clock: clock, temporaryDirectory: configuration.container,
      bundledFile: { name in
        guard let file = bundle?.appending(path: name) else { return nil }
        return FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) ? file : nil
      },
      categories: configuration.categories)
    environment.appGroupFolder = configuration.appGroup
    let center = UNUserNotificationCenter(readsUntilVisible: 0)
    environment.categoryRegistry = UNCategoryRegistry(center: center)
    var app = NotificationHost.App(container: configuration.container) { [engine, environment] in
      engine.makeExtension(environment) { record.add($0) }
    }
    if let limit = configuration.memoryLimit {
      var process = ExtensionProcess(
        executable: configuration.program, arguments: [SimulatedEngine.verb])
      process.memoryLimit = limit
      process.configuration = JSONValue(encoding: engine) ?? .null
      process.noted = { value in
        let note = try? JSONDecoder().decode(EngineNote.self, from: value.serialized())
        if let note { record.add(note) }
      }
      app.process = process
    }
    app.network = loader
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
  private let state = Mutex<(content: EngineOutcome?, trace: [TraceEvent])>((nil, []))

  var content: EngineOutcome? { state.withLock { $0.content } }
  var trace: [TraceEvent] { state.withLock { $0.trace } }

  func add(_ note: EngineNote) {
    state.withLock { state in
      switch note {
      case .delivered(let content): state.content = content
      case .decided(let time, let stage, let rule, let message, let detail):
        state.trace.append(
          TraceEvent(
            at: time, stage: .init(rawValue: stage), rule: rule, message: message,
            privateDetail: detail))
      }
    }
  }
}

/// What became of one push: the host's report and the engine's.
package struct SimulatedDelivery: Sendable {
  package var report: DeliveryReport
  package var enriched: EngineOutcome?
  package var engineTrace: [TraceEvent]
  /// The media URLs that the payload asks for.
  package var wanted: [String]

  /// Whether the person sees all that the payload asks for.
  package var isComplete: Bool {
    guard report.outcome == .displayed, enriched?.decryption ?? "ok" == "ok" else { return false }
    // Where the engine tried nothing, what the payload asks for is missing.
    guard let media = enriched?.media, !media.isEmpty else { return wanted.isEmpty }
    return report.attachments.count == media.count
      && media.allSatisfy { $0.result == MediaOutcome.Result.attached.rawValue }
  }

  /// The whole way, the host's part and the engine's, in the order of time.
  package var trace: [TraceEvent] {
    // At equal times the engine's part lies between the launch, which is the host's first note, and
    // the rest.
    (report.trace.prefix(1) + engineTrace + report.trace.dropFirst()).enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}
