import Foundation
import NotificationHost
import UserNotifications

ExtensionMain.run { NotificationService() }
