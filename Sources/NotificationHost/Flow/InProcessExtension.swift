import Foundation
import RichNotifications
@_spi(Host) import UserNotifications

/// Runs the extension in the host's own process: fast, and a test sees into it.
///
/// What ends a process — a trap, an exit, the memory limit — ends the host as well.
struct InProcessExtension: ExtensionRunning {
  /// How long an extension may compute before virtual time flows: a blocked one still ends.
  static let patience = Duration.milliseconds(250)

  private let make: @Sendable () -> Instance
  private let clock: any HostClock
  private let store: AttachmentStore
  /// What the look-alike of Apple's frameworks asks of its surroundings.
  private let world: UNWorld

  init(
    clock: any HostClock, store: AttachmentStore, world: UNWorld, reusesInstance: Bool,
    make: @escaping @Sendable () -> UNNotificationServiceExtension
  ) {
    self.clock = clock
    self.store = store
    self.world = world
    let kept = HostLocked<Instance?>(nil)
    self.make = {
      guard reusesInstance else { return Instance(make()) }
      let instance = kept.withLock { $0 } ?? Instance(make())
      kept.withLock { $0 = instance }
      return instance
    }
  }

  func start(
    _ request: RequestCopy, events: @escaping @Sendable (ExtensionEvent) -> Void
  ) -> any RunningExtension {
    let run = InProcessRun(clock: clock, store: store, world: world, events: events)
    run.start(request, make: make)
    return run
  }
}

/// One instance of the principal class, for one notification.
private final class InProcessRun: RunningExtension {
  private struct State: Sendable {
    var instance: Instance?
    /// It replied, or was killed.
    var isOver = false
    /// Of threads that have returned, while tasks that they started come to run.
    var holds: [any ClockHold] = []
  }

  private let clock: any HostClock
  private let store: AttachmentStore
  private let world: UNWorld
  private let events: @Sendable (ExtensionEvent) -> Void
  private let state = HostLocked(State())

  init(
    clock: any HostClock, store: AttachmentStore, world: UNWorld,
    events: @escaping @Sendable (ExtensionEvent) -> Void
  ) {
    self.clock = clock
    self.store = store
    self.events = events
    var world = world
    world.hasNotification = { [state] in !state.withLock { $0.isOver } }
    self.world = world
  }

  var peakMemoryBytes: Int? { nil }

  func start(_ request: RequestCopy, make: @escaping @Sendable () -> Instance) {
    onThread {
      let instance = make()
      let isWanted = self.state.withLock { state in
        if !state.isOver { state.instance = instance }
        return !state.isOver
      }
      guard isWanted else { return }
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
    events(.replied(store.take(content)))
  }

  /// Lets go of the instance, since the handler that it may keep holds this object.
  ///
  /// `false` where that was
  /// done before.
  private func finish() -> Bool {
    let before = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }
    for hold in before.holds { hold.release() }
    withExtendedLifetime(before) {}  // An extension's deinit is its own code: not under the lock.
    return !before.isOver
  }

  /// Neither call comes on the main thread, and each has a thread of its own.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    let hold = clock.hold(patience: InProcessExtension.patience)
    let world = world
    Thread.detachNewThread {
      world.run(body)
      let isOver = self.state.withLock { state in
        if !state.isOver { state.holds.append(hold) }
        return state.isOver
      }
      isOver ? hold.release() : hold.linger()
    }
  }
}

/// An instance of the extension.
///
/// `@unchecked Sendable`: as on the phone, `didReceive` and `serviceExtensionTimeWillExpire` come on
/// different threads; guarding its state is the extension's own duty, and what is modelled.
private struct Instance: @unchecked Sendable {
  let object: UNNotificationServiceExtension
  init(_ object: UNNotificationServiceExtension) { self.object = object }
}
