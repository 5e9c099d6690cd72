import Foundation
import NotificationTemplates
import PushPayload

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of one template's media in the app group's folder, and their manifest.
///
/// Files are added while media arrive, in a folder with a new name. The manifest is renamed to its place last, so that a
/// set that a killed extension did not finish is never read. Two extensions may make sets at the same time, even for one
/// identifier: the later manifest replaces the earlier one, and the files of the earlier one are deleted.
struct TemplateMediaSet: Sendable {
  /// The most pixels of a picture that is kept as it is: those of a square as wide as the widest iPhone, 440 points at 3
  /// pixels each.
  ///
  /// A larger one is scaled down if the environment has an ``ImageReducing``.
  static let maximumPixels = 1320 * 1320

  private let name: String
  private let folder: String
  private let root: URL
  private let environment: RichEnvironment

  /// Creates a set; `nil` if the plan stores no media.
  init?(_ plan: EnrichmentPlan, in environment: RichEnvironment) {
    guard let name = plan.template?.manifest, let container = environment.appGroupFolder else {
      return nil
    }
    self.name = name
    self.environment = environment
    folder = UUID().uuidString.lowercased().filter { $0 != "-" }
    root = Self.root(in: container)
  }

  static func root(in container: URL) -> URL {
    container.appending(path: MediaManifest.root, directoryHint: .isDirectory)
  }

  /// Adds a file, scaled down to the size that a phone displays.
  ///
  /// - Parameters:
  ///   - media: The file. It stays where it is if it is also attached, and is otherwise moved.
  ///   - number: The file's number in the set.
  ///   - isAttached: Whether the file is also attached.
  /// - Returns: The file with ``AttachedMedia/stored``.
  func adding(_ media: AttachedMedia, number: Int, isAttached: Bool) -> AttachedMedia {
    var media = media
    do throws(MediaFailure) {
      let reduced = reduced(media)
      let source = reduced?.file ?? media.file
      let type = reduced?.type ?? media.type
      let file = url(ofFile: MediaManifest.File.name(number: number, type: type))
      do throws(POSIXError) {
        try OwnFile.createFolder(root.appending(path: folder, directoryHint: .isDirectory))
        if isAttached, reduced == nil {
          try OwnFile.copy(source, to: file)
        } else {
          try OwnFile.move(source, to: file)
        }
      } catch {
        if reduced != nil { unlink(OwnFile.path(source)) }
        throw MediaFailure(.storage, "the file could not be stored in the app group's folder")
      }
      let size = OwnFile.size(file)
      guard let size, size > 0 else {
        throw MediaFailure(.storage, "the file in the app group's folder is empty")
      }
      media.stored = .success(
        MediaManifest.File(
          name: file.lastPathComponent, type: type, bytes: size,
          pixels: PictureHeader(of: file)?.pixels))
    } catch {
      media.stored = .failure(error)
    }
    // Nobody else needs the original of a file that is not attached.
    if !isAttached { unlink(OwnFile.path(media.file)) }
    return media
  }

  /// A smaller copy of a still picture with more pixels than a phone displays.
  private func reduced(_ media: AttachedMedia) -> (file: URL, type: MediaType)? {
    guard media.type.family == .image, media.type != .gif, let reducer = environment.imageReducer,
      let pixels = PictureHeader(of: media.file)?.pixels,
      // A watch's `Int` may have 32 bits.
      Int64(pixels.width) * Int64(pixels.height) > Int64(Self.maximumPixels)
    else { return nil }
    let limit = MediaType.Family.image.maximumBytes
    return try? reducer.reduce(media.file, to: limit, in: environment.temporaryDirectory)
  }

  /// Deletes a file that was added after the manifest was written.
  func discard(_ file: MediaManifest.File) { unlink(OwnFile.path(url(ofFile: file.name))) }

  /// Writes the manifest, which makes the set readable.
  ///
  /// - Parameters:
  ///   - outcomes: The outcome of each medium of the template.
  ///   - template: The template.
  /// - Throws: ``MediaFailure`` if the manifest cannot be written.
  func commit(
    _ outcomes: [TemplateMediaOutcome], of template: NotificationTemplate
  ) throws(MediaFailure) {
    let manifest = MediaManifest(
      template: MediaManifest.hash(of: template), folder: folder, media: outcomes.map(\.medium))
    let bytes = manifest.json.serialized()
    guard bytes.count <= MediaManifest.maximumBytes,
      outcomes.count <= MediaManifest.maximumMedia
    else { throw MediaFailure(.storage, "the manifest of the template's media is too large") }
    let part = root.appending(path: folder + Self.partSuffix, directoryHint: .notDirectory)
    do throws(POSIXError) {
      try OwnFile.createFolder(root)
      try OwnFile.create(part, with: bytes)
    } catch {
      unlink(OwnFile.path(part))
      throw MediaFailure(.storage, "the manifest of the template's media could not be written")
    }
    // Without the lock, which another process holds for microseconds, the worst is that this set is deleted as the one
    // that it replaces.
    let (isWritten, replaced) = Self.lock(root).withLock { _ in rename(part) } ?? rename(part)
    guard isWritten else {
      unlink(OwnFile.path(part))
      throw MediaFailure(.storage, "the manifest of the template's media could not be renamed")
    }
    if let replaced { Self.removeFolder(replaced, in: root) }
  }

  /// Renames the manifest to its place.
  ///
  /// - Returns: Whether this succeeded, and the folder of the set that was replaced.
  private func rename(_ part: URL) -> (isWritten: Bool, replaced: String?) {
    let replaced = Self.manifest(named: name, in: root)?.folder
    let file = root.appending(path: name + MediaManifest.suffix, directoryHint: .notDirectory)
    #if canImport(Glibc)
      let result = Glibc.rename(OwnFile.path(part), OwnFile.path(file))
    #else
      let result = Darwin.rename(OwnFile.path(part), OwnFile.path(file))
    #endif
    return (result == 0, result == 0 && replaced != folder ? replaced : nil)
  }

  private func url(ofFile name: String) -> URL {
    root.appending(path: "\(folder)/\(name)", directoryHint: .notDirectory)
  }
}

extension TemplateMediaSet {
  /// The end of the name of a manifest that is not complete.
  static let partSuffix = ".part"

  /// The lock on the manifests.
  static func lock(_ root: URL) -> LockedFile {
    LockedFile(url: root.appending(path: "lock", directoryHint: .notDirectory))
  }

  /// The manifest with a name; `nil` if it does not exist or cannot be used.
  static func manifest(named name: String, in root: URL) -> MediaManifest? {
    let file = root.appending(path: name + MediaManifest.suffix, directoryHint: .notDirectory)
    guard let bytes = OwnFile.bytes(of: file, atMost: MediaManifest.maximumBytes) else {
      return nil
    }
    return try? MediaManifest(reading: bytes)
  }

  static func removeFolder(_ folder: String, in root: URL) {
    try? FileManager.default.removeItem(
      at: root.appending(path: folder, directoryHint: .isDirectory))
  }
}

extension TemplateMediaOutcome {
  fileprivate var medium: MediaManifest.Medium {
    guard let file, reason == nil else {
      let reason = reason ?? .storage
      return MediaManifest.Medium(id: id, state: .missing(reason: reason.rawValue))
    }
    return MediaManifest.Medium(id: id, state: .ready(file))
  }
}
