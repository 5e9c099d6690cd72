public import Foundation

// These are closures, which the compiler prefers to Foundation's functions of the same names.

/// Foundation's `NSTemporaryDirectory()`: the path of the extension's temporary folder, with a slash at its end.
public var NSTemporaryDirectory: @Sendable () -> String {
  { path(of: FileManager.default.temporaryDirectory) + "/" }
}

/// Foundation's `NSHomeDirectory()`: the path of the extension's data container.
public var NSHomeDirectory: @Sendable () -> String {
  { path(of: FileManager.default.homeDirectoryForCurrentUser) }
}

/// Foundation's `NSSearchPathForDirectoriesInDomains(_:_:_:)`: the paths of folders in the extension's data container.
public var NSSearchPathForDirectoriesInDomains:
  @Sendable (FileManager.SearchPathDirectory, FileManager.SearchPathDomainMask, Bool) -> [String]
{
  { directory, domain, _ in FileManager.default.urls(for: directory, in: domain).map(path) }
}

/// The path of a folder, without a slash at its end.
private func path(of folder: URL) -> String {
  let path = folder.path(percentEncoded: false)
  return path.hasSuffix("/") ? String(path.dropLast()) : path
}
