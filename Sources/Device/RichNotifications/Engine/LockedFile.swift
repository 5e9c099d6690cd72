import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small file that the extension and the app change, one at a time.
struct LockedFile: Sendable {
  /// The maximum number of times to try the lock, which other processes hold for microseconds.
  private static let maximumTries = 1000

  let url: URL

  /// Calls a closure with the file's descriptor and a lock on the file, which is released with the descriptor even if
  /// the process is killed.
  ///
  /// It never blocks on the lock, because the system kills an app that is suspended while it holds a file lock.
  ///
  /// - Returns: The closure's result; `nil` if the file cannot be opened, or another process holds the lock.
  func withLock<Result>(_ body: (_ descriptor: Int32) -> Result?) -> Result? {
    try? OwnFile.createFolder(url.deletingLastPathComponent())
    let descriptor = OwnFile.open(url)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard Self.lock(descriptor) else { return nil }
    // A process forked in the meantime may have inherited the descriptor, and with it the lock.
    defer { flock(descriptor, LOCK_UN) }
    return body(descriptor)
  }

  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<maximumTries {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { return false }
      sched_yield()
    }
    return false
  }
}
