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
  /// Held while the configuration's closures run, so that they are called one at a time.
  private let reportLock = Mutex(())

  init(_ configuration: VirtualAPNs.Configuration, certificate: TLSContext) {
    self.configuration = configuration
    self.certificate = certificate
    timeouts = ConnectionTimeouts.Limits(configuration)
    elapsed = Self.stopwatch(configuration.clock)
    script = RunningScript()
    isObserved = configuration.journal != nil || configuration.onDelivery != nil
    random = Mutex(configuration.random)
  }

  /// Draws the delay of an answer.
  func delay(by latency: Latency) -> Duration {
    if latency == .none { return .zero }
    return random.withLock { random in latency.next(using: &random) }
  }

  /// Passes a request to the journal, and a push that was accepted to the closure for deliveries.
  func report(journalLine: String?, delivery: SandboxDelivery?) {
    reportLock.withLock { _ in
      if let journalLine { configuration.journal?(journalLine) }
      if let delivery { configuration.onDelivery?(delivery) }
    }
  }

  /// Asks the configuration's closure about a push; `nil` if the closure is not set.
  func decision(about delivery: @autoclosure () -> SandboxDelivery) -> SandboxDecision? {
    guard let decide = configuration.decide else { return nil }
    let delivery = delivery()
    return reportLock.withLock { _ in decide(delivery) }
  }

  private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
