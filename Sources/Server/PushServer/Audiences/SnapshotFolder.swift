import Foundation
import PushModel
import _Bitmaps

/// The folder with the snapshots of one app's index: a file for each shard, and a manifest.
///
/// Files are written under a temporary name, synced and renamed, the manifest last, so that a crash
/// leaves the previous snapshot. Only the owner can read them, because they have hashes of ids and
/// e-mail addresses, and reveal which devices share a property.
struct SnapshotFolder: Sendable {
  private let path: String
  private let app: String
  private static let manifest = "manifest"

  /// Returns `nil` if the app's id cannot be the name of a folder.
  init?(_ parent: String, app: String) {
    let isName = app.utf8.allSatisfy { byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
    }
    guard !app.isEmpty, app.utf8.count <= 64, isName else { return nil }
    self.app = app
    path = "\(parent)/\(app)"
  }

  /// The part of a snapshot that is not in its shards.
  struct Manifest: Sendable {
    var key: HashKey
    /// The number of the last change in the snapshot.
    var position: Int64
    /// The devices of the last changes, which identify the log.
    var lastChanged: DeviceNumbers
    /// The names of the shards' files; a shard without devices has an empty name.
    var files: [String]
  }

  // MARK: Reading

  /// Reads a snapshot, several shards at once; `nil` if there is no manifest.
  ///
  /// - Throws: ``SnapshotError`` if it is damaged, or of another version or app.
  func read() async throws -> (manifest: Manifest, index: ShardedIndex)? {
    guard let bytes = FixedBytes(mapping: "\(path)/\(Self.manifest)") else { return nil }
    let manifest = try Self.manifest(in: bytes, app: app)
    var index = ShardedIndex(key: manifest.key)
    try await withThrowingTaskGroup(of: (Int, AudienceIndex).self) { group in
      for (shard, file) in manifest.files.enumerated() where !file.isEmpty {
        group.addTask { (shard, try readShard(shard, file, key: manifest.key)) }
      }
      for try await (shard, part) in group {
        index.replace(shard, with: part, in: manifest.files[shard])
      }
    }
    return (manifest, index)
  }

  private func readShard(
    _ shard: Int, _ file: String, key: HashKey
  ) throws(SnapshotError) -> AudienceIndex {
    guard let bytes = FixedBytes(mapping: "\(path)/\(file)") else {
      throw SnapshotError("the file \(file) is missing")
    }
    let index = try Self.shard(shard, in: bytes, app: app, key: key)
    bytes.release()
    return index
  }

  // MARK: Writing

  /// Writes a shard, and reads it back.
  ///
  /// - Returns: The shard as read from the file, and the file's name.
  @concurrent
  func write(
    _ index: AudienceIndex, shard: Int
  ) async throws -> (index: AudienceIndex, file: String) {
    let file = "\(shard)-\(UUID().uuidString)"
    try write(file) { snapshot in try Self.encode(index, shard: shard, app: app, into: &snapshot) }
    return (try readShard(shard, file, key: index.key), file)
  }

  /// Writes the manifest, which makes its shards the snapshot.
  @concurrent
  func write(_ manifest: Manifest) async throws {
    try write(Self.manifest) { snapshot in Self.encode(manifest, app: app, into: &snapshot) }
  }

  /// Removes a file that no manifest names; a shard that was read from it stays usable.
  func remove(_ file: String) { unlink("\(path)/\(file)") }

