import Foundation
import RichNotifications
@_spi(Host) import UserNotifications

/// One run of the service extension: a new instance on a thread of its own, two timers, one reply.
final class ServiceRun: Sendable {
  /// What it came to: the reply, if there was one.
  struct Ending: Sendable {
    var reply: ContentCopy?
    var run: DeliveryReport.ExtensionRun
  }

  /// A delay that virtual time does not spend while the extension's code runs.
  private static let moment = Duration.nanoseconds(1)
  /// How long an extension may compute before virtual time flows: a blocked one still ends.
  private static let patience = Duration.milliseconds(250)

  private let make: @Sendable () -> UNNotificationServiceExtension
  private let request: RequestCopy
  private let clock: any HostClock
  private let behavior: HostBehavior
  private let store: AttachmentStore
  private let ended: @Sendable (Ending) -> Void
  private let start: Duration
  private let life = HostLocked(ExtensionLife())
  private let timers = HostLocked<[any ScheduledWork]>([])
  private let instance = HostLocked<Instance?>(nil)

  init(
    _ request: RequestCopy, clock: any HostClock, behavior: HostBehavior, store: AttachmentStore,
    make: @escaping @Sendable () -> UNNotificationServiceExtension,
    ended: @escaping @Sendable (Ending) -> Void
  ) {
    self.request = request
    self.clock = clock
    self.behavior = behavior
    self.store = store
    self.make = make
    self.ended = ended
    start = clock.now
  }

  func begin() {
    // Held before the timers are set: virtual time must not jump to them before the launch.
    let hold = clock.hold(patience: Self.patience)
    let grace = behavior.timeLimit - behavior.expiryGrace
    let warning = clock.schedule(after: grace) { self.perform(.graceBegins) }
    let end = clock.schedule(after: behavior.timeLimit) { self.perform(.timeIsUp) }
    timers.withLock { $0 = [warning, end] }
    onThread(hold) {
      let instance = Instance(self.make())
      self.instance.withLock { $0 = instance }
      guard case .receive(let thenWarn) = self.life.withLock({ $0.on(.launched) }) else {
        self.instance.withLock { $0 = nil }
        return
      }
      if thenWarn {
        _ = self.clock.schedule(after: Self.moment) { self.perform(.graceBegins) }
      }
      instance.object.didReceive(self.request.object) { self.perform(.replied, $0) }
    }
  }

  private func perform(_ event: ExtensionLife.Event, _ content: UNNotificationContent? = nil) {
    switch life.withLock({ $0.on(event) }) {
    case .warn:
      onThread(clock.hold(patience: Self.patience)) {
        self.instance.withLock { $0 }?.object.serviceExtensionTimeWillExpire()
      }
    case .accept: end(content.map(store.take))
    case .giveUp: end(nil)
    case .receive, .ignore, .nothing: break
    }
  }

  private func end(_ reply: ContentCopy?) {
    for timer in timers.withLock({ $0 }) { timer.cancel() }
    // The handler that the extension may keep holds this object, so this object lets go of it.
    instance.withLock { $0 = nil }
    let elapsed = clock.now - start
    // Off the extension's thread, since what follows is the system's; and a moment later, so that
    // further calls of the handler in the same turn are counted.
    _ = clock.schedule(after: Self.moment) {
      let (calls, expired) = self.life.withLock { ($0.handlerCalls, $0.expired) }
      let run = DeliveryReport.ExtensionRun(
        ran: true, handlerCalls: calls, expired: expired, elapsed: elapsed)
      self.ended(Ending(reply: reply, run: run))
    }
  }

  /// Neither call comes on the main thread (docs/ios-model.md, rule 13); each has a thread of its own.
  private func onThread(_ hold: any ClockHold, _ body: @escaping @Sendable () -> Void) {
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

/// A copy of the content as it was at the call, so that later changes have no effect.
///
/// `@unchecked Sendable`: the copy is immutable and its properties are immutable objects.
struct ContentCopy: @unchecked Sendable {
  let content: UNNotificationContent
  /// The files that were moved away at the call; the system's own from then on.
  let moved: [URL]

  init(_ content: UNNotificationContent, moved: [URL] = []) {
    self.moved = moved
    self.content = content.copy() as? UNNotificationContent ?? UNNotificationContent()
  }
}

/// `@unchecked Sendable`: a request is immutable.
struct RequestCopy: @unchecked Sendable {
  let object: UNNotificationRequest
  init(_ object: UNNotificationRequest) { self.object = object }
}
