import AppFixture
import Foundation
import NotificationHost
import UserNotifications

switch CommandLine.arguments.dropFirst().first {
case "folder": ExtensionMain.run { FolderExtension() }
case "bundle": ExtensionMain.run { BundleExtension() }
default: ExtensionMain.run { NotificationService() }
}
