import Synchronization
import _TLS

/// What a sandbox's threads share.
final class SandboxShared: Sendable {
  let configuration: APNsSandbox.Configuration
  let certificate: TLSContext
  let timeouts: ConnectionTimeouts.Limits
  /// How long the clock has run.
  let elapsed: @Sendable () -> Duration
  let script: RunningScript
  let channels = Mutex(SandboxChannels())
  /// Whether anybody is told of a request.
  let hasListener: Bool
  private let random: Mutex<any RandomNumberGenerator & Sendable>
  /// Held while somebody is told of a request, so that one is told of after the other.
  private let telling = Mutex(())

  init(_ configuration: APNsSandbox.Configuration, certificate: TLSContext) {
    self.configuration = configuration
    self.certificate = certificate
    timeouts = ConnectionTimeouts.Limits(configuration)
    elapsed = Self.stopwatch(configuration.clock)
    script = RunningScript()
    hasListener = configuration.journal != nil || configuration.onDelivery != nil
    random = Mutex(configuration.random)
  }

  /// Draws a wait.
  func draw(_ latency: Latency) -> Duration {
    if latency == .none { return .zero }
    return random.withLock { random in latency.next(using: &random) }
  }

  /// Tells of a request, and of the push that it was.
  func tell(journalLine: String?, delivery: SandboxDelivery?) {
    telling.withLock { _ in
      if let journalLine { configuration.journal?(journalLine) }
      if let delivery { configuration.onDelivery?(delivery) }
    }
  }

  private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration
  where C.Duration == Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
