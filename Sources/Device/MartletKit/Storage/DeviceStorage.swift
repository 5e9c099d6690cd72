package import Foundation

/// The files of a device, by paths in one folder.
///
/// ``FolderStorage`` is the disk. A test has one that fails, or ends, after any write.
package protocol DeviceStorage: Sendable {
  /// The content of a file; `nil` if the file does not exist.
  ///
  /// - Throws: Any error if the file may exist but cannot be read.
  func read(_ path: String) throws -> Data?
  /// Writes a file at once: after a crash it has the old content or the new.
  func write(_ data: Data, to path: String) throws
  /// Replaces the content of a short file that another process may have open and locked; it stays the same file.
  func overwrite(_ data: Data, at path: String) throws
  /// Removes a file, if there is one.
  func remove(_ path: String) throws
  /// The names of the files in a folder; empty if there is no such folder.
  func names(in folder: String) throws -> [String]
  /// Removes the files in a folder that ``write(_:to:)`` did not finish: those older than some seconds, or all.
  func removeParts(in folder: String, olderThan seconds: Int?) throws
  /// Runs a body while no other process or thread runs one with the same folder.
  func exclusively<Result>(_ body: () throws -> Result) throws -> Result
}
