public import MediaLoading

/// A loader without a network: every fetch fails with reason `offline`.
public struct OfflineMediaLoader: MediaLoader {
  /// Makes one.
  public init() {}

  /// Fails at once.
  ///
  /// - Parameters:
  ///   - request: Not fetched.
  ///   - sink: Finished with `MediaLoadError.Code.offline`.
  /// - Returns: A load that is over.
  public func load(_ request: MediaRequest, into sink: any MediaSink) -> any MediaLoad {
    sink.finish(MediaLoadError(.offline, "there is no network"))
    return Over()
  }

  private struct Over: MediaLoad { func cancel() {} }
}
