#if canImport(ObjectiveC) && canImport(UserNotifications) && !os(tvOS)
  public import Foundation
  public import UserNotifications

  /// What stands between `MARRichNotificationService` and the engine; an app has no use for it.
  ///
  /// Objective-C cannot subclass a Swift class, so the class for Objective-C is written in Objective-C
  /// and hands on to one of these.
  @objc(MARRichNotificationBridge)
  public final class RichNotificationBridge: NSObject {
    private let service: Service

    /// Makes a bridge.
    ///
    /// - Parameter configuration: What stands under `Martlet` in an Info.plist, see
    ///   ``RichConfiguration/init(info:)``.
    @objc public init(configuration: [String: Any]) {
      service = Service(["Martlet": configuration])
      super.init()
    }

    /// Enriches a notification and hands it over.
    ///
    /// - Parameters:
    ///   - request: What arrived.
    ///   - contentHandler: Called exactly once.
    @objc(didReceiveNotificationRequest:withContentHandler:)
    public func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      service.didReceive(request, withContentHandler: contentHandler)
    }

    /// Delivers the best there is.
    @objc public func serviceExtensionTimeWillExpire() { service.serviceExtensionTimeWillExpire() }

    /// The service, told what an Info.plist would say.
    private final class Service: RichNotificationService {
      private let keys: [String: Any]

      init(_ keys: [String: Any]) {
        self.keys = keys
        super.init()
      }

      override var configuration: RichConfiguration { RichConfiguration(info: keys) }

      override var environment: RichEnvironment {
        let info = Bundle.main.infoDictionary ?? [:]
        return .device(info: info.merging(keys) { _, ours in ours })
      }
    }
  }
#endif
