#if !os(Linux)
  /// A client for Apple's push notification service.
  @available(
    *, unavailable,
    message: """
      APNs runs on Linux: docker run --rm -v .:/app -w /app swift:6.3 \
      sh -c 'apt-get update && apt-get install -y libnghttp2-dev libssl-dev && swift run'
      """
  )
  public struct APNsClient {}
#endif
