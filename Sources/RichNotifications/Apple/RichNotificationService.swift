#if canImport(UserNotifications) && !os(tvOS)
  import Foundation
  import MediaLoading
  import PushPayload
  public import UserNotifications

  #if canImport(Darwin)
    import URLSessionMedia
  #endif

  /// The service extension, ready to use: fetches and attaches what any known payload asks for.
  ///
  /// Name it as the extension's principal class, or subclass it and override ``configuration`` or
  /// ``environment``. An override of `didReceive` calls `super`, which calls the handler exactly once.
  ///
  /// ```swift
  /// final class NotificationService: RichNotificationService {
  ///   override var configuration: RichConfiguration { RichConfiguration(deadline: .seconds(20)) }
  /// }
  /// ```
  ///
  /// Source: Apple, "Modifying content in newly delivered notifications".
  open class RichNotificationService: UNNotificationServiceExtension {
    /// How the app wants its notifications enriched; read once for each notification.
    open var configuration: RichConfiguration { RichConfiguration() }

    /// Network, clock and files; read once for each notification.
    open var environment: RichEnvironment { .device }

    private let current = Locked<RichDelivery?>(nil)

    /// Enriches a notification and hands it over.
    ///
    /// - Parameters:
    ///   - request: What arrived.
    ///   - contentHandler: Called exactly once.
    open override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      let handover = Handover(original: request.content, handler: contentHandler)
      let delivery = RichDelivery(
        payload: JSONValue(userInfo: request.content.userInfo),
        text: NotificationText(
          title: request.content.title, subtitle: request.content.subtitle,
          body: request.content.body),
        category: request.content.categoryIdentifier, configuration: configuration,
        environment: environment, completion: handover.deliver)
      current.withLock { $0 = delivery }
      delivery.begin()
    }

    /// Delivers the best there is; the system calls it about a second before the end.
    open override func serviceExtensionTimeWillExpire() {
      current.withLock { $0 }?.expire()
    }
  }

  /// The way back to the system.
  ///
  /// `@unchecked Sendable`: UserNotifications is not annotated. The original content is immutable, the
  /// mutable copy is made, changed and given away inside one call of `deliver`, and the engine calls
  /// that once; the handler itself may be called from any thread (Apple, `didReceive(_:withContentHandler:)`).
  private struct Handover: @unchecked Sendable {
    let original: UNNotificationContent
    let handler: (UNNotificationContent) -> Void

    @Sendable func deliver(_ enriched: EnrichedContent) {
      guard let content = original.mutableCopy() as? UNMutableNotificationContent else {
        return handler(original)
      }
      content.title = enriched.text.title
      content.subtitle = enriched.text.subtitle
      content.body = enriched.text.body
      content.attachments += enriched.attachments.compactMap { media in
        // The file is there, of a supported type and within its limit; a refusal of the system
        // costs the picture, never the text.
        try? UNNotificationAttachment(identifier: "", url: media.file, options: nil)
      }
      handler(content)
    }
  }

  extension RichEnvironment {
    /// The extension's own: its Info.plist, its bundle, and `URLSession` for media.
    ///
    /// On Linux there is no loader of the system's; every fetch fails with reason `offline`.
    public static var device: RichEnvironment {
      #if canImport(Darwin)
        let loader = URLSessionMediaLoader()
      #else
        let loader = OfflineMediaLoader()
      #endif
      return RichEnvironment(
        loader: loader, categories: categories(in: Bundle.main.infoDictionary ?? [:]))
    }
  }
#endif
