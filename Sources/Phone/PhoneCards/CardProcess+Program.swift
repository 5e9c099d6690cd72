import Foundation
import NotificationCards

extension CardProcess {
  /// The command line of the program that draws: `martlet-card` beside this program, or in `../libexec/martlet`, as
  /// packages have it; otherwise this program by its own command.
  package static let installed: [String] =
    drawer(in: folderOfProgram) ?? ["/proc/self/exe", CardOrder.command]

  /// Finds a program that draws for a program that does not, such as that of an app's tests.
  ///
  /// - Parameter path: The folders in which programs are looked for after the one of this program, separated by colons.
  /// - Returns: The command line: `martlet-card`, as ``installed`` finds it, or a `martlet`, which may be one that cannot
  ///   draw; `nil` if there is neither.
  package static func found(path: String) -> [String]? {
    found(in: [folderOfProgram] + path.split(separator: ":").map { URL(filePath: String($0)) })
  }

  static func found(in folders: [URL]) -> [String]? {
    for folder in folders {
      if let drawer = drawer(in: folder) { return drawer }
      if let martlet = program("martlet", in: folder) { return [martlet, CardOrder.command] }
    }
    return nil
  }

  private static let folderOfProgram: URL = {
    let this = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: this).deletingLastPathComponent()
  }()

  private static func drawer(in folder: URL) -> [String]? {
    let places = ["martlet-card", "../libexec/martlet/martlet-card"]
    return places.lazy.compactMap { program($0, in: folder) }.first.map { [$0] }
  }

  /// The path of an executable file; `nil` if there is none.
  private static func program(_ name: String, in folder: URL) -> String? {
    let path = folder.appending(path: name).standardizedFileURL.path(percentEncoded: false)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      FileManager.default.isExecutableFile(atPath: path)
    else { return nil }
    return path
  }
}
