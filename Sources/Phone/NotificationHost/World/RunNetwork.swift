import MediaLoading

/// A network for one run, whose loads end with the run.
struct RunNetwork: MediaLoader {
  let network: any MediaLoader
  let scope: RunScope

  func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    guard let number = scope.begin() else { return NoLoad() }
    let load = network.load(request, into: RunSink(sink: sink, scope: scope, number: number))
    // Also if the load has finished already, which canceling does not change.
    scope.keep(number) { load.cancel() }
    return load
  }

  /// The load of a run that has ended, which never answers.
  private struct NoLoad: MediaLoad { func cancel() {} }

  /// A sink that hears nothing after the end of the run.
  private final class RunSink: MediaSink {
    private let sink: any MediaSink
    private let scope: RunScope
    private let number: Int

    init(sink: any MediaSink, scope: RunScope, number: Int) {
      (self.sink, self.scope, self.number) = (sink, scope, number)
    }

    func receive(_ head: MediaResponseHead) -> MediaLoadDisposition {
      scope.enter { sink.receive(head) } ?? .stop
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> MediaLoadDisposition {
      scope.enter { sink.receive(bytes) } ?? .stop
    }

    func finish(_ error: MediaLoadError?) {
      if scope.finish(number) { scope.enter { sink.finish(error) } }
    }
  }
}
