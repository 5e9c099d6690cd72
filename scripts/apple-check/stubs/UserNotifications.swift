// What Martlet uses of Apple's UserNotifications beyond the look-alike in Sources/UserNotifications.
// https://developer.apple.com/documentation/usernotifications/unnotificationcontent/updating(from:)
public import Foundation

public protocol UNNotificationContentProviding: NSObjectProtocol {}

extension UNNotificationContent {
  public func updating(
    from contentProvider: any UNNotificationContentProviding
  ) throws -> UNNotificationContent { fatalError() }
}

extension NSString {
  public class func localizedUserNotificationString(
    forKey key: String, arguments: [Any]?
  ) -> String { fatalError() }
}
