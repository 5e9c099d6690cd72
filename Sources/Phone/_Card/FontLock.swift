import Synchronization

/// The lock that every use of Pango and of cairo's text holds.
///
/// Pango keeps a font map for each thread, but cairo keeps one cache of scaled fonts for the process, and programs
/// that draw text with several threads are known to crash in it. Layouts are released under the lock as well,
/// because that releases their fonts.
enum FontLock {
  private static let mutex = Mutex(())

  static func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { _ throws(Failure) in try body() }
  }
}
