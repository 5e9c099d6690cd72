import Foundation

/// The file `project.pbxproj` of an `.xcodeproj`, on disk.
struct XcodeProjectFile: Sendable {
  /// The path of the `.xcodeproj` as given.
  let path: String
  /// The project file, without symbolic links.
  let file: URL
  let project: XcodeProject
  /// The folder to which the project's paths are relative.
  let folder: URL

  init(_ path: String) throws(CommandFailure) {
    self.path = path
    let bundle = URL(filePath: path).standardizedFileURL
    guard InputPaths.isFolder(bundle.path), bundle.pathExtension == "xcodeproj" else {
      let hint =
        bundle.pathExtension == "xcworkspace"
        ? "it is a workspace; name the .xcodeproj beside it" : "name the folder App.xcodeproj"
      throw CommandFailure("\(path) is not an Xcode project; \(hint)")
    }
    file = bundle.appending(path: "project.pbxproj").resolvingSymlinksInPath()
    let bytes: Data
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      bytes = try handle.read(upToCount: OldPropertyList.maximumBytes + 1) ?? Data()
    } catch {
      throw CommandFailure("cannot read \(file.path); is it there, and readable?", cause: error)
    }
    do throws(OldPropertyListError) {
      project = try XcodeProject(Array(bytes))
    } catch {
      throw CommandFailure(
        "cannot read \(file.path): \(error.sentence); open the project in Xcode to see whether it is whole"
      )
    }
    guard project.objectVersion >= XcodeProject.oldestVersion else {
      throw CommandFailure(
        "\(path) has objectVersion \(project.objectVersion), and Swift packages need "
          + "\(XcodeProject.oldestVersion): in Xcode select the project and choose a newer Project "
          + "Format in the File inspector")
    }
    let parent = bundle.deletingLastPathComponent()
    let inner = project.root.string("projectDirPath") ?? ""
    folder = inner.isEmpty ? parent : parent.appending(path: inner).standardizedFileURL
  }

  /// The copy of the file from before the first change.
  var backup: URL { URL(filePath: file.path + ".before-martlet") }

  /// Writes new bytes atomically, after copying the old ones; an existing copy is kept.
  func replace(with bytes: [UInt8]) throws(CommandFailure) {
    do {
      if !FileManager.default.fileExists(atPath: backup.path) {
        try Data(project.bytes).write(to: backup, options: .withoutOverwriting)
      }
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      let temporary = URL(filePath: "\(file.path).\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: temporary) }
      try Data(bytes).write(to: temporary, options: .withoutOverwriting)
      if let mode {
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: temporary.path)
      }
      guard rename(temporary.path, file.path) == 0 else {
        throw CommandFailure(String(cString: strerror(errno)))
      }
    } catch {
      throw CommandFailure(
        "cannot write \(file.path); make it and its folder yours to write", cause: error)
    }
  }
}
