import Foundation
import PushPayload
import RichNotifications
@_spi(Host) import UserNotifications

/// A runner that runs the extension in the host's own process, where a test can inspect it.
///
/// A trap or an `exit` of the extension ends the host as well, and there is no memory limit.
struct InProcessExtension: ExtensionRunner {
  /// The time that an extension may compute before virtual time advances, so that a blocked extension still ends.
  static let freezeLimit = Duration.milliseconds(250)

  private let make: @Sendable () -> Instance
  private let app: VirtualPhone.App
  private let clock: any HostClock
  private let behavior: HostBehavior
  private let store: AttachmentStore

  init(
    app: VirtualPhone.App, clock: any HostClock, behavior: HostBehavior, store: AttachmentStore,
    make: @escaping @Sendable () -> UNNotificationServiceExtension
  ) {
    self.app = app
    self.clock = clock
    self.behavior = behavior
    self.store = store
    let reused = Locked<Instance?>(nil)
    self.make = {
      guard behavior.reusesInstance else { return Instance(make()) }
      let instance = reused.withLock { $0 } ?? Instance(make())
      reused.withLock { $0 = instance }
      return instance
    }
  }

  func start(
    _ request: RequestCopy, record: RunRecord, scope: RunScope,
    events: @escaping @Sendable (ExtensionEvent) -> Void
  ) -> any RunningExtension {
    var app = app
    app.network = app.network.map { RunNetwork(network: record.recording($0), scope: scope) }
    var environment = RichEnvironment(app: app, clock: scope.clock)
    record.observe(&environment)
    let watch: InProcessRun.Watch = { [app] seen in
      guard !app.worksOnHostAlone else { return nil }
      return UnseenWork(
        ProcessActivity(caller: HostThreads.current), seen: seen, behavior: behavior,
        note: record.note
      ).watched(by: clock)
    }
    var world = UNWorld(app: app, clock: scope.clock, behavior: behavior)
    world.notModelled = record.noteLimit
    let run = InProcessRun(
      scope: scope, store: store, world: world,
      services: HostedServices(environment: environment, info: app.extensionInfo), watch: watch,
      events: events)
    // Others that work on their host alone may run at the same time, and one in a debugger beside one that has its turn.
    if !app.worksOnHostAlone { run.becomeLast(replacing: !behavior.isDebugging) }
    run.start(request, make: make)
    return run
  }
}

/// One instance of the principal class, for one notification.
private final class InProcessRun: RunningExtension {
  /// Starts to watch for work that the clock does not see, beside the given work.
  typealias Watch = @Sendable (_ seen: SeenWork) -> (any ClockHold)?

  private struct State: Sendable {
    var instance: Instance?
    /// Whether the extension has replied or was killed.
    var isOver = false
    /// The watch for work of the extension that the clock does not see.
    var watch: (any ClockHold)?
  }

  private let scope: RunScope
  private let store: AttachmentStore
  /// The environment of the UserNotifications replacement.
  private let world: UNWorld
  /// The environment of `RichNotificationService`.
  private let services: HostedServices
  private let watch: Watch
  private let seen: SeenWork
  private let events: @Sendable (ExtensionEvent) -> Void
  private let state: Locked<State>

  init(
    scope: RunScope, store: AttachmentStore, world: UNWorld, services: HostedServices,
    watch: @escaping Watch, events: @escaping @Sendable (ExtensionEvent) -> Void
  ) {
    self.scope = scope
    self.store = store
    self.events = events
    self.services = services
    self.watch = watch
    let seen = SeenWork(scope)
    self.seen = seen
    let state = Locked(State())
    self.state = state
    var world = world
    world.hasNotification = { !state.withLock { $0.isOver } }
    world.enter = { scope.enter($0) }
    world.schedule = { delay, work in
      let work = scope.clock.schedule(after: delay, work)
      return { work.cancel() }
    }
    world.submit = seen.submit
    world.executor = SeenExecutor(seen)
    self.world = world
  }

  var peakMemoryBytes: Int? { nil }

  /// Assigns code that has lost its environment to this run; if it does not replace another one, only in want of one.
  func becomeLast(replacing replaces: Bool) { world.becomeLast(replacing: replaces) }

  func start(_ request: RequestCopy, make: @escaping @Sendable () -> Instance) {
    onThread {
      let instance = make()
      // All work of this class is on the host's clock and network.
      let isHosted = instance.object is RichNotificationService
      let watch = isHosted ? nil : self.watch(self.seen)
      if watch != nil { self.seen.beginWatch() }
      let isNeeded = self.state.withLock { state in
        if !state.isOver { (state.instance, state.watch) = (instance, watch) }
        return !state.isOver
      }
      guard isNeeded else {
        watch?.release()
        return
      }
      self.events(.launched)
      instance.object.didReceive(request.object) { self.reply($0) }
    }
  }

  func warn() {
    onThread { self.state.withLock { $0.instance }?.object.serviceExtensionTimeWillExpire() }
  }

  func end(_ ended: @escaping @Sendable () -> Void) {
    _ = finish()
    world.resignLast()
    scope.whenQuiet(ended)
  }

  private func reply(_ content: UNNotificationContent) {
    // Held until the host has canceled the timers of the run, so that the clock does not jump to them.
    let hold = scope.clock.hold(freezeLimit: .seconds(3600))
    defer { hold.release() }
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
    before.watch?.release()
    withExtendedLifetime(before) {}  // The extension's deinit must not run while the lock is held.
    return !before.isOver
  }

  /// Runs a call of the extension on a new thread, never the main thread.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    let limit = InProcessExtension.freezeLimit
    // Held until the thread runs.
    let start = scope.clock.hold(freezeLimit: limit)
    Thread.detachNewThread { [world, services, seen, clock = scope.clock] in
      let call = clock.holdForCall(freezeLimit: limit)
      let tasks = seen.call {
        start.release()
        world.run { services.run(body) }
        return clock.hold(freezeLimit: limit)
      }
      call.release()
      self.state.withLock { $0.isOver } ? tasks.release() : tasks.releaseAfterTasks()
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
