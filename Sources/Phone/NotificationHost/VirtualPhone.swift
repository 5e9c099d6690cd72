import Foundation
import PushPayload
import RichNotifications
@_spi(Host) import UserNotifications

/// A model of how iOS delivers remote notifications and runs a notification service extension.
///
/// Create a host with the extension under test and deliver pushes to it. Like the system, the host decides
/// whether the extension runs, calls `serviceExtensionTimeWillExpire`, ends the extension after 30 seconds,
/// accepts the first call of the content handler and stores attachments. The ``DeliveryReport`` has the outcome for
/// the person, and the rule that decided it. With a ``VirtualClock``, 30 seconds take milliseconds.
///
/// ```swift
/// let host = VirtualPhone(app: .init(container: folder) { NotificationService() })
/// let report = await host.deliver(PushMessage(payload: payload))
/// #expect(report.outcome == .displayed)
/// ```
public final class VirtualPhone: Sendable {
  let app: App
  private let state: AppState
  private let strings: LocalizedStrings
  let clock: any HostClock
  let behavior: HostBehavior
  private let store: AttachmentStore
  private let runner: (any ExtensionRunner)?
  private let queue = SerialQueue()
  private let activities: Locked<PhoneActivities>
  private let reloads: Locked<PhoneReloads>
  /// The time at which the clock began, on the calendar by which Live Activities end and budgets grow.
  private let epoch: Date
  /// The queue of the extensions in this process: only one runs at a time, as on a phone.
  ///
  /// They share static properties, queues and threads, so code on these cannot be assigned to a host.
  private static let extensions = SerialQueue()
  private let runsInTurn: Bool
  private let journal: PhoneJournal?

  /// Creates a host with one app.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - clock: The clock; virtual by default.
  ///   - behavior: Switches for behavior that Apple does not document.
  public convenience init(
    app: App, clock: any HostClock = VirtualClock(), behavior: HostBehavior = HostBehavior()
  ) {
    self.init(app: app, clock: clock, behavior: behavior, journal: nil)
  }

  /// Creates a host that writes its pushes into a journal.
  package init(
    app: App, clock: any HostClock, behavior: HostBehavior, journal: PhoneJournal?
  ) {
    self.journal = journal
    self.app = app
    self.clock = clock
    self.behavior = behavior
    activities = Locked(PhoneActivities(behavior: behavior))
    reloads = Locked(PhoneReloads(behavior: behavior))
    epoch = Date(timeIntervalSinceNow: -Double(clock.now.components.seconds))
    try? FileManager.default.createDirectory(
      at: app.temporaryDirectory, withIntermediateDirectories: true)
    // An extension without a time limit would keep the others waiting forever.
    runsInTurn = app.process == nil && !app.worksOnHostAlone && !behavior.isDebugging
    let store = AttachmentStore(app: app, behavior: behavior)
    self.store = store
    strings =
      app.bundle.map { LocalizedStrings(bundle: $0, language: app.language) } ?? LocalizedStrings()
    if let process = app.process {
      runner = ChildExtension(
        program: process, app: app, clock: clock, behavior: behavior, store: store)
    } else {
      runner = app.makeExtension.map { make in
        InProcessExtension(app: app, clock: clock, behavior: behavior, store: store, make: make)
      }
    }
    state = AppState(app, hasExtension: runner != nil)
  }

  /// Delivers a push, as APNs does.
  ///
  /// Concurrent pushes are processed one after the other, as the system does for one extension.
  ///
  /// - Parameter message: The push.
  /// - Returns: The result.
  public func deliver(_ message: PushMessage) async -> DeliveryReport {
    await withCheckedContinuation { continuation in
      deliver(message) { continuation.resume(returning: $0) }
    }
  }

  /// Delivers a push, and calls a closure with the result.
  package func deliver(
    _ message: PushMessage, _ completion: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    let trace = PushTrace(message, clock: clock, appGroup: app.appGroup)
    journal?.add(trace)
    receive(trace) { completion(trace.end($0)) }
  }

