/// The files of a folder, as a process sees them and as they are found after the power has failed.
///
/// A file that was synced has its bytes. Of changes after the last sync each may be there, wholly or in part, or not; in place
/// of a sector that was being written there may be anything. A created or deleted name is on the disk after the folder is synced.
/// Bytes beside a write stay, which SQLite assumes, too (sqlite.org/psow.html).
package struct PowerModel {
  private struct File {
    var durable: [UInt8] = []
    var changes: [DiskEvent.Kind] = []
  }

  private static let sector = 512

  private var files: [File] = []
  /// The files by name, as the process sees them.
  private var names: [String: Int] = [:]
  /// The files by name, as they are on the disk.
  private var durableNames: [String: Int] = [:]

  /// A folder with files that have been there for long.
  package init(_ contents: [String: [UInt8]] = [:]) {
    for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      names[name] = files.count
      files.append(File(durable: bytes))
    }
    durableNames = names
  }

  /// Changes a file.
  package mutating func on(_ event: DiskEvent) {
    // The store makes its file itself, before SQLite opens it.
    if names[event.file] == nil { make(event.file) }
    guard let number = names[event.file] else { return }
    switch event.kind {
    case .create: break
    case .write, .truncate: files[number].changes.append(event.kind)
    case .sync(let isJournal):
      files[number].durable = Self.written(files[number])
      files[number].changes = []
      if isJournal { durableNames = names }
    case .delete(let isSynced):
      names[event.file] = nil
      if isSynced { durableNames = names }
    }
  }

  private mutating func make(_ name: String) {
    names[name] = files.count
    files.append(File())
  }

  /// The files after the process was killed: the system still writes everything.
  package var afterKill: [String: [UInt8]] {
    names.mapValues { Self.written(files[$0]) }
  }

  /// The files after the power has failed, of many that are possible.
  package func afterPowerFailure(
    using random: inout some RandomNumberGenerator
  ) -> [String: [UInt8]] {
    var found: [String: Int] = [:]
    for name in Set(names.keys).union(durableNames.keys).sorted() {
      found[name] = Bool.random(using: &random) ? names[name] : durableNames[name]
    }
    // Disks that have written all, none or some of what was not synced differ in what they break.
    let share = [0, 1, 50, 99, 100].randomElement(using: &random) ?? 50
    var survivors: [String: [UInt8]] = [:]
    for (name, number) in found.sorted(by: { $0.key < $1.key }) {
      survivors[name] = Self.survivor(of: files[number], share: share, using: &random)
    }
    return survivors
  }

  private static func survivor(
    of file: File, share: Int, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes = file.durable
    for change in file.changes where Int.random(in: 0..<100, using: &random) < share {
      let isTorn = Int.random(in: 0..<4, using: &random) == 0
      guard isTorn, case .write(let written, let offset) = change else {
        apply(change, to: &bytes)
        continue
      }
      tear(written, at: offset, in: &bytes, using: &random)
    }
    return bytes
  }

  /// Writes some sectors of a write, and something else in place of a few.
  private static func tear(
    _ written: [UInt8], at offset: Int, in bytes: inout [UInt8],
    using random: inout some RandomNumberGenerator
  ) {
    for start in stride(from: 0, to: written.count, by: sector) {
      let part = Array(written[start..<min(start + sector, written.count)])
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let other = part.map { _ in UInt8.random(in: .min ... .max, using: &random) }
        apply(.write(other, at: offset + start), to: &bytes)
      case 1...4: apply(.write(part, at: offset + start), to: &bytes)
      default: break
      }
    }
  }

  /// The bytes of a file after all of its changes.
  private static func written(_ file: File) -> [UInt8] {
    var bytes = file.durable
    for change in file.changes { apply(change, to: &bytes) }
    return bytes
  }

  private static func apply(_ change: DiskEvent.Kind, to bytes: inout [UInt8]) {
    switch change {
    case .write(let written, let offset):
      let end = offset + written.count
      if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
      bytes.replaceSubrange(offset..<end, with: written)
    case .truncate(let size) where size < bytes.count: bytes.removeLast(bytes.count - size)
    case .truncate(let size): bytes += [UInt8](repeating: 0, count: size - bytes.count)
    case .create, .sync, .delete: break
    }
  }
}
