import Foundation
import PushPayload

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folder of media files until the system moves them, which it does when their notification is delivered.
///
/// If the system kills the extension before, the files stay. They are recognized by their names: `martlet-`, a UUID,
/// and the extension `part` or that of the file's type.
enum MediaFolder {
  /// The extension of a file that is not complete.
  static let partExtension = "part"

  /// The age at which a file cannot belong to a delivery in progress any more.
  ///
  /// Another instance of the extension may be running. The system gives it 30 seconds, and it keeps writing to
  /// its files.
  static let maximumAge: TimeInterval = 3600

  private static let prefix = "martlet-"
  private static let extensions = Set(
    [partExtension] + MediaType.all.filter(\.isSupported).map(\.preferredExtension))

  /// The URL of a file with a new name.
  static func makeURL(in directory: URL, extension: String) -> URL {
    directory.appending(
      path: "\(prefix)\(UUID().uuidString).\(`extension`)", directoryHint: .notDirectory)
  }

  /// Deletes the media files that killed extensions left.
  static func removeLeftovers(in directory: URL, at now: Date) {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: OwnFile.path(directory))) ?? []
    for name in names where isOwn(name) {
      let path = OwnFile.path(directory.appending(path: name, directoryHint: .notDirectory))
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType == .typeRegular,
        let written = attributes[.modificationDate] as? Date,
        now.timeIntervalSince(written) > maximumAge
      else { continue }
      unlink(path)
    }
  }

  private static func isOwn(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), let dot = name.lastIndex(of: ".") else { return false }
    return UUID(uuidString: String(name[..<dot].dropFirst(prefix.count))) != nil
      && extensions.contains(String(name[dot...].dropFirst()))
  }
}
