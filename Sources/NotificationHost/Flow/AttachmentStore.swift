import Foundation
@_spi(Host) import UserNotifications

/// Where the system keeps the files of shown notifications (docs/ios-model.md, rules 8, 11 and 12).
struct AttachmentStore: Sendable {
  /// Where an extension may attach files from.
  var folders: [URL]
  /// The app's bundle, whose files are copied and stay.
  var bundle: URL?
  /// From where files are moved away at the very call of the handler.
  var temporaryDirectory: URL
  /// Where they end up.
  var repository: URL

  /// One attachment as it is shown, or why it is not.
  enum Resolution {
    case stored(UNNotificationAttachment, original: URL)
    case refused(UNNotificationAttachment, UNError)
  }

  /// Takes the content as it is at the call of the handler, with its files of the temporary folder.
  ///
  /// A file that cannot be moved is refused when it is resolved.
  func take(_ content: UNNotificationContent) -> ContentCopy {
    guard let copy = content.mutableCopy() as? UNMutableNotificationContent else {
      return ContentCopy(content)
    }
    var moved: [URL: URL] = [:]
    copy.attachments = content.attachments.map { attachment in
      let place = moved[attachment.url] ?? moveAway(attachment.url)
      moved[attachment.url] = place
      return place.map(attachment.moved) ?? attachment
    }
    return ContentCopy(copy, moved: Array(moved.values))
  }

  private func moveAway(_ url: URL) -> URL? {
    let file = url.standardizedFileURL.resolvingSymlinksInPath()
    guard url.isFileURL, file.isInside(temporaryDirectory), !isBundled(file) else { return nil }
    let place = temporaryDirectory.appending(path: "\(UUID().uuidString).\(url.pathExtension)")
    return (try? FileManager.default.moveItem(at: url, to: place)) == nil ? nil : place
  }

  /// Resolves one after the other; a bad one costs itself alone.
  func resolve(_ attachments: [UNNotificationAttachment]) -> [Resolution] {
    attachments.map { attachment in
      do throws(UNError) {
        return .stored(attachment.moved(to: try store(attachment)), original: attachment.url)
      } catch {
        return .refused(attachment, error)
      }
    }
  }

  private func store(_ attachment: UNNotificationAttachment) throws(UNError) -> URL {
    let file = attachment.url.standardizedFileURL.resolvingSymlinksInPath()
    let path = file.path(percentEncoded: false)
    guard attachment.url.isFileURL, FileManager.default.isReadableFile(atPath: path),
      folders.contains(where: { file.isInside($0) })
    else { throw UNError(.attachmentInvalidURL) }
    guard let limit = UNAttachmentType.maximumBytes(forIdentifier: attachment.type) else {
      throw UNError(.attachmentUnrecognizedType)
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber) ?? 0
    guard size.int64Value <= limit else { throw UNError(.attachmentInvalidFileSize) }
    let pathExtension =
      UNAttachmentType.preferredExtension(forIdentifier: attachment.type) ?? file.pathExtension
    let stored = repository.appending(path: UUID().uuidString + "." + pathExtension)
    do {
      try FileManager.default.createDirectory(at: repository, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: file, to: stored)
    } catch {
      throw UNError(.attachmentMoveIntoDataStoreFailed)
    }
    return stored
  }

  /// Deletes the originals once the notification is shown, but never a file of the bundle.
  func cleanUp(_ resolutions: [Resolution], moved: [URL]) {
    for case .stored(_, let original) in resolutions
    where !isBundled(original.standardizedFileURL.resolvingSymlinksInPath()) {
      try? FileManager.default.removeItem(at: original)
    }
    for file in moved { try? FileManager.default.removeItem(at: file) }
  }

  private func isBundled(_ file: URL) -> Bool { bundle.map(file.isInside) ?? false }
}

extension URL {
  fileprivate func isInside(_ folder: URL) -> Bool {
    let root = folder.standardizedFileURL.resolvingSymlinksInPath().pathComponents
    return pathComponents.count > root.count && pathComponents.starts(with: root)
  }
}
