import Glibc

/// The identity of a file's content, which changes when another file takes its place.
package struct FileStamp: Hashable, Sendable {
  package let size: Int
  private let device, inode: UInt64
  private let seconds, nanoseconds: Int

  /// Reads the identity of a file; `nil` if the path is not that of a regular file.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    size = Int(status.st_size)
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
