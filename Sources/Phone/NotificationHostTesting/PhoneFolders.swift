import Foundation
import _Spawn

/// The folders of this process's phones, which are deleted when the process ends, however it ends.
///
/// A shell waits for the end: a process that has crashed or was killed cannot delete its own files.
enum PhoneFolders {
  private struct Root: Sendable {
    let folder: URL
    let shell: ConnectedProcess
  }

  /// Reads until the end of the connection, which ends with this process.
  private static let script = #"""
    trap '' HUP INT TERM
    cd / && exec >/dev/null 2>&1
    read -r end <&3
    rm -rf -- "$1"
    """#

  private static let root = Result { () throws -> Root in
    let folder = URL.temporaryDirectory
      .appending(path: "phone-\(UUID().uuidString)", directoryHint: .isDirectory)
    let arguments = ["-c", script, "sh", folder.path(percentEncoded: false)]
    return Root(folder: folder, shell: try ConnectedProcess("/bin/sh", arguments))
  }

  /// Returns a name of its own for the folder of one phone.
  static func folder() throws -> URL {
    try root.get().folder.appending(path: UUID().uuidString, directoryHint: .isDirectory)
  }
}
