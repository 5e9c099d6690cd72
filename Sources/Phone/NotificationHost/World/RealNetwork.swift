public import MediaLoading

/// A loader that uses a real network with the host's clock.
///
/// During a load, virtual time advances with real time, so that deadlines are real.
public final class RealNetwork: MediaLoader {
  private let loader: any MediaLoader
  private let clock: any HostClock

  /// Creates a network.
  ///
  /// - Parameters:
  ///   - loader: The loader that fetches over a real network.
  ///   - clock: The host's clock.
  public init(_ loader: any MediaLoader, clock: any HostClock) {
    self.loader = loader
    self.clock = clock
  }

  /// Starts a load, and holds the clock until it ends.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - sink: The object that receives the response.
  /// - Returns: A handle that cancels the load.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    loader.load(request, into: HeldSink(sink, hold: clock.hold(freezeLimit: .zero)))
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
