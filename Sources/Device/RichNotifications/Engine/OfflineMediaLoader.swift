public import MediaLoading

/// A loader without a network.
///
/// Every load fails with the reason `offline`.
public struct OfflineMediaLoader: MediaLoader {
  /// Creates a loader.
  public init() {}

  /// Finishes the sink with `MediaLoadError.Code.offline` before it returns.
  ///
  /// - Parameters:
  ///   - request: The request, which is not sent.
  ///   - sink: The sink to finish.
  /// - Returns: A load that has already ended.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    sink.finish(MediaLoadError(.offline, "there is no network"))
    return EndedLoad()
  }

  private struct EndedLoad: MediaLoad { func cancel() {} }
}
