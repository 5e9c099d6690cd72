public import Foundation
import PushPayload
import RichNotifications
@_spi(Host) public import UserNotifications

/// A model of iOS, as far as it receives remote notifications and runs a service extension.
///
/// Give it the extension under test and deliver pushes: it decides as the system does whether the
/// extension runs, warns it, ends it, takes its first reply, resolves attachments and says what the
/// person sees. With a ``VirtualClock`` thirty seconds take milliseconds.
///
/// ```swift
/// let host = NotificationHost(app: .init(container: folder) { NotificationService() })
/// let report = await host.deliver(PushMessage(payload: payload))
/// #expect(report.outcome == .displayed)
/// ```
public final class NotificationHost: Sendable {
  /// The app on the phone.
  public struct App: Sendable {
    /// What the person allows.
    public var settings = NotificationSettings()
    /// The categories in the extension's Info.plist.
    public var extensionCategories: [String] = []
    /// The extension's data container: attachments must lie in it, or in one of the next three.
    public var container: URL
    /// The app's bundle.
    public var bundle: URL?
    /// The app group's folder.
    public var appGroup: URL?
    /// What the extension has from `NSTemporaryDirectory()`, where attachments may lie as well.
    ///
    /// As on the phone, a file that is attached from here is gone afterwards.
    public var temporaryDirectory = URL(
      fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
    /// The categories that the app, and its extension, have made known; here none but what they do.
    public var center = UNUserNotificationCenter(readsUntilVisible: 0)
    /// Makes the principal class; `nil` where the app has no service extension.
    public var makeExtension: (@Sendable () -> UNNotificationServiceExtension)?
    /// The extension as a program; where there is one, it runs in place of ``makeExtension``.
    public var process: ExtensionProcess?

    /// Describes an app whose extension is a program of its own.
    ///
    /// - Parameters:
    ///   - container: The extension's data container, a folder that exists.
    ///   - process: The program.
    public init(container: URL, process: ExtensionProcess) {
      self.init(container: container)
      self.process = process
    }

    /// Describes an app.
    ///
    /// - Parameters:
    ///   - container: The extension's data container, a folder that exists.
    ///   - makeExtension: Makes the principal class, once for each notification.
    public init(
      container: URL, makeExtension: (@Sendable () -> UNNotificationServiceExtension)? = nil
    ) {
      self.container = container
      self.makeExtension = makeExtension
    }
  }

  private struct Queue: Sendable {
    var isBusy = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let app: App
  private let clock: any HostClock
  private let behavior: HostBehavior
  private let store: AttachmentStore
  private let runner: (any ExtensionRunning)?
  private let queue = HostLocked(Queue())

  /// Makes a phone with one app.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - clock: Its time; by default virtual.
  ///   - behavior: What Apple does not document.
  public init(
    app: App, clock: any HostClock = VirtualClock(), behavior: HostBehavior = HostBehavior()
  ) {
    self.app = app
    self.clock = clock
    self.behavior = behavior
    let store = AttachmentStore(
      folders: [app.container, app.temporaryDirectory, app.bundle, app.appGroup]
        .compactMap(\.self),
      bundle: app.bundle, temporaryDirectory: app.temporaryDirectory,
      repository: app.container.appending(path: "Attachments", directoryHint: .isDirectory))
    self.store = store
    if let process = app.process {
      runner = ChildExtension(program: process, app: app, clock: clock, store: store)
    } else {
      runner = app.makeExtension.map { make in
        InProcessExtension(make: make, clock: clock, store: store)
      }
    }
  }

  /// Delivers a push, as APNs does.
  ///
  /// Several at once are served one after the other, as the system does for one extension.
  ///
  /// - Parameter message: The push.
  /// - Returns: What became of it.
  public func deliver(_ message: PushMessage) async -> DeliveryReport {
    await withCheckedContinuation { continuation in
      let arrival = Arrival(clock: clock)
      receive(message, arrival) { continuation.resume(returning: $0) }
    }
  }

