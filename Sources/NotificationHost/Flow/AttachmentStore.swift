import Foundation
@_spi(Host) import UserNotifications

/// The system's store of attachments' files (docs/ios-model.md).
struct AttachmentStore: Sendable {
  /// The folders that an extension may attach files from.
  var folders: [URL]
  /// The app's bundle, whose files are copied and not deleted.
  var bundle: URL?
  /// The folder whose files are moved when the content handler is called.
  var temporaryDirectory: URL
  /// The folder of the store.
  var repository: URL
  var behavior = HostBehavior()
  /// Whether the phone has been unlocked since it was started, so that files can be read.
  var isOpen = true

  /// A stored attachment, or one that was refused.
  enum Resolution {
    case stored(UNNotificationAttachment, original: URL)
    case refused(UNNotificationAttachment, Refusal)
  }

  /// The error code of a refused attachment, and the rule that refused it.
  struct Refusal: Error {
    var code: UNError.Code
    var rule: HostRule

    init(_ code: UNError.Code, _ rule: HostRule) {
      self.code = code
      self.rule = rule
    }
  }

  /// Copies the content when the handler is called, and moves its files in the temporary folder.
  func capture(_ content: UNNotificationContent) -> ContentCopy {
    guard behavior.movesTemporaryFiles,
      let copy = content.mutableCopy() as? UNMutableNotificationContent
    else { return ContentCopy(content) }
    var moved: [URL: URL] = [:]
    copy.attachments = content.attachments.map { attachment in
      let newURL = moved[attachment.url] ?? moveFile(attachment.url)
      moved[attachment.url] = newURL
      return newURL.map(attachment.moved) ?? attachment
    }
    return ContentCopy(copy, moved: Array(moved.values))
  }

  /// Moves a file of the temporary folder; `nil` for a file that cannot be moved, which is refused later.
  private func moveFile(_ url: URL) -> URL? {
    let file = url.standardizedFileURL.resolvingSymlinksInPath()
    guard url.isFileURL, file.isInside(temporaryDirectory), !isBundled(file) else { return nil }
    let newURL = temporaryDirectory.appending(path: "\(UUID().uuidString).\(url.pathExtension)")
    return (try? FileManager.default.moveItem(at: url, to: newURL)) == nil ? nil : newURL
  }

  /// Stores attachments in order.
  ///
  /// One that is refused does not affect the others.
  func resolve(_ attachments: [UNNotificationAttachment]) -> [Resolution] {
    var types: [URL: String] = [:]
    return attachments.map { attachment in
      let file = attachment.url.standardizedFileURL.resolvingSymlinksInPath()
      do throws(Refusal) {
        guard types[file] ?? attachment.type == attachment.type else {
          throw Refusal(.attachmentInvalidURL, .attachmentSameFile)
        }
        types[file] = attachment.type
        let stored = try store(attachment, file)
        return .stored(attachment.moved(to: stored), original: attachment.url)
      } catch {
        return .refused(attachment, error)
      }
    }
  }

  private func store(_ attachment: UNNotificationAttachment, _ file: URL) throws(Refusal) -> URL {
    let path = file.path(percentEncoded: false)
    guard isOpen else { throw Refusal(.attachmentInvalidURL, .firstUnlock) }
    var isFolder: ObjCBool = false
    guard attachment.url.isFileURL,
      FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      FileManager.default.isReadableFile(atPath: path)
    else { throw Refusal(.attachmentInvalidURL, .attachmentReadable) }
    guard folders.contains(where: { file.isInside($0) }) else {
      throw Refusal(.attachmentInvalidURL, .attachmentPlace)
    }
    guard
      let limit = UNAttachmentType.maximumBytes(
        forIdentifier: attachment.type, megabyte: behavior.megabyte)
    else { throw Refusal(.attachmentUnrecognizedType, .attachmentType) }
    let size = Self.size(path)
    guard size <= limit else { throw Refusal(.attachmentInvalidFileSize, .attachmentSize) }
    if let room = behavior.attachmentStorageLimit, used + size > room {
      throw Refusal(.attachmentMoveIntoDataStoreFailed, .attachmentStorage)
    }
    let pathExtension =
      UNAttachmentType.preferredExtension(forIdentifier: attachment.type) ?? file.pathExtension
    let stored = repository.appending(path: UUID().uuidString + "." + pathExtension)
    do {
      try FileManager.default.createDirectory(at: repository, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: file, to: stored)
    } catch {
      throw Refusal(.attachmentMoveIntoDataStoreFailed, .attachmentStore)
    }
    return stored
  }

  private var used: Int64 {
    let path = repository.path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.reduce(0) { $0 + Self.size(path + "/" + $1) }
  }

  private static func size(_ path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// Deletes the original files after the delivery, except files of the bundle.
  func cleanUp(_ resolutions: [Resolution], moved: [URL]) {
    for file in moved { try? FileManager.default.removeItem(at: file) }
    guard behavior.deletesOriginals else { return }
    for case .stored(_, let original) in resolutions
    where !isBundled(original.standardizedFileURL.resolvingSymlinksInPath()) {
      try? FileManager.default.removeItem(at: original)
    }
  }

  private func isBundled(_ file: URL) -> Bool { bundle.map(file.isInside) ?? false }
}

extension URL {
  fileprivate func isInside(_ folder: URL) -> Bool {
    let root = folder.standardizedFileURL.resolvingSymlinksInPath().pathComponents
    return pathComponents.count > root.count && pathComponents.starts(with: root)
  }
}