  private func receive(
    _ trace: PushTrace, _ completion: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    let message = trace.message
    if behavior.enforcesPushType, let destination = PushDestination(message.pushType) {
      return completion(report(trace, to: destination))
    }
    guard let building = RequestBuilding(message.payload, strings: strings) else {
      let reason = "aps has no text, badge, sound or content-available"
      return completion(trace.report(.dropped, by: .usablePayload, reason: reason))
    }
    if let refusal = state.refusal(of: building) {
      let outcome: DeliveryReport.Outcome = state.isRegistered ? .notDisplayed : .dropped
      return completion(trace.report(outcome, by: .acceptance, reason: refusal))
    }
    let request = RequestCopy(
      UNNotificationRequest(
        identifier: message.collapseID ?? UUID().uuidString, content: building.content,
        trigger: UNPushNotificationTrigger()))
    let delivery = Delivery(
      trace: trace, request: request,
      wakesApp: building.flags.contentAvailable && state.receivesBackgroundPushes)
    let eligibility = Eligibility(message, building, app: state, behavior: behavior)
    trace.note(eligibility.rule, eligibility.reason)
    guard eligibility.runs, let runner else {
      let reply = OutcomeTable.Reply.notRun(eligibility.reason)
      return completion(show(delivery, reply: reply, content: nil))
    }
    queue.add { next in
      self.inTurn { end in
        self.run(delivery, by: runner) { report in
          completion(report)
          next()
          end()
        }
      }
    }
  }

  /// Starts, updates or ends a Live Activity.
  ///
  /// - Returns: The activity's token, and the rule by which the phone ignores the push.
  func receive(_ push: LiveActivity, of message: PushMessage) -> (token: String?, rule: HostRule?) {
    let now = now
    return activities.withLock { activities in
      if push.event == "start" {
        let token = UUID().uuidString.filter { $0 != "-" }.lowercased()
        return (token, activities.start(push, token: token, at: now))
      }
      // An update without a token is taken for one of an activity that runs.
      guard let token = message.activityToken else { return (nil, nil) }
      return (
        token, activities.receive(push, to: token, priority: message.priority, at: now)
      )
    }
  }

  /// Reloads the app's widgets or controls.
  ///
  /// - Returns: Whether the phone's budget allows it.
  func reload(_ kind: String) -> Bool {
    let now = now
    return reloads.withLock { $0.reload(kind, at: now) }
  }

  private var now: Date { epoch.addingTimeInterval(Double(clock.now.components.seconds)) }

  /// Starts a job when no other extension of this process runs.
  private func inTurn(_ job: @escaping SerialQueue.Job) {
    runsInTurn ? Self.extensions.add(job) : job {}
  }

  /// Runs the extension.
  private func run(
    _ delivery: Delivery, by runner: any ExtensionRunner,
    _ completion: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    let trace = delivery.trace
    let record = RunRecord(trace)
    trace.begin()
    let run = ServiceRun(clock: self.clock, behavior: self.behavior, note: trace.note) {
      ending in
      trace.note(ending.rule, ending.message)
      let reply: OutcomeTable.Reply =
        ending.reply.map { .content(hasText: $0.content.hasAlertText) } ?? .none(ending.message)
      var report = self.show(delivery, reply: reply, content: ending.reply)
      report.run = ending.run
      (report.requests, report.media) = (record.requests, record.media)
      completion(report)
    }
    run.begin(runner, delivery.request, record: record)
  }

  /// A push whose notification may be shown.
  private struct Delivery: Sendable {
    var trace: PushTrace
    var request: RequestCopy
    var wakesApp: Bool
  }

  private func show(
    _ delivery: Delivery, reply: OutcomeTable.Reply, content: ContentCopy?
  ) -> DeliveryReport {
    let (trace, message) = (delivery.trace, delivery.trace.message)
    let filters = state.filters(message)
    var table = OutcomeTable(reply, filters: filters, behavior: behavior)
    let original = delivery.request.object.content
    let effective: UNNotificationContent? =
      switch table.source {
      case .original: original
      case .reply: content?.content
      case .replyBadgeAndSound: content?.content.badgeAndSound
      case .nothing: nil
      }
    let shown = effective?.lowered(to: app.entitlements, behavior) { trace.note($0, $1) }
    table.restrict(
      hasText: shown?.hasAlertText ?? false,
      isBackground: behavior.enforcesPushType && message.pushType == "background",
      showsAlerts: app.settings.showsAlerts)
    let resolutions = store.resolve(shown?.attachments ?? [])
    for resolution in resolutions {
      if let (rule, message) = resolution.note { trace.note(rule, message, stage: .attachments) }
    }
    let forwards =
      app.settings.accessories && [.displayed, .displayedOriginal].contains(table.outcome)
    if forwards { trace.note(.accessory, "the notification is forwarded to an accessory") }
    var report = trace.report(table.outcome, by: table.rule, reason: table.reason)
    report.wakesApp = delivery.wakesApp
    if let shown {
      report.actions = app.actions(of: shown.categoryIdentifier)
      let identifier = delivery.request.object.identifier
      report.content = ShownContent(shown, requestIdentifier: identifier)
    }
    report.attachments = resolutions.compactMap { resolution in
      guard case .stored(let attachment, _, _) = resolution else { return nil }
      return ShownAttachment(attachment)
    }
    store.cleanUp(resolutions, moved: content?.moved ?? [])
    if forwards { report.forward() }
    return report
  }
}
