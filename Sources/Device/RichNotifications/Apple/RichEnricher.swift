#if canImport(UserNotifications) && !os(tvOS)
  import Foundation
  import PushPayload
  public import UserNotifications

  /// Enriches notifications in an extension that has its own base class.
  ///
  /// ```swift
  /// private let enricher = RichEnricher()
  /// private var delivery: RichDelivery?
  ///
  /// override func didReceive(
  ///   _ request: UNNotificationRequest,
  ///   withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  /// ) {
  ///   delivery = enricher.enrich(request, withContentHandler: contentHandler)
  /// }
  /// override func serviceExtensionTimeWillExpire() { delivery?.expire() }
  /// ```
  ///
  /// One enricher can enrich any number of notifications at the same time.
  public struct RichEnricher: Sendable {
    private let configuration: RichConfiguration
    private let environment: RichEnvironment

    /// Creates an enricher.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the engine.
    ///   - environment: The services that the engine uses.
    public init(
      configuration: RichConfiguration = RichConfiguration(), environment: RichEnvironment = .device
    ) {
      self.configuration = configuration
      self.environment = environment
    }

    /// Enriches a notification and passes it to the content handler.
    ///
    /// - Parameters:
    ///   - request: The request that the system passed to the extension.
    ///   - contentHandler: Called exactly once, on any thread, possibly before this method returns.
    /// - Returns: The delivery. Call ``RichDelivery/expire()`` in `serviceExtensionTimeWillExpire`.
    public func enrich(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) -> RichDelivery {
      let handler = ContentHandler(original: request.content, handler: contentHandler)
      var environment = environment
      environment.attach = handler.attach
      let delivery = RichDelivery(
        IncomingNotification(request), configuration: configuration, environment: environment,
        completion: handler.deliver)
      delivery.begin()
      return delivery
    }

    /// Enriches a notification asynchronously.
    ///
    /// Cancel the task in `serviceExtensionTimeWillExpire`: it then returns at once with the media received so
    /// far.
    ///
    /// - Parameters:
    ///   - request: The request that the system passed to the extension.
    ///   - isolation: The actor that the method runs on. The default is the caller's.
    /// - Returns: The content to pass to the content handler; the original content if nothing is added to it.
    public func enrich(
      _ request: UNNotificationRequest, isolation: isolated (any Actor)? = #isolation
    ) async -> UNNotificationContent {
      let notification = IncomingNotification(request)
      let result = Locked(Box(request.content))
      let handler = ContentHandler(original: request.content) { content in
        let box = Box(content)
        result.withLock { $0 = box }
      }
      var environment = environment
      environment.attach = handler.attach
      let enriched = await RichDelivery.outcome(
        of: notification, configuration: configuration, environment: environment)
      handler.deliver(enriched)
      return result.withLock { $0 }.content
    }
  }

  /// `@unchecked Sendable`: the content is not changed any more.
  private struct Box: @unchecked Sendable {
    let content: UNNotificationContent
    init(_ content: UNNotificationContent) { self.content = content }
  }
#endif
