public import MediaLoading

/// A real network under the host's clock: while a load is under way, virtual time flows as it does
/// outside, so that deadlines mean what they say.
public final class RealNetwork: MediaLoader {
  private let loader: any MediaLoader
  private let clock: any HostClock

  /// Puts a loader under a clock.
  ///
  /// - Parameters:
  ///   - loader: What really fetches.
  ///   - clock: The host's clock.
  public init(_ loader: any MediaLoader, clock: any HostClock) {
    self.loader = loader
    self.clock = clock
  }

  /// Fetches, holding the clock meanwhile.
  ///
  /// - Parameters:
  ///   - request: What to fetch.
  ///   - sink: What receives the answer.
  /// - Returns: What cancels the load.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    loader.load(request, into: HeldSink(sink, hold: clock.hold(patience: .zero)))
  }

  private final class HeldSink: MediaSink {
    private let sink: any MediaSink
    private let hold: any ClockHold

    init(_ sink: any MediaSink, hold: any ClockHold) {
      self.sink = sink
      self.hold = hold
    }

    func receive(_ head: MediaResponseHead) -> MediaLoadDisposition { sink.receive(head) }

    func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition { sink.receive(bytes) }

    func finish(_ error: MediaLoadError?) {
      sink.finish(error)
      hold.release()
    }
  }
}
