import Foundation
import UserNotifications

/// The ways in which public extensions choose the folder of the file that they attach, in our own words.
///
/// Sources are named where a public repository was read.
public enum AttachmentFolder: String, CaseIterable, Sendable {
  /// `lsyabby/ItemKeeper`, UNNotificationAttachment_abby.swift.
  case bridgedTemporaryPath
  /// `Charlie-Hoang/TodoList`, UNNotificationAttachment+Ext.swift, with `URL`.
  case uniqueTemporaryFolder
  /// A path as an `NSString`, as Objective-C code has it.
  case temporaryPathText
  /// SwiftShare, UNNotificationAttachment+.swift.
  case temporaryDirectory
  /// A manager that is a stored property.
  case storedManager
  /// The folder beside the downloaded file, as in Adobe's guide to rich push.
  case besideDownload
  /// A cache of pictures.
  case caches
  /// A cache by the older function.
  case searchPath
  /// A document that the app opens later.
  case documents
  /// A folder that is created when it is asked for.
  case applicationSupport
  /// The folder that an app and its extension share.
  case appGroup

  /// The folder, which may not exist yet.
  func url(download: URL, manager: FileManager) throws -> URL {
    let unique = ProcessInfo.processInfo.globallyUniqueString
    switch self {
    case .bridgedTemporaryPath:
      let folder = NSURL(fileURLWithPath: NSTemporaryDirectory())
      return folder.appendingPathComponent(unique, isDirectory: true)!
    case .uniqueTemporaryFolder:
      return URL(fileURLWithPath: NSTemporaryDirectory())
        .appendingPathComponent(unique, isDirectory: true)
    case .temporaryPathText:
      return URL(
        fileURLWithPath: (NSTemporaryDirectory() as NSString).appendingPathComponent(unique))
    case .temporaryDirectory: return FileManager.default.temporaryDirectory
    case .storedManager: return manager.temporaryDirectory
    case .besideDownload: return download.deletingLastPathComponent()
    case .caches: return manager.urls(for: .cachesDirectory, in: .userDomainMask)[0]
    case .searchPath:
      let paths = NSSearchPathForDirectoriesInDomains(.cachesDirectory, .userDomainMask, true)
      return URL(fileURLWithPath: paths.first!)
    case .documents:
      return try FileManager.default.url(
        for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
    case .applicationSupport:
      return try manager.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    case .appGroup:
      return manager.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.app")!
    }
  }
}

/// An extension that downloads a picture, saves it in the folder that the payload names, and attaches it.
public final class FolderExtension: UNNotificationServiceExtension {
  private let manager: FileManager = .default

  override public func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let info = request.content.userInfo
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
      let folder = (info["folder"] as? String).flatMap(AttachmentFolder.init),
      let name = info["name"] as? String,
      let url = (info["image_url"] as? String).flatMap({ URL(string: $0) })
    else { return contentHandler(request.content) }
    let manager = self.manager
    let task = URLSession.shared.downloadTask(with: url) { download, _, error in
      do {
        guard let download = download else { throw error! }
        let folder = try folder.url(download: download, manager: manager)
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(name)
        try manager.moveItem(at: download, to: file)
        content.attachments = [try UNNotificationAttachment(identifier: name, url: file)]
        content.title = file.path
      } catch {
        content.title = "\(error)"
      }
      contentHandler(content)
    }
    task.resume()
  }
}

/// An extension that attaches a picture of its bundle, and shows what its Info.plist says.
public final class BundleExtension: UNNotificationServiceExtension {
  override public func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return contentHandler(request.content)
    }
    let bundle: Bundle = .main
    let path = Bundle.main.path(forResource: "logo", ofType: "png") ?? "none"
    let names: [Any?] = [
      Bundle.main.bundleIdentifier, bundle.infoDictionary?["Server"],
      Bundle.main.object(forInfoDictionaryKey: "Server"),
      URL(fileURLWithPath: path).lastPathComponent,
    ]
    content.title = names.map { $0 as? String ?? "none" }.joined(separator: " ")
    if let logo = Bundle.main.url(forResource: "logo", withExtension: "png"),
      let attachment = try? UNNotificationAttachment(identifier: "logo", url: logo)
    {
      content.attachments = [attachment]
    }
    contentHandler(content)
  }
}
