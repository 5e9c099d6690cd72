import Foundation

/// Writes the folders of extensions, without overwriting any file.
enum ExtensionFolder {
  /// Writes the files of all extensions and returns their paths.
  static func write(_ projects: [ExtensionProject]) throws(CommandFailure) -> [String] {
    // All folders are checked before the first file is written, so that no incomplete extension is left.
    for project in projects { try check(project) }
    var paths: [String] = []
    for project in projects { paths += try write(project) }
    return paths
  }

  private static func check(_ project: ExtensionProject) throws(CommandFailure) {
    let url = project.place
    var isFolder: ObjCBool = false
    guard
      !FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        || isFolder.boolValue
    else { throw CommandFailure("\(url.path) is a file; name another DIR") }
    for file in project.files {
      let path = url.appending(path: file.name).path
      // The attributes also show a broken symbolic link, unlike fileExists.
      guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
        throw CommandFailure("\(path) is there already; name another DIR, or move it")
      }
    }
  }

  private static func write(_ project: ExtensionProject) throws(CommandFailure) -> [String] {
    let url = project.place
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
