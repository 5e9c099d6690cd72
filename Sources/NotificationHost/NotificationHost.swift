import Foundation
import PushPayload
import RichNotifications
@_spi(Host) import UserNotifications

/// A model of iOS, as far as it receives remote notifications and runs a service extension.
///
/// Give it the extension under test and deliver pushes: it decides as the system does whether the
/// extension runs, warns it, ends it, takes its first reply, resolves attachments and says what the
/// person sees, and by which rule. With a ``VirtualClock`` thirty seconds take milliseconds.
///
/// ```swift
/// let host = NotificationHost(app: .init(container: folder) { NotificationService() })
/// let report = await host.deliver(PushMessage(payload: payload))
/// #expect(report.outcome == .displayed)
/// ```
public final class NotificationHost: Sendable {
  private let app: App
  private let facts: AppFacts
  private let strings: LocalizedStrings
  private let clock: any HostClock
  private let behavior: HostBehavior
  private let store: AttachmentStore
  private let runner: (any ExtensionRunning)?
  private let queue = SerialQueue()

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
    let store = AttachmentStore(app: app, behavior: behavior)
    self.store = store
    strings =
      app.bundle.map { LocalizedStrings(bundle: $0, language: app.language) } ?? LocalizedStrings()
    if let process = app.process {
      runner = ChildExtension(
        program: process, app: app, clock: clock, behavior: behavior, store: store)
    } else {
      runner = app.makeExtension.map { make in
        InProcessExtension(
          clock: clock, store: store, world: UNWorld(app: app, clock: clock, behavior: behavior),
          reusesInstance: behavior.reusesInstance, make: make)
      }
    }
    facts = AppFacts(app, hasExtension: runner != nil)
  }

  /// Delivers a push, as APNs does.
  ///
  /// Several at once are served one after the other, as the system does for one extension.
  ///
  /// - Parameter message: The push.
  /// - Returns: What became of it.
  public func deliver(_ message: PushMessage) async -> DeliveryReport {
    await withCheckedContinuation { continuation in
      receive(Arrival(message, clock: clock)) { continuation.resume(returning: $0) }
    }
  }

  private func receive(
    _ arrival: Arrival, _ completion: @escaping @Sendable (DeliveryReport) -> Void
  ) {
    let message = arrival.message
    guard let building = RequestBuilding(message.payload, strings: strings) else {
      let reason = "the payload has nothing that the system can use"
      return completion(arrival.report(.dropped, by: .usablePayload, reason))
    }
    if let refusal = facts.refusal(of: building) {
      let outcome: DeliveryReport.Outcome = facts.isRegistered ? .notDisplayed : .dropped
      return completion(arrival.report(outcome, by: .acceptance, refusal))
    }
    let request = RequestCopy(
      UNNotificationRequest(
        identifier: message.collapseID ?? UUID().uuidString, content: building.content,
        trigger: UNPushNotificationTrigger()))
    let delivery = Delivery(
      arrival: arrival, request: request,
      wakesApp: building.flags.contentAvailable && facts.receivesBackgroundPushes)
    let eligibility = Eligibility(message, building, app: facts, behavior: behavior)
    arrival.note(eligibility.rule, eligibility.reason)
    guard eligibility.runs, let runner else {
      let reply = OutcomeTable.Reply.notAsked(eligibility.reason)
      return completion(show(delivery, reply, nil))
    }
    queue.add { done in
      let run = ServiceRun(clock: self.clock, behavior: self.behavior, note: arrival.note) {
        ending in
        arrival.note(ending.rule, ending.message)
        let reply: OutcomeTable.Reply =
          ending.reply.map { .content(hasText: $0.content.hasAlertText) } ?? .none(ending.message)
        var report = self.show(delivery, reply, ending.reply)
        report.run = ending.run
        completion(report)
        done()
      }
      run.begin(runner, request)
    }
  }

  /// One push that goes to the screen.
  private struct Delivery: Sendable {
    var arrival: Arrival
    var request: RequestCopy
    var wakesApp: Bool
  }

  private func show(
    _ delivery: Delivery, _ reply: OutcomeTable.Reply, _ content: ContentCopy?
  ) -> DeliveryReport {
    let (arrival, message) = (delivery.arrival, delivery.arrival.message)
    let filters = facts.filters(message)
    var table = OutcomeTable(reply, filters: filters, behavior: behavior)
    let original = delivery.request.object.content
    let applies: UNNotificationContent? =
      switch table.source {
      case .original: original
      case .reply: content?.content
      case .quietReply: content?.content.badgeAndSound
      case .nothing: nil
      }
    let shown = applies?.lowered(to: app.entitlements, behavior) { arrival.note($0, $1) }
    table.restrict(
      hasText: shown?.hasAlertText ?? false,
      isBackground: behavior.enforcesPushType && message.pushType == "background",
      showsAlerts: app.settings.showsAlerts)
    let resolutions = store.resolve(shown?.attachments ?? [])
    for case .refused(let attachment, let refusal) in resolutions {
      let error = UNError(refusal.code)
      let text = "\(attachment.url.lastPathComponent): \(error.localizedDescription)"
      arrival.note(refusal.rule, "\(text) (\(refusal.code.rawValue))", stage: .attachments)
    }
    var report = arrival.report(table.outcome, by: table.rule, table.reason)
    report.wakesApp = delivery.wakesApp
    if let shown {
      report.actions = app.actions(of: shown.categoryIdentifier)
      let identifier = delivery.request.object.identifier
      report.content = ShownContent(shown, requestIdentifier: identifier)
    }
    report.attachments = resolutions.compactMap { resolution in
      guard case .stored(let attachment, _) = resolution else { return nil }
      return ShownAttachment(attachment)
    }
    store.cleanUp(resolutions, moved: content?.moved ?? [])
    return report
  }
}
