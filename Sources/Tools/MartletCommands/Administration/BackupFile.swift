import Foundation

/// A file that gets its final name when it is complete.
///
/// It is written in the same folder, under a name that identifies the writing process. Therefore what an
/// interrupted command wrote is never mistaken for a complete file, and the next command removes it.
struct BackupFile {
  private static let mark = ".martlet-partial-"
  private static let host = ProcessInfo.processInfo.hostName

  let path: String

  private var folder: URL { URL(filePath: path).deletingLastPathComponent() }

  /// Writes the file, which must not exist; if that fails, nothing is left.
  ///
  /// `report` is called with each removed file of an interrupted backup. `body` gets the path of an
  /// empty file that only its owner can read.
  func write(
    report: (String) -> Void, _ body: (_ part: String) async throws -> Void
  ) async throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw failure("File exists; an existing file is not replaced")
    }
    removeLeft(report)
    let part = "\(path)\(Self.mark)\(getpid())@\(Self.host)"
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    close(descriptor)
    do {
      try await body(part)
      try sync(part)
      try place(part)
    } catch {
      unlink(part)
      throw error
    }
    try sync(folder.path)
  }

  /// Gives the complete file its final name, without replacing another file.
  private func place(_ part: String) throws {
    if link(part, path) == 0 {
      unlink(part)
      return
    }
    let code = errno
    // Some file systems have no links, for example those of USB disks.
    guard code != EEXIST, !FileManager.default.fileExists(atPath: path), rename(part, path) == 0
    else { throw failure(String(cString: strerror(code))) }
  }

  /// Removes the files of interrupted backups of this machine from the folder, and reports those of
  /// other machines.
  private func removeLeft(_ report: (String) -> Void) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names.sorted() {
      guard let mark = name.range(of: Self.mark, options: .backwards) else { continue }
      let writer = name[mark.upperBound...].split(separator: "@", maxSplits: 1)
      guard writer.count == 2, let process = Int32(writer[0]), process > 0 else { continue }
      let left = folder.appending(path: name).path
      guard writer[1] == Self.host else {
        report("\(left) is an incomplete file of \(writer[1]), which still runs or was killed")
        continue
      }
      // The process is this one, which has not begun writing yet.
      guard process == getpid() || (kill(process, 0) != 0 && errno == ESRCH), unlink(left) == 0
      else { continue }
      report("removed \(left), the incomplete file of a command that was killed")
    }
  }

  private func failure(_ reason: String) -> CommandFailure {
    CommandFailure("cannot make the file \(path): \(reason)")
  }

  private func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, fsync(descriptor) == 0 else {
      throw failure(String(cString: strerror(errno)))
    }
  }
}
