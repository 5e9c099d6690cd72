import Foundation
@_spi(Host) import UserNotifications

/// The system's store of attachments' files (docs/app/ios-model.md).
struct AttachmentStore: Sendable {
  /// The folders that an extension may attach files from.
  var folders: [URL]
  /// The bundles of the app and of its extension, whose files are copied and not deleted.
  var bundles: [URL]
  /// The folder whose files are moved when the content handler is called.
  var temporaryDirectory: URL
  /// The folder of the store.
  var repository: URL
  var behavior = HostBehavior()
  /// Whether the phone has been unlocked since it was started, so that files can be read.
  var isOpen = true

  /// A stored attachment, or one that was refused.
  enum Resolution {
    /// The remark describes the fault of a file that is attached nevertheless.
    case stored(UNNotificationAttachment, original: URL, remark: String?)
    case refused(UNNotificationAttachment, Refusal)

    /// The line of the trace and its rule; `nil` if the file has no fault.
    var note: (HostRule, String)? {
      switch self {
      case .stored(_, let original, let remark):
        remark.map { remark in
          let name = original.lastPathComponent
          return (.attachmentContent, "\(name): attached without a check of its content: \(remark)")
        }
      case .refused(let attachment, let refusal):
        (
          refusal.rule,
          "\(attachment.url.lastPathComponent): \(refusal.message) (\(refusal.code.rawValue))"
        )
      }
    }
  }

  /// The error code of a refused attachment, and the rule that refused it.
  struct Refusal: Error {
    var code: UNError.Code
    var rule: HostRule
    /// The fault of the file, beyond the error's own description.
    var detail: String?

    init(_ code: UNError.Code, _ rule: HostRule, detail: String? = nil) {
      self.code = code
      self.rule = rule
      self.detail = detail
    }

    var message: String {
      [UNError(code).localizedDescription, detail].compactMap(\.self).joined(separator: ": ")
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

  /// Moves a file of the temporary folder; `nil` if the file cannot be moved and is refused later.
  private func moveFile(_ url: URL) -> URL? {
    let file = url.standardizedFileURL.resolvingSymlinksInPath()
    guard url.isFileURL, file.isInside(temporaryDirectory), !isBundled(file) else { return nil }
    let newURL = temporaryDirectory.appending(path: "\(UUID().uuidString).\(url.pathExtension)")
    return (try? FileManager.default.moveItem(at: url, to: newURL)) == nil ? nil : newURL
  }

  /// Stores attachments in order.
  ///
  /// A refused attachment does not affect the others.
  func resolve(_ attachments: [UNNotificationAttachment]) -> [Resolution] {
    var types: [URL: String] = [:]
    return attachments.map { attachment in
      let file = attachment.url.standardizedFileURL.resolvingSymlinksInPath()
      do throws(Refusal) {
        guard types[file] ?? attachment.type == attachment.type else {
          throw Refusal(.attachmentInvalidURL, .attachmentSameFile)
        }
        types[file] = attachment.type
        let (stored, remark) = try store(attachment, file)
        return .stored(
          attachment.moved(to: stored), original: attachment.url, remark: remark)
      } catch {
        return .refused(attachment, error)
      }
    }
  }

  private func store(
    _ attachment: UNNotificationAttachment, _ file: URL
  ) throws(Refusal) -> (file: URL, remark: String?) {
    let path = file.path(percentEncoded: false)
    guard isOpen else { throw Refusal(.attachmentInvalidURL, .firstUnlock) }
    var isFolder: ObjCBool = false
    guard attachment.url.isFileURL,
      FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      FileManager.default.isReadableFile(atPath: path)
    else { throw Refusal(.attachmentInvalidURL, .attachmentReadable) }
    guard folders.contains(where: { file.isInside($0) }) else {
      throw Refusal(.attachmentInvalidURL, .attachmentPlace, detail: placeDetail(file))
    }
    guard
      let limit = UNAttachmentType.maximumBytes(
        forIdentifier: attachment.type, megabyte: behavior.megabyte)
    else { throw Refusal(.attachmentUnrecognizedType, .attachmentType) }
    let size = Self.size(path)
    guard size <= limit else { throw Refusal(.attachmentInvalidFileSize, .attachmentSize) }
    let fault = MediaStructure.fault(of: file, type: attachment.type)
    if let fault, behavior.checksFileContent {
      throw Refusal(.attachmentCorrupt, .attachmentContent, detail: fault)
    }
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
    return (stored, fault)
  }

  /// The folder of a file that is in none of the extension's folders, those folders, and the rule.
  private func placeDetail(_ file: URL) -> String {
    let allowed = folders.map { $0.path(percentEncoded: false) }.joined(separator: ", ")
    let folder = file.deletingLastPathComponent().path(percentEncoded: false)
    let rule = HostRule.attachmentPlace
    return "it is in \(folder), and the extension may attach files of \(allowed) only; "
      + "rule \(rule.number), \(rule.name)"
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
    for case .stored(_, let original, _) in resolutions
    where !isBundled(original.standardizedFileURL.resolvingSymlinksInPath()) {
      try? FileManager.default.removeItem(at: original)
    }
  }

  private func isBundled(_ file: URL) -> Bool { bundles.contains { file.isInside($0) } }
}

extension URL {
  fileprivate func isInside(_ folder: URL) -> Bool {
    let root = folder.standardizedFileURL.resolvingSymlinksInPath().pathComponents
    return pathComponents.count > root.count && pathComponents.starts(with: root)
  }
}