  private func receive(
    _ message: PushMessage, _ arrival: Arrival,
    _ completion: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    guard let building = RequestBuilding(message.payload) else {
      let report = arrival.report(.dropped, "the payload has nothing that the system can use")
      return completion(report)
    }
    let identifier = message.collapseID ?? UUID().uuidString
    let request = UNNotificationRequest(
      identifier: identifier, content: building.content, trigger: UNPushNotificationTrigger())
    let eligibility = Eligibility(
      flags: building.flags, hasAlertText: building.content.hasAlertText,
      pushType: message.pushType, settings: app.settings,
      category: building.content.categoryIdentifier, extensionCategories: app.extensionCategories,
      hasExtension: runner != nil, behavior: behavior)
    arrival.note("host", eligibility.reason)
    let original = ContentCopy(request.content)
    guard eligibility.runs, let runner else {
      let shown = show(original, original: original, identifier, message, arrival)
      return completion(shown)
    }
    let copy = RequestCopy(request)
    enqueue { done in
      let run = ServiceRun(clock: self.clock, behavior: self.behavior) { ending in
        arrival.note("host", Self.describe(ending))
        let content = ending.reply ?? original
        var report = self.show(
          content, original: original, identifier, message, arrival, ending: ending)
        report.run = ending.run
        completion(report)
        done()
      }
      run.begin(runner, copy)
    }
  }

  /// The outcome table (docs/ios-model.md, rule 9), without the filtering entitlement.
  private func show(
    _ content: ContentCopy, original: ContentCopy, _ identifier: String, _ message: PushMessage,
    _ arrival: Arrival, ending: ServiceRun.Ending? = nil
  ) -> DeliveryReport {
    var shown = content.content
    var outcome = DeliveryReport.Outcome.displayed
    var reason = ending == nil ? arrival.lastNote : "the extension's content is shown"
    if let ending, ending.reply == nil {
      (outcome, reason) = (.displayedOriginal, Self.describe(ending))
    } else if ending != nil, !shown.hasAlertText {
      shown = original.content
      (outcome, reason) = (
        .displayedOriginal, "the extension's content has no text, so the original is shown"
      )
    }
    if !shown.hasAlertText {
      (outcome, reason) = (.notDisplayed, "there is no text to show")
    } else if behavior.enforcesPushType, message.pushType == "background" {
      (outcome, reason) = (.notDisplayed, "apns-push-type is background")
    } else if !app.settings.showsAlerts {
      (outcome, reason) = (.notDisplayed, "alerts are off in the app's settings")
    }
    let resolutions = store.resolve(shown.attachments)
    for case .refused(let attachment, let error) in resolutions {
      let message = "\(attachment.url.lastPathComponent): \(error.localizedDescription)"
      arrival.note("attachments", "\(message) (\(error.code.rawValue))")
    }
    var report = arrival.report(outcome, reason)
    report.actions = actions(of: shown.categoryIdentifier)
    report.content = ShownContent(shown, requestIdentifier: identifier)
    report.attachments = resolutions.compactMap { resolution in
      guard case .stored(let attachment, _) = resolution else { return nil }
      return ShownAttachment(attachment)
    }
    store.cleanUp(resolutions, moved: content.moved)
    return report
  }

  /// The buttons of a category as the system knows them when it shows the notification.
  private func actions(of category: String) -> [ShownAction] {
    let found = HostLocked<[ShownAction]>([])
    app.center.getNotificationCategories { categories in
      let actions = categories.first { $0.identifier == category }?.actions ?? []
      let shown = actions.map { ShownAction(identifier: $0.identifier, title: $0.title) }
      found.withLock { $0 = shown }
    }
    return found.withLock { $0 }
  }

  private static func describe(_ ending: ServiceRun.Ending) -> String {
    ending.message
  }

  /// One serial queue: the next begins when the one before is done (docs/ios-model.md, rule 6).
  private func enqueue(_ job: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void)
  {
    let start: @Sendable () -> Void = { job { self.next() } }
    let isFree = queue.withLock { queue in
      guard queue.isBusy else {
        queue.isBusy = true
        return true
      }
      queue.waiting.append(start)
      return false
    }
    if isFree { start() }
  }

  private func next() {
    let start: (@Sendable () -> Void)? = queue.withLock { queue in
      guard !queue.waiting.isEmpty else {
        queue.isBusy = false
        return nil
      }
      return queue.waiting.removeFirst()
    }
    start?()
  }
}
