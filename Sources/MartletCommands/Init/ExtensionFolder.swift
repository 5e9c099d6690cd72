import Foundation

/// The folder for the extension's files, which overwrites none.
struct ExtensionFolder: Sendable {
  let url: URL

  init(_ path: String) {
    url = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
  }

  /// Writes the files and returns their paths.
  func write(_ project: ExtensionProject) throws(CommandFailure) -> [String] {
    // Checked before anything is written, so that no half of an extension is left.
    var isFolder: ObjCBool = false
    guard
      !FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        || isFolder.boolValue
    else { throw CommandFailure("\(url.path) is a file; name another DIR") }
    for file in project.files {
      let path = url.appending(path: file.name).path
      // The attributes show a broken symbolic link too, which fileExists does not.
      guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
        throw CommandFailure("\(path) is there already; name another DIR, or move it")
      }
    }
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      for file in project.files {
        try Data(file.text.utf8).write(
          to: url.appending(path: file.name), options: .withoutOverwriting)
      }
    } catch {
      throw CommandFailure("cannot write in \(url.path); make it yours to write", cause: error)
    }
    return project.files.map { url.appending(path: $0.name).path }
  }
}
