package import Foundation
package import MediaLoading
package import NotificationHost
package import PushCrypto
package import PhoneCards
import PushPayload
import RichNotifications
import Synchronization
@_spi(Host) import UserNotifications

/// A simulated phone with one app and the real extension, which reports the outcome of each push and its reason.
///
/// `martlet simulate`, the sandbox's phones and the dashboard's preview deliver to it, so they all show the
/// same.
package final class SimulatedPhone: Sendable {
  /// The phone, its app and its files.
  package struct Configuration: Sendable {
    /// The extension's data container, a folder that exists; attachments end up in it.
    package var container: URL
    /// The app's bundle, for bundled media; `nil` if the app has no bundled media.
    package var bundle: URL?
    /// The app group's folder; `nil` if the app has no app group.
    package var appGroup: URL?
    /// The categories in the extension's Info.plist.
    package var categories: [String] = []
    /// The paths of payload keys that the app itself defines for media.
    package var mediaKeys: [String] = []
    /// The time that the extension may run; `nil` uses the 30 s of a phone.
    package var timeLimit: Duration?
    /// Whether the extension has the filtering entitlement.
    package var isFiltering = false
    /// The extension's memory limit in bytes, in a child process; `nil` runs it in this process.
    package var memoryLimit: Int?
    /// The program of the child process: by default this binary.
    package var program = URL(fileURLWithPath: "/proc/self/exe")
    /// The device's keys, to decrypt payloads.
    package var keys: DeviceKeys?
    /// Whether the extension shows only payloads that it has decrypted.
    package var requiresEncryption = false
    /// Whether media may come from private addresses, such as a server on this machine.
    package var allowsPrivateAddresses = false
    /// Whether media are whole, so that the phone checks their content.
    package var hasWholeMedia = true

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

  /// Delivers one push and waits for its outcome.
  package func deliver(_ message: PushMessage) async -> SimulatedDelivery {
    let record = EngineRecord()
    let host = VirtualPhone(app: app(recording: record), clock: clock, behavior: behavior)
    let report = await host.deliver(message)
    let isHidden = record.content?.decryption != nil
    let wanted = isHidden ? [] : engine.dialects.read(message.payload).media.map(\.wanted.url)
    return SimulatedDelivery(
      report: report, enriched: record.content, engineTrace: record.trace, wanted: wanted,
      appGroup: configuration.appGroup)
  }

  private var engine: SimulatedEngine {
    SimulatedEngine(
      mediaKeys: configuration.mediaKeys,
      allowsPrivateAddresses: configuration.allowsPrivateAddresses, keys: configuration.keys,
      requiresEncryption: configuration.requiresEncryption)
  }

  private var behavior: HostBehavior {
    var behavior = HostBehavior()
    behavior.checksFileContent = configuration.hasWholeMedia
    if let limit = configuration.timeLimit {
      behavior.timeLimit = limit
      behavior.expiryGrace = min(behavior.expiryGrace, limit)
    }
    return behavior
  }

  private func app(recording record: EngineRecord) -> VirtualPhone.App {
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
    center.setNotificationCategories(PresetCategory.all)
    environment.categoryRegistry = UNCategoryRegistry(center: center)
    var app = VirtualPhone.App(container: configuration.container) { [engine, environment] in
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
    app.worksOnHostAlone = true
    app.center = center
    app.entitlements.filtering = configuration.isFiltering
    // A critical alert is shown as such: whether Apple granted the entitlement is not known here.
    app.entitlements.criticalAlerts = true
    app.temporaryDirectory = configuration.container
    app.bundle = configuration.bundle
    app.appGroup = configuration.appGroup
    app.extensionCategories = configuration.categories
    return app
  }
}

/// Collects the reports of the engine about one notification.
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
