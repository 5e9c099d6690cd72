import Foundation
import Synchronization

@testable import MartletKit

/// A disk in memory that several processes share, and that fails as a test says.
final class ModelDisk: Sendable {
  enum Failure: Error { case killed, full, locked }

  struct State {
    var files: [String: Data] = [:]
    /// Whether a write fails, as on a full disk.
    var isFull = false
    /// Whether no file can be read or written, as before the phone's first unlock. Their names can be listed all the same, and
    /// files can be removed.
    var isLocked = false
    /// The files that are there, and cannot be read.
    var unreadable: Set<String> = []
    var writes = 0
  }

  let state = Mutex(State())
  fileprivate let exclusive = NSLock()

  var files: [String: Data] { state.withLock(\.files) }

  /// The record on the disk.
  var record: DeviceRecord? { files["Device/record.json"].flatMap(DeviceRecord.init) }

  /// The facts in a folder.
  func facts(_ folder: String) -> [StoredFact] {
    let copy = ModelDisk()
    let files = files
    copy.state.withLock { $0.files = files }
    let facts = FactFiles(storage: ModelStorage(copy), folder: folder, limit: 5000, time: "at")
    return (try? facts.waiting()) ?? []
  }
}

/// The disk as one process sees it, which ends at a write that a test chooses.
final class ModelStorage: DeviceStorage {
  private struct Life {
    var writesLeft: Int?
    var isDead = false
  }

  private let disk: ModelDisk
  private let life = Mutex(Life())

  /// - Parameter writes: The number of writes after which the process is killed; `nil` for no end.
  init(_ disk: ModelDisk, killedAfter writes: Int? = nil) {
    self.disk = disk
    life.withLock { $0.writesLeft = writes }
  }

  var isDead: Bool { life.withLock(\.isDead) }

  func kill() { life.withLock { $0.isDead = true } }

  func read(_ path: String) throws -> Data? {
    try check()
    return try disk.state.withLock { state in
      let file = state.files[path]
      // One that does not exist is known not to.
      if file != nil, state.isLocked || state.unreadable.contains(path) {
        throw ModelDisk.Failure.locked
      }
      return file
    }
  }

  func write(_ data: Data, to path: String) throws {
    try change { state in
      guard !state.isLocked else { throw ModelDisk.Failure.locked }
      guard !state.isFull else { throw ModelDisk.Failure.full }
      state.files[path] = data
    }
  }

  func overwrite(_ data: Data, at path: String) throws { try write(data, to: path) }

  func remove(_ path: String) throws { try change { $0.files[path] = nil } }

  func names(in folder: String) throws -> [String] {
    try check()
    return disk.files.keys.filter { $0.hasPrefix(folder + "/") }
      .map { String($0.dropFirst(folder.count + 1)) }
  }

  /// A write here is whole or not begun, so there are no parts.
  func removeParts(in folder: String, olderThan seconds: Int?) throws { try check() }

  func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    try check()
    // The file of the lock cannot be opened.
    if disk.state.withLock(\.isLocked) { throw ModelDisk.Failure.locked }
    return try disk.exclusive.withLock(body)
  }

  private func check() throws {
    if life.withLock(\.isDead) { throw ModelDisk.Failure.killed }
  }

  private func change(_ body: (inout ModelDisk.State) throws -> Void) throws {
    try check()
    try disk.state.withLock { state in
      try body(&state)
      state.writes += 1
    }
    // The process ends after the write, before it learns of it.
    let isKilled = life.withLock { life in
      guard let left = life.writesLeft else { return false }
      life.writesLeft = left - 1
      life.isDead = left <= 1
      return life.isDead
    }
    if isKilled { throw ModelDisk.Failure.killed }
  }
}
