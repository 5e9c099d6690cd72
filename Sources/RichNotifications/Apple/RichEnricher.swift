#if canImport(UserNotifications) && !os(tvOS)
  import Foundation
  import PushPayload
  public import UserNotifications

  /// Enriches notifications for an extension that has a base class of its own.
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
  /// It holds nothing of a notification, so one serves any number at once.
  public struct RichEnricher: Sendable {
    private let configuration: RichConfiguration
    private let environment: RichEnvironment

    /// Makes one.
    ///
    /// - Parameters:
    ///   - configuration: How the app wants its notifications enriched.
    ///   - environment: Network, clock and files.
    public init(
      configuration: RichConfiguration = RichConfiguration(), environment: RichEnvironment = .device
    ) {
      self.configuration = configuration
      self.environment = environment
    }

    /// Enriches a notification and hands it over.
    ///
    /// - Parameters:
    ///   - request: What arrived.
    ///   - contentHandler: Called exactly once, from any thread, perhaps before this returns.
    /// - Returns: What is under way: call ``RichDelivery/expire()`` when the system says that time is up.
    public func enrich(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) -> RichDelivery {
      let handover = Handover(original: request.content, handler: contentHandler)
      let delivery = RichDelivery(
        IncomingNotification(request), configuration: configuration, environment: environment,
        completion: handover.deliver)
      delivery.begin()
      return delivery
    }

    /// Enriches a notification, for code that is asynchronous itself.
    ///
    /// Cancel the task when the system says that time is up: it then returns the best there is, at once.
    ///
    /// - Parameter request: What arrived.
    /// - Returns: What to hand over, always: the arrived content where nothing can be added to it.
    public func enrich(_ request: UNNotificationRequest) async -> UNNotificationContent {
      let arrival = IncomingNotification(request)
      let enriched = await RichDelivery.outcome(of: arrival, configuration, environment)
      let result = Locked(Box(request.content))
      Handover(original: request.content) { content in
        let box = Box(content)
        result.withLock { $0 = box }
      }.deliver(enriched)
      return result.withLock { $0 }.content
    }
  }

  /// `@unchecked Sendable`: the content is one that nobody changes any more.
  private struct Box: @unchecked Sendable {
    let content: UNNotificationContent
    init(_ content: UNNotificationContent) { self.content = content }
  }
#endif
