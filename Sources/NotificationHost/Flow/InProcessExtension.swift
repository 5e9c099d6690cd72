import Foundation
import RichNotifications
@_spi(Host) import UserNotifications

/// A runner that runs the extension in the host's own process, where a test can inspect it.
///
/// A trap or an `exit` of the extension ends the host as well, and there is no memory limit.
struct InProcessExtension: ExtensionRunner {
  /// The time that an extension may compute before virtual time advances, so that a blocked one still ends.
  static let freezeLimit = Duration.milliseconds(250)

  private let make: @Sendable () -> Instance
  private let app: NotificationHost.App
  private let clock: any HostClock
  private let behavior: HostBehavior
  private let store: AttachmentStore

  init(
    app: NotificationHost.App, clock: any HostClock, behavior: HostBehavior, store: AttachmentStore,
    make: @escaping @Sendable () -> UNNotificationServiceExtension
  ) {
    self.app = app
    self.clock = clock
    self.behavior = behavior
    self.store = store
    let reused = HostLocked<Instance?>(nil)
    self.make = {
      guard behavior.reusesInstance else { return Instance(make()) }
      let instance = reused.withLock { $0 } ?? Instance(make())
      reused.withLock { $0 = instance }
      return instance
    }
  }

  func start(
    _ request: RequestCopy, record: RunRecord, events: @escaping @Sendable (ExtensionEvent) -> Void
  ) -> any RunningExtension {
    var app = app
    app.network = app.network.map(record.recording)
    var environment = RichEnvironment(app: app, clock: clock)
    record.observe(&environment)
    let run = InProcessRun(
      clock: clock, store: store, world: UNWorld(app: app, clock: clock, behavior: behavior),
      services: HostedServices(environment: environment, info: app.extensionInfo), events: events)
    run.start(request, make: make)
    return run
  }
}

/// One instance of the principal class, for one notification.
private final class InProcessRun: RunningExtension {
  private struct State: Sendable {
    var instance: Instance?
    /// Whether the extension has replied or was killed.
    var isOver = false
    /// The holds of threads that have returned, while tasks that they started may still run.
    var holds: [any ClockHold] = []
  }

  private let clock: any HostClock
  private let store: AttachmentStore
  /// The environment of the UserNotifications replacement.
  private let world: UNWorld
  /// The environment of `RichNotificationService`.
  private let services: HostedServices
  private let events: @Sendable (ExtensionEvent) -> Void
  private let state = HostLocked(State())

  init(
    clock: any HostClock, store: AttachmentStore, world: UNWorld, services: HostedServices,
    events: @escaping @Sendable (ExtensionEvent) -> Void
  ) {
    self.clock = clock
    self.store = store
    self.events = events
    self.services = services
    var world = world
    world.hasNotification = { [state] in !state.withLock { $0.isOver } }
    self.world = world
  }

  var peakMemoryBytes: Int? { nil }

  func start(_ request: RequestCopy, make: @escaping @Sendable () -> Instance) {
    onThread {
      let instance = make()
      let isNeeded = self.state.withLock { state in
        if !state.isOver { state.instance = instance }
        return !state.isOver
      }
      guard isNeeded else { return }
      self.events(.launched)
      instance.object.didReceive(request.object) { self.reply($0) }
    }
  }

  func warn() {
    onThread { self.state.withLock { $0.instance }?.object.serviceExtensionTimeWillExpire() }
  }

  func kill() { _ = finish() }

  private func reply(_ content: UNNotificationContent) {
    guard finish() else { return events(.repliedAgain) }
    events(.replied(store.capture(content)))
  }

  /// Releases the instance, which may hold the content handler and with it this object.
  ///
  /// - Returns: Whether the run was not over before.
  private func finish() -> Bool {
    let before = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }
    for hold in before.holds { hold.release() }
    withExtendedLifetime(before) {}  // The extension's deinit must not run while the lock is held.
    return !before.isOver
  }

  /// Runs a call of the extension on a new thread, never the main thread.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    let hold = clock.hold(freezeLimit: InProcessExtension.freezeLimit)
    Thread.detachNewThread { [world, services] in
      world.run { services.run(body) }
      let isOver = self.state.withLock { state in
        if !state.isOver { state.holds.append(hold) }
        return state.isOver
      }
      isOver ? hold.release() : hold.releaseAfterTasks()
    }
  }
}

/// An instance of the extension.
///
/// `@unchecked Sendable`: as on a phone, `didReceive` and `serviceExtensionTimeWillExpire` are called on
/// different threads, and the extension must synchronize its own state.
private struct Instance: @unchecked Sendable {
  let object: UNNotificationServiceExtension
  init(_ object: UNNotificationServiceExtension) { self.object = object }
}
