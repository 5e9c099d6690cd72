#if canImport(UserNotifications) && !os(tvOS)
  import Foundation
  import MediaLoading
  import PushCrypto
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
    ///
    /// By default what the extension's Info.plist says, see ``RichConfiguration/init(info:)``.
    open var configuration: RichConfiguration {
      RichConfiguration(info: Bundle.main.infoDictionary ?? [:])
    }

    /// Network, clock and files; read once for each notification.
    open var environment: RichEnvironment { .device }

    /// What is under way: one, where the system makes an object for each notification, as it does.
    private let current = Locked<[RichDelivery]>([])

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
        IncomingNotification(request), configuration: configuration, environment: environment,
        completion: handover.deliver)
      current.withLock { deliveries in
        deliveries.removeAll(where: \.isOver)
        deliveries.append(delivery)
      }
      delivery.begin()
    }

    /// Delivers the best there is; the system calls it about a second before the end.
    open override func serviceExtensionTimeWillExpire() {
      let deliveries = current.withLock { deliveries in
        defer { deliveries = [] }
        return deliveries
      }
      for delivery in deliveries { delivery.expire() }
    }
  }

  extension RichEnvironment {
    /// The extension's own: its Info.plist, its bundle, and `URLSession` for media.
    ///
    /// On Linux there is no loader of the system's: in a process that a `NotificationHost` has started
    /// these are the host's, and elsewhere every fetch fails with reason `offline`.
    public static var device: RichEnvironment { device(info: Bundle.main.infoDictionary ?? [:]) }

    /// The same with another Info.plist.
    static func device(info: [String: Any]) -> RichEnvironment {
      #if canImport(Darwin)
        var environment = RichEnvironment(
          loader: URLSessionMediaLoader(), categories: categories(in: info))
        environment.categoryRegistry = UNCategoryRegistry()
        environment.poster = URLSessionPoster()
        environment.crypto = CryptoKitProvider()
        environment.imageReducer = ImageIOReducer()
        environment.localized = {
          NSString.localizedUserNotificationString(forKey: $0, arguments: $1)
        }
        environment.appGroupFolder = appGroup(in: info).flatMap {
          FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
        }
        return environment
      #else
        return hosted.withLock { $0 }
          ?? RichEnvironment(loader: OfflineMediaLoader(), categories: categories(in: info))
      #endif
    }

    #if !canImport(Darwin)
      /// What a process on Linux has for a phone around it, once.
      private static let hosted = Locked<RichEnvironment?>(nil)

      /// Makes this process's ``device`` the one that its host models.
      package static func host(_ environment: RichEnvironment) {
        hosted.withLock { $0 = environment }
      }
    #endif
  }
#endif
