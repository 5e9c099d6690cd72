#if !os(Linux)
  /// A model of Apple's push notification service.
  @available(
    *, unavailable,
    message: """
      APNsSandbox runs on Linux: docker run --rm -v .:/app -w /app swift:6.3 \
      sh -c 'apt-get update && apt-get install -y libnghttp2-dev libssl-dev && swift test'
      """
  )
  public struct VirtualAPNs {}
#endif
