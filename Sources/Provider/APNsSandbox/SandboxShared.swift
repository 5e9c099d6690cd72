import Synchronization
import _TLS

/// The state that a sandbox's threads share.
final class SandboxShared: Sendable {
  let configuration: VirtualAPNs.Configuration
  let certificate: TLSContext
  let timeouts: ConnectionTimeouts.Limits
  /// The time since the sandbox was made, by the clock of the configuration.
  let elapsed: @Sendable () -> Duration
  let script: RunningScript
  let channels = Mutex(SandboxChannels())
  /// Whether the configuration has a journal or takes deliveries.
  let isObserved: Bool
  private let random: Mutex<any RandomNumberGenerator & Sendable>
  /// The pushes for devices that are offline.
  ///
  /// It is held while the configuration's closures run, so that they are called one at a time, and a device that comes
  /// back gets what was accepted before.
  private let stored: Mutex<StoredPushes>

  init(_ configuration: VirtualAPNs.Configuration, certificate: TLSContext) {
    self.configuration = configuration
    self.certificate = certificate
    timeouts = ConnectionTimeouts.Limits(configuration)
    elapsed = Self.stopwatch(configuration.clock)
    script = RunningScript()
    isObserved = configuration.journal != nil || configuration.onDelivery != nil
    random = Mutex(configuration.random)
    stored = Mutex(
      StoredPushes(configuration.offlineStorage, offline: configuration.offlineTokens))
  }

  /// Draws the delay of an answer.
  func delay(by latency: Latency) -> Duration {
    if latency == .none { return .zero }
    return random.withLock { random in latency.next(using: &random) }
  }

  /// Passes a request to the journal, and a push that was accepted to the closure for deliveries, if its device is
  /// online.
  func report(journalLine: String?, delivery: SandboxDelivery?) {
    stored.withLock { stored in
      if let journalLine { configuration.journal?(journalLine) }
      guard let delivery else { return }
      if stored.isOffline(delivery.token) {
        report(stored.keep(delivery), at: delivery.time)
      } else {
        configuration.onDelivery?(delivery)
      }
    }
  }

  /// Takes the device of a token offline; `false` if too many are.
  func disconnect(_ token: String) -> Bool {
    stored.withLock { $0.disconnect(token) }
  }

  /// Brings the device of a token back, and delivers what was kept for it.
  func reconnect(_ token: String) {
    let now = configuration.now()
    stored.withLock { stored in report(stored.reconnect(token, now: now), at: now) }
  }

  /// Writes each change to the journal, and delivers; to be called while ``stored`` is held.
  private func report(_ changes: [StoredPushes.Change], at time: Int64) {
    for change in changes {
      configuration.journal?(change.journalLine(time: time))
      if change.fate == .delivered { configuration.onDelivery?(change.push) }
    }
  }

  /// Asks the configuration's closure about a push; `nil` if the closure is not set.
  func decision(about delivery: @autoclosure () -> SandboxDelivery) -> SandboxDecision? {
    guard let decide = configuration.decide else { return nil }
    let delivery = delivery()
    return stored.withLock { _ in decide(delivery) }
  }

  private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
