import Foundation
package import PushModel
import _SQLite

/// Copies of a store as one SQLite file, made while the store is in use.
///
/// SQLite does not sync a copy to the disk ("VACUUM INTO", section "Power Loss" of its manual), so this type does.
package enum SQLiteBackup {
  /// Writes a consistent copy to a new file; a copy that fails is removed.
  package static func make(of source: String, at file: String) throws(StoreError) {
    // The file is made before SQLite opens it, so that only its owner can ever read it.
    try SQLitePushStore.makeFile(file, isNew: true)
    do {
      try copy(source, into: file)
      try sync(file)
    } catch {
      unlink(file)
      throw error
    }
  }

  /// Writes a consistent copy into an empty file without syncing it, and fails if the task is cancelled.
  package static func copy(_ source: String, into file: String) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: source) else {
      throw StoreError(
        .notFound, "there is no database \(source); name the --data directory of a server")
    }
    let connection = try open(source)
    connection.endWithTask()
    try mapped(source) {
      // A file that is not a store, or a store of another version, is refused, and so is a file of
      // at most one byte, which SQLite takes for an empty database.
      guard try SQLiteMigrations.version(of: connection, path: source) > 0 else {
        throw StoreError(
          .cannotOpen, "\(source) has no store; name the database of a server, or a backup of one")
      }
      do throws(SQLiteError) {
        try connection.run("VACUUM INTO ?", [.text(file)])
      } catch {
        // Damage is in the source, which SQLite reads. A full disk is that of the new file.
        let isDamaged = [.notADatabase, .corrupt].contains(error.code)
        throw StoreError(error, path: isDamaged ? source : file)
      }
    }
  }

  /// Restores a copy to a path that has no store or an empty store.
  ///
  /// The caller ensures that no other process has the store open.
  ///
  /// - Throws: ``StoreError/Code/conflict`` if the store at the path has an app or a key.
  package static func restore(_ file: String, to path: String) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: file) else {
      throw StoreError(.notFound, "there is no file \(file); name a backup")
    }
    try requireEmpty(path)
    let damage = try damage(of: file)
    guard damage == "ok" else {
      throw StoreError(
        .cannotOpen, "the backup \(file) is damaged, so restore another one: \(damage)")
    }
    let part = path + ".restoring"
    unlink(part)
    try make(of: file, at: part)
    // The log of the empty store must not be applied to the file that replaces it.
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    guard rename(part, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(part)
      throw StoreError(.cannotOpen, "cannot make the database \(path): \(reason)")
    }
    try sync(URL(filePath: path).deletingLastPathComponent().path)
  }

  private static func requireEmpty(_ path: String) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    let connection = try open(path)
    let isEmpty = try mapped(path) {
      let version = try connection.row("PRAGMA user_version") { $0.integer(0) } ?? 0
      let tables = try connection.row("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
      if version == 0, tables == 0 { return true }
      try SQLiteMigrations.version(of: connection, path: path)
      let rows = try connection.row(
        "SELECT (SELECT count(*) FROM apps) + (SELECT count(*) FROM keys)"
      ) { $0.integer(0) }
      return rows == 0
    }
    guard isEmpty else {
      throw StoreError(
        .conflict,
        "the database \(path) is not empty; restore into another --data, or move it away first")
    }
  }

  /// The first damage that SQLite finds in a file; "ok" if the file is not damaged.
  private static func damage(of file: String) throws(StoreError) -> String {
    let connection = try open(file)
    return try mapped(file) {
      // The problem follows a heading on a separate line.
      try connection.row("PRAGMA quick_check(1)") { $0.text(0).replacing("\n", with: " ") }
        ?? "it cannot be read"
    }
  }

  private static func open(_ path: String) throws(StoreError) -> SQLiteConnection {
    do {
      return try SQLiteConnection(path: path, busyTimeout: .seconds(5))
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func mapped<T>(_ path: String, _ body: () throws -> T) throws(StoreError) -> T {
    do {
      return try body()
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func sync(_ path: String) throws(StoreError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, fsync(descriptor) == 0 else {
      throw StoreError(.failed, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
  }
}
