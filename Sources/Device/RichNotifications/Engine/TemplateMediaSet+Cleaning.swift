import Foundation
import NotificationTemplates

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension TemplateMediaSet {
  /// The age in seconds at which a set is deleted: a week.
  static let maximumAge: TimeInterval = 7 * 86_400
  /// The most bytes of all sets together, which is also the default limit of one notification; the oldest are deleted
  /// first.
  static let maximumBytes: Int64 = 60_000_000
  /// The most sets; the oldest are deleted first.
  static let maximumCount = 100

  /// A set as its manifest describes it.
  private struct Stored {
    var name: String
    var folder: String
    var bytes: Int64
    var age: TimeInterval
  }

  /// Deletes sets of earlier notifications that are too old, too many or too large together, and the remains of killed
  /// extensions.
  ///
  /// Another extension may run meanwhile: its unfinished files are younger than ``MediaFolder/maximumAge``.
  ///
  /// - Returns: The number of sets that were deleted.
  static func removeOld(in container: URL, at now: Date) -> Int {
    let root = root(in: container)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: OwnFile.path(root))) ?? []
    guard !names.isEmpty else { return 0 }
    let (sets, unreadable) = read(names, in: root, at: now)
    let superfluous = superfluous(sets)
    for set in superfluous { remove(set, in: root) }
    // A manifest that cannot be read names its folder to nobody, so no folder is known to be superfluous.
    if !unreadable {
      removeLeftovers(names, except: Set(sets.map(\.folder)), in: root, at: now)
    }
    return superfluous.count
  }

  /// The sets, and whether there is a manifest that cannot be read, as before the phone's first unlock.
  private static func read(
    _ names: [String], in root: URL, at now: Date
  ) -> (sets: [Stored], unreadable: Bool) {
    var sets: [Stored] = []
    var unreadable = false
    for name in names where name.hasSuffix(MediaManifest.suffix) {
      let base = String(name.dropLast(MediaManifest.suffix.count))
      guard MediaManifest.isName(base) else { continue }
      let file = root.appending(path: name, directoryHint: .notDirectory)
      // Another extension may have removed it meanwhile.
      guard let size = OwnFile.size(file), let age = age(of: file, at: now) else { continue }
      let limit = MediaManifest.maximumBytes
      let bytes = OwnFile.bytes(of: file, atMost: limit)
      if bytes == nil, size <= limit { unreadable = true }
      guard size > limit || bytes != nil else { continue }
      guard let bytes, let manifest = try? MediaManifest(reading: bytes) else {
        unlink(OwnFile.path(file))
        continue
      }
      // A file that several media show counts for each of them.
      let total = manifest.media.reduce(Int64(bytes.count)) { total, medium in
        guard case .ready(let file) = medium.state else { return total }
        let (sum, overflow) = total.addingReportingOverflow(file.bytes)
        return overflow ? .max : sum
      }
      sets.append(Stored(name: base, folder: manifest.folder, bytes: total, age: age))
    }
    return (sets, unreadable)
  }

  /// The sets that are beyond a limit.
  private static func superfluous(_ sets: [Stored]) -> [Stored] {
    var count = 0
    var bytes: Int64 = 0
    return sets.sorted { ($0.age, $0.name) < ($1.age, $1.name) }.filter { set in
      // A date far in the future is of a time when the phone's clock was wrong.
      let isOld = abs(set.age) > maximumAge
      let (sum, overflow) = bytes.addingReportingOverflow(set.bytes)
      guard !isOld, count < maximumCount, !overflow, sum <= maximumBytes else { return true }
      count += 1
      bytes = sum
      return false
    }
  }

  /// Deletes a set, its manifest first, so that nobody reads half a set.
  private static func remove(_ set: Stored, in root: URL) {
    let isRemoved = lock(root).withLock { _ in
      // Another extension may have replaced the set meanwhile.
      guard manifest(named: set.name, in: root)?.folder == set.folder else { return true }
      let file = root.appending(
        path: set.name + MediaManifest.suffix, directoryHint: .notDirectory)
      return unlink(OwnFile.path(file)) == 0
    }
    if isRemoved == true { removeFolder(set.folder, in: root) }
  }

  /// Deletes the folders that no manifest names, and manifests that were not renamed.
  private static func removeLeftovers(
    _ names: [String], except folders: Set<String>, in root: URL, at now: Date
  ) {
    for name in names where !folders.contains(name) {
      let isPart =
        name.hasSuffix(partSuffix) && MediaManifest.isName(name.dropLast(partSuffix.count))
      guard isPart || MediaManifest.isName(name) else { continue }
      let item = root.appending(path: name, directoryHint: .notDirectory)
      guard let age = age(of: item, at: now), age > MediaFolder.maximumAge else { continue }
      try? FileManager.default.removeItem(at: item)
    }
  }

  private static func age(of file: URL, at now: Date) -> TimeInterval? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: OwnFile.path(file))
    return (attributes?[.modificationDate] as? Date).map { now.timeIntervalSince($0) }
  }
}
