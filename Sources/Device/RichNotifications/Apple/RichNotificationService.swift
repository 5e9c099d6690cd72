#if canImport(UserNotifications) && !os(tvOS)
  import Foundation
  import MediaLoading
  import PushCrypto
  import PushPayload
  public import UserNotifications

  #if canImport(Darwin)
    import URLSessionMedia
  #endif

  /// A notification service extension that fetches and attaches the media of any known payload.
  ///
  /// Use it as the extension's principal class, or subclass it and override ``configuration`` or
  /// ``environment``. An override of `didReceive` must call `super`, which calls the handler exactly once.
  ///
  /// ```swift
  /// final class NotificationService: RichNotificationService {
  ///   override var configuration: RichConfiguration { RichConfiguration(deadline: .seconds(20)) }
  /// }
  /// ```
  ///
  /// The class and its subclasses belong to no actor, because the system calls them on threads of its own. A module
  /// whose default isolation is the main actor can subclass it without further annotation.
  ///
  /// Source: Apple, "Modifying content in newly delivered notifications".
  nonisolated open class RichNotificationService: UNNotificationServiceExtension {
    /// The configuration of the engine, read once for each notification.
    ///
    /// The default is read from the extension's Info.plist, see ``RichConfiguration/init(info:)``.
    open var configuration: RichConfiguration {
      RichConfiguration(info: RichEnvironment.infoDictionary)
    }

    /// The services that the engine uses, read once for each notification.
    open var environment: RichEnvironment { .device }

    /// The deliveries in progress; one, unless the system uses an object for several notifications.
    private let current = Locked<[RichDelivery]>([])

    /// Enriches a notification and passes it to the content handler.
    ///
    /// - Parameters:
    ///   - request: The request that the system passed to the extension.
    ///   - contentHandler: Called exactly once.
    open override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      let handler = ContentHandler(original: request.content, handler: contentHandler)
      var environment = environment
      environment.attach = handler.attach
      let delivery = RichDelivery(
        IncomingNotification(request), configuration: configuration, environment: environment,
        completion: handler.deliver)
      current.withLock { deliveries in
        deliveries.removeAll(where: \.isOver)
        deliveries.append(delivery)
      }
      delivery.begin()
    }

    /// Delivers the content with the media received so far.
    ///
    /// The system calls this method shortly before it ends the extension.
    open override func serviceExtensionTimeWillExpire() {
      let deliveries = current.withLock { deliveries in
        defer { deliveries = [] }
        return deliveries
      }
      for delivery in deliveries { delivery.expire() }
    }
  }

  extension RichEnvironment {
    /// The services of the device: the extension's Info.plist and bundle, and `URLSession` for media.
    ///
    /// On Linux, in an extension that a `VirtualPhone` runs and in the tasks that it starts, these are the host's
    /// services. Elsewhere on Linux, as on a dispatch queue, media fail with the reason `offline`.
    public static var device: RichEnvironment { device(info: infoDictionary) }

    /// The Info.plist of the extension, which on Linux is that of the host's app.
    static var infoDictionary: [String: Any] {
      #if !canImport(Darwin)
        if let services = HostedServices.current {
          return services.info.userInfo as? [String: Any] ?? [:]
        }
      #endif
      return Bundle.main.infoDictionary ?? [:]
    }

    /// The services of the device with another Info.plist.
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
        environment.ownFolder = URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
        return environment
      #else
        return HostedServices.current?.environment
          ?? RichEnvironment(loader: OfflineMediaLoader(), categories: categories(in: info))
      #endif
    }
  }
#endif
