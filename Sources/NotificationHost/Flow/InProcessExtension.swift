import Foundation
import RichNotifications
@_spi(Host) import UserNotifications

/// Runs the extension in the host's own process: fast, and a test sees into it.
///
/// What ends a process — a trap, an exit, the memory limit — ends the host as well.
struct InProcessExtension: ExtensionRunning {
  /// How long an extension may compute before virtual time flows: a blocked one still ends.
  static let patience = Duration.milliseconds(250)

  let make: @Sendable () -> UNNotificationServiceExtension
  let clock: any HostClock
  let store: AttachmentStore

  func start(
    _ request: RequestCopy, events: @escaping @Sendable (ExtensionEvent) -> Void
  ) -> any RunningExtension {
    let run = InProcessRun(clock: clock, store: store, events: events)
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
  }

  private let clock: any HostClock
  private let store: AttachmentStore
  private let events: @Sendable (ExtensionEvent) -> Void
  private let state = HostLocked(State())

  init(
    clock: any HostClock, store: AttachmentStore,
    events: @escaping @Sendable (ExtensionEvent) -> Void
  ) {
    self.clock = clock
    self.store = store
    self.events = events
  }

  var peakMemoryBytes: Int? { nil }

  func start(_ request: RequestCopy, make: @escaping @Sendable () -> UNNotificationServiceExtension)
  {
    onThread {
      let instance = Instance(make())
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

  /// Lets go of the instance: the handler that it may keep holds this object. `false` where that was
  /// done before.
  private func finish() -> Bool {
    let (wasOver, instance) = state.withLock { state in
      let was = (state.isOver, state.instance)
      state = State(instance: nil, isOver: true)
      return was
    }
    withExtendedLifetime(instance) {}  // An extension's deinit is its own code: not under the lock.
    return !wasOver
  }

  /// Neither call comes on the main thread, and each has a thread of its own.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    let hold = clock.hold(patience: InProcessExtension.patience)
    Thread.detachNewThread {
      body()
      hold.release()
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
