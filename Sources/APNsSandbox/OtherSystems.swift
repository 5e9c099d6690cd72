#if !os(Linux)
  /// A model of Apple's push notification service.
  @available(
    *, unavailable,
    message: "APNsSandbox runs on Linux: docker run --rm -v .:/app -w /app swift:6.3 swift test"
  )
  public struct APNsSandbox {}
#endif
