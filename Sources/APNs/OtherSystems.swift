#if !os(Linux)
  /// A client for Apple's push notification service.
  @available(
    *, unavailable,
    message: "APNs runs on Linux: docker run --rm -v .:/app -w /app swift:6.3 swift run"
  )
  public struct APNsClient {}
#endif
