public import Foundation

/// The file manager of an extension, whose folders the extension's host provides.
///
/// Code that runs without a host has the folders of the process.
public final class ExtensionFileManager: FileManager, @unchecked Sendable {
  // `@unchecked Sendable`: restates the conformance of the base class; this class has no state.

  static let shared = ExtensionFileManager()

  /// The phone's paths of folders in the data container.
  private static let paths: [SearchPathDirectory: String] = [
    .documentDirectory: "Documents", .libraryDirectory: "Library",
    .cachesDirectory: "Library/Caches", .applicationSupportDirectory: "Library/Application Support",
    .downloadsDirectory: "Downloads", .moviesDirectory: "Movies", .musicDirectory: "Music",
    .picturesDirectory: "Pictures",
  ]
  /// The folders that exist when an extension is launched for the first time.
  private static let existing: Set<SearchPathDirectory> = [
    .documentDirectory, .libraryDirectory, .cachesDirectory,
  ]

  /// The temporary folder of the extension.
  public override var temporaryDirectory: URL {
    UNWorld.forFiles?.temporaryDirectory ?? super.temporaryDirectory
  }

  /// The data container of the extension.
  public override var homeDirectoryForCurrentUser: URL {
    UNWorld.forFiles?.container ?? super.homeDirectoryForCurrentUser
  }

  /// The folders of a kind, which for an extension are one folder of its data container.
  ///
  /// Foundation's `url(for:in:appropriateFor:create:)` calls this method.
  ///
  /// - Parameters:
  ///   - directory: The kind of the folder.
  ///   - domain: The domain. Only the user's has folders of the container.
  /// - Returns: The folders. As on a phone, that for application support may not exist.
  public override func urls(
    for directory: SearchPathDirectory, in domain: SearchPathDomainMask
  ) -> [URL] {
    guard domain.contains(.userDomainMask), let path = Self.paths[directory],
      let container = UNWorld.forFiles?.container
    else { return super.urls(for: directory, in: domain) }
    let folder = container.appending(path: path, directoryHint: .isDirectory)
    if Self.existing.contains(directory) {
      try? createDirectory(at: folder, withIntermediateDirectories: true)
    }
    return [folder]
  }
}

extension FileManager {
  /// The file manager of the extension.
  ///
  /// Its type is a subclass, so that the compiler prefers this property to Foundation's.
  public class var `default`: ExtensionFileManager { .shared }
}

extension UNWorld {
  /// The environment whose files the calling code uses; `nil` for those of the process.
  static var forFiles: UNWorld? {
    if current.container != nil { return current }
    return ofExtension.flatMap { $0.container == nil ? nil : $0 }
  }
}