  /// Removes the snapshots of all apps except some.
  static func removeAll(in parent: String, but apps: Set<String>) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where !apps.contains(name) {
      guard let folder = SnapshotFolder(parent, app: name) else { continue }
      folder.removeAll(but: [])
      folder.remove(manifest)
      rmdir(folder.path)
    }
  }

  /// Removes all files except the manifest and some others, such as those of a node that was killed.
  func removeAll(but files: Set<String>) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name != Self.manifest && !files.contains(name) { remove(name) }
  }

  private func write(_ name: String, _ body: (inout SnapshotWriter) throws -> Void) throws {
    let temporary = "\(path)/\(name).new"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot make \(temporary)") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      var snapshot = SnapshotWriter { bytes in
        guard let start = bytes.baseAddress else { return }
        var done = 0
        while done < bytes.count {
          let count = Foundation.write(descriptor, start + done, bytes.count - done)
          guard count > 0 || errno == EINTR else { throw Self.failure("cannot write \(temporary)") }
          done += max(0, count)
        }
      }
      try body(&snapshot)
      try snapshot.finish()
      try file.synchronize()
      guard rename(temporary, "\(path)/\(name)") == 0 else {
        throw Self.failure("cannot rename \(temporary)")
      }
      let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(folder) }
      guard folder >= 0, fsync(folder) == 0 else { throw Self.failure("cannot sync \(path)") }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func failure(_ problem: String) -> SnapshotError {
    SnapshotError("\(problem): \(String(cString: strerror(errno)))")
  }
}

// The layout of the manifest and of a shard's file.
extension SnapshotFolder {
  static func encode(
    _ index: AudienceIndex, shard: Int, app: String, into snapshot: inout SnapshotWriter
  ) throws {
    snapshot.add(text: "shard")
    snapshot.add(text: app)
    snapshot.add(index.key)
    snapshot.add(count: shard)
    try index.encode(into: &snapshot)
  }

  static func shard(
    _ shard: Int, in bytes: FixedBytes, app: String, key: HashKey
  ) throws(SnapshotError) -> AudienceIndex {
    var snapshot = try SnapshotReader(bytes)
    guard try snapshot.text() == "shard", try snapshot.text() == app, try snapshot.key() == key,
      try snapshot.number() == UInt64(shard)
    else { throw SnapshotError("it is of another app or shard") }
    let index = try AudienceIndex(from: &snapshot, key: key)
    for end in [index.known.element(atRank: 0), index.known.element(atRank: index.known.count - 1)]
    {
      guard end.map({ ShardedIndex.shard(of: $0) == shard }) ?? true else {
        throw SnapshotError("it has devices of another shard")
      }
    }
    return index
  }

  static func encode(_ manifest: Manifest, app: String, into snapshot: inout SnapshotWriter) {
    snapshot.add(text: "manifest")
    snapshot.add(text: app)
    snapshot.add(manifest.key)
    snapshot.add(number: UInt64(bitPattern: manifest.position))
    let changed = Array(manifest.lastChanged)
    snapshot.add(count: changed.count)
    for device in changed { snapshot.add(number: UInt64(device)) }
    snapshot.add(count: manifest.files.count)
    for file in manifest.files { snapshot.add(text: file) }
  }

  static func manifest(in bytes: FixedBytes, app: String) throws(SnapshotError) -> Manifest {
    var snapshot = try SnapshotReader(bytes)
    guard try snapshot.text() == "manifest", try snapshot.text() == app else {
      throw SnapshotError("it is of another app")
    }
    let key = try snapshot.key()
    let position = Int64(bitPattern: try snapshot.number())
    var changed: [UInt32] = []
    for _ in 0..<(try snapshot.count()) {
      guard let device = UInt32(exactly: try snapshot.number()) else {
        throw SnapshotError("it names a device beyond the last number")
      }
      changed.append(device)
    }
    var files: [String] = []
    let count = try snapshot.count()
    guard count <= 1 << 12 else { throw SnapshotError("it has too many shards") }
    for _ in 0..<count {
      let file = try snapshot.text()
      guard !file.contains("/"), !file.contains("\0"), !file.hasPrefix(".") else {
        throw SnapshotError("it names a file outside of its folder")
      }
      files.append(file)
    }
    guard position >= 0, snapshot.isAtEnd else { throw SnapshotError("it is not a manifest") }
    return Manifest(
      key: key, position: position, lastChanged: DeviceNumbers(changed), files: files)
  }
}

extension SnapshotWriter {
  fileprivate mutating func add(_ key: HashKey) {
    add(number: key.first)
    add(number: key.second)
  }
}

extension SnapshotReader {
  fileprivate mutating func key() throws(SnapshotError) -> HashKey {
    HashKey(first: try number(), second: try number())
  }
}
