#if canImport(ObjectiveC) && canImport(UserNotifications) && !os(tvOS)
  public import Foundation
  public import UserNotifications

  /// The connection between `MARRichNotificationService` and the engine.
  ///
  /// Apps do not use it.
  ///
  /// Objective-C cannot subclass a Swift class, so `MARRichNotificationService` is written in Objective-C
  /// and forwards to this class.
  @objc(MARRichNotificationBridge)
  public final class RichNotificationBridge: NSObject {
    private let service: Service

    /// Creates a bridge.
    ///
    /// - Parameter configuration: The dictionary `Martlet` of an Info.plist, see
    ///   ``RichConfiguration/init(info:)``.
    @objc public init(configuration: [String: Any]) {
      service = Service(["Martlet": configuration])
      super.init()
    }

    /// Enriches a notification and passes it to the content handler.
    ///
    /// - Parameters:
    ///   - request: The request that the system passed to the extension.
    ///   - contentHandler: Called exactly once.
    @objc(didReceiveNotificationRequest:withContentHandler:)
    public func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
      service.didReceive(request, withContentHandler: contentHandler)
    }

    /// Delivers the content with the media received so far.
    @objc public func serviceExtensionTimeWillExpire() { service.serviceExtensionTimeWillExpire() }

    /// A service that reads its configuration from a dictionary in place of the Info.plist.
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
