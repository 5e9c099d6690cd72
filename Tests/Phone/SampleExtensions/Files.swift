import Foundation
import UserNotifications

// Extensions that write or find a picture in one of the folders. The picture's bytes are in the payload.

/// Writes into `NSTemporaryDirectory()`.
class PictureInTemporaryFolder: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("picture.png")
    try? content.pictureData.write(to: file, options: .atomic)
    content.attach(file)
    reply(content)
  }
}

/// Writes into a new folder with a unique name.
class PictureInUniqueFolder: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let manager = FileManager.default
    let folder = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
      .appendingPathComponent(ProcessInfo.processInfo.globallyUniqueString, isDirectory: true)
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true, attributes: nil)
      let file = folder.appendingPathComponent("picture.png")
      try content.pictureData.write(to: file)
      let attachment = try UNNotificationAttachment(identifier: "", url: file, options: nil)
      content.attachments = [attachment]
    } catch {
      print("error \(error.localizedDescription)")
    }
    reply(content)
  }
}

/// Writes into the folder of caches.
class PictureInCaches: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
    if let file = folders.first?.appendingPathComponent("picture.png") {
      _ = FileManager.default.createFile(atPath: file.path, contents: content.pictureData)
      content.attach(file)
    }
    reply(content)
  }
}

/// Writes into the folder of documents, found by its path.
///
/// The form of Danny1451/ATRNotification, with another folder.
class PictureInDocuments: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let paths = NSSearchPathForDirectoriesInDomains(.documentDirectory, .userDomainMask, true)
    let path = (paths.last ?? "") + "/picture.png"
    try? content.pictureData.write(to: URL(fileURLWithPath: path))
    content.attach(URL(fileURLWithPath: path))
    reply(content)
  }
}

/// Writes into the app group's container.
///
/// The form of singhmanav/NotificationSample.
class PictureInAppGroup: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let group = FileManager.default.containerURL(
      forSecurityApplicationGroupIdentifier: "group.com.example.app")
    if let file = group?.appendingPathComponent("picture").appendingPathExtension("png") {
      try? content.pictureData.write(to: file)
      content.attach(file)
    }
    reply(content)
  }
}

/// Uses an app group that the extension does not have.
class PictureInUnknownAppGroup: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let group = FileManager.default.containerURL(
      forSecurityApplicationGroupIdentifier: "group.com.example.typo")
    if let file = group?.appendingPathComponent("picture.png") {
      try? content.pictureData.write(to: file)
      content.attach(file)
    }
    reply(content)
  }
}

/// Copies a picture that the app has stored in the app group.
class AvatarOfAppGroup: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let manager = FileManager.default
    if let group = manager.containerURL(
      forSecurityApplicationGroupIdentifier: "group.com.example.app")
    {
      let avatar = group.appendingPathComponent("avatars/ann.png")
      let copy = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".png")
      try? manager.copyItem(at: avatar, to: copy)
      content.attach(copy)
    }
    reply(content)
  }
}

/// Attaches a picture of the extension's bundle.
class PictureOfBundle: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    if let file = Bundle.main.url(forResource: "placeholder", withExtension: "png") {
      content.attach(file)
    }
    reply(content)
  }
}

/// Replaces a file of the last run before it writes the new one.
class PictureReplaced: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let manager = FileManager.default
    let source = manager.temporaryDirectory.appendingPathComponent("source.bin")
    let target = manager.temporaryDirectory.appendingPathComponent("picture.png")
    _ = manager.createFile(atPath: target.path, contents: Data("the last run".utf8))
    do {
      try content.pictureData.write(to: source)
      if manager.fileExists(atPath: target.path) { try manager.removeItem(at: target) }
      try manager.moveItem(at: source, to: target)
      content.attachments = [try UNNotificationAttachment(identifier: "picture", url: target)]
    } catch {
      content.body = "\(error)"
    }
    reply(content)
  }
}

/// Writes a file whose name has no extension.
class PictureWithoutExtension: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    content.attach(content.pictureData, named: "picture")
    reply(content)
  }
}

/// Writes a file without an extension and names its type.
class PictureWithTypeHint: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture")
    try? content.pictureData.write(to: file)
    content.attach(file, options: [UNNotificationAttachmentOptionsTypeHintKey: "public.png"])
    reply(content)
  }
}

/// Deletes its file before the reply.
class PictureDeletedBeforeReply: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
    defer { reply(content) }
    defer { try? FileManager.default.removeItem(at: file) }
    try? content.pictureData.write(to: file)
    content.attach(file)
  }
}

/// Deletes its file after the reply.
class PictureDeletedAfterReply: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
    try? content.pictureData.write(to: file)
    content.attach(file)
    reply(content)
    try? FileManager.default.removeItem(at: file)
  }
}

/// Attaches a file that was never written.
class PictureNeverWritten: TemplateExtension {
  override func modify(
    _ content: UNMutableNotificationContent, reply: @escaping (UNNotificationContent) -> Void
  ) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("never.png")
    do {
      content.attachments = [try UNNotificationAttachment(identifier: "picture", url: file)]
    } catch let error as UNError where error.code == .attachmentInvalidURL {
      content.body = "no file"
    } catch {
      content.body = "\(error)"
    }
    reply(content)
  }
}
