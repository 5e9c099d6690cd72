#if !os(Linux)
  // On other systems the module has only the names in README.md's test, so that its build ends with the advice in the message.

  /// A network whose responses a test defines.
  @available(
    *, unavailable,
    message:
      "NotificationHost runs on Linux: docker run --rm -v .:/app -w /app swift:6.3 swift test"
  )
  public struct ScriptedNetwork {
    /// The body of a response.
    public enum Body {
      case bytes([UInt8])
      /// A PNG of one pixel.
      public static var onePixelPNG: Body { .bytes([]) }
    }
    /// The response of a URL.
    public struct Response {
      /// Creates a response.
      public init(status: Int = 200, headers: [String: String] = [:], body: Body? = nil) {}
    }
  }

  /// The result of delivering one push.
  @available(
    *, unavailable,
    message:
      "NotificationHost runs on Linux: docker run --rm -v .:/app -w /app swift:6.3 swift test"
  )
  public struct DeliveryReport {
    /// The outcome of a push, as the person sees it.
    public enum Outcome { case displayed, displayedOriginal, suppressed, notDisplayed, dropped }
  }
#endif
