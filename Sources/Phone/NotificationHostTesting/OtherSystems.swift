#if !os(Linux)
  public import NotificationHost

  /// A phone for one test.
  @available(
    *, unavailable,
    message:
      "NotificationHostTesting runs on Linux: docker run --rm -v .:/app -w /app swift:6.3 swift test"
  )
  public struct TestPhone {
    /// Creates a phone with one app.
    public init(
      _ responses: [String: ScriptedNetwork.Response] = [:], makeExtension: () -> Any
    ) throws {}

    /// Delivers a push.
    public func deliver(_ json: String) async throws -> DeliveryReport { fatalError() }
  }

  @available(
    *, unavailable,
    message:
      "NotificationHostTesting runs on Linux: docker run --rm -v .:/app -w /app swift:6.3 swift test"
  )
  extension DeliveryReport {
    /// Expects an outcome and content.
    public func expect(
      _ outcome: Outcome, title: String? = nil, body: String? = nil, attachments: [String]? = nil
    ) {}
  }
#endif
