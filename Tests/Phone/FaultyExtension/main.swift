import AppFixture
import Foundation
import NotificationHost
import UserNotifications

switch CommandLine.arguments.dropFirst().first {
case "folder": ExtensionMain.run { FolderExtension() }
case "bundle": ExtensionMain.run { BundleExtension() }
case "replies": ExtensionMain.run { PlacedReply() }
default: ExtensionMain.run { NotificationService() }
}
