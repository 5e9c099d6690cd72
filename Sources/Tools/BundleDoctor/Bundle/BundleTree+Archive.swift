package import Foundation
import _Zip

extension BundleTree {
  /// Opens a zip archive, and checks its directory before anything is unpacked.
  package init(archive: URL, limits: BundleLimits = BundleLimits()) throws(BundleError) {
    let name = archive.lastPathComponent
    let zip: ZipArchive
    let entries: [ZipArchive.Entry]
    do throws(ZipError) {
      zip = try ZipArchive(path: archive.path)
      guard zip.count <= limits.files else {
        throw ZipError(
          code: .tooLarge,
          message: "it has \(zip.count) entries; at most \(limits.files) are read")
      }
      entries = try zip.entries()
    } catch {
      throw Self.bundleError(name, Self.truncation(archive, error))
    }
    try Self.check(entries, of: archive, name: name, limits: limits)
    let regular = entries.filter { !$0.isFolder && !$0.isLink }
    let byPath = Dictionary(regular.map { ($0.path, $0) }) { first, _ in first }
    guard byPath.count == regular.count else {
      throw BundleError(.unsafe, "\(name) has two entries with the same path; zip the app again")
    }
    self.init(files: regular.map(\.path)) { path, limit throws(BundleError) in
      do throws(ZipError) {
        guard let entry = byPath[path] else { return nil }
        return Data(try zip.read(entry, atMost: limit))
      } catch {
        throw Self.bundleError(name, error)
      }
    }
  }

  private static func check(
    _ entries: [ZipArchive.Entry], of archive: URL, name: String, limits: BundleLimits
  ) throws(BundleError) {
    var unpacked: UInt64 = 0
    for entry in entries {
      guard entry.path.utf8.count <= limits.pathBytes else {
        throw BundleError(
          .unsafe,
          "\(name) has an entry with a path of \(entry.path.utf8.count) bytes; "
            + "Apple's systems take \(limits.pathBytes)")
      }
      guard !leadsOut(entry.path) else {
        throw BundleError(
          .unsafe,
          "\(name) has an entry whose path leads out of it (\(entry.path.debugDescription)); "
            + "no app has one, so do not unpack it")
      }
      unpacked =
        unpacked.addingReportingOverflow(entry.size).overflow ? .max : unpacked + entry.size
    }
    let size = (try? archive.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    let ratio = unpacked / UInt64(max(1, size))
    guard unpacked <= limits.unpackedBytes,
      unpacked <= limits.freeBytes || ratio <= limits.ratio
    else {
      throw BundleError(
        .tooLarge,
        "\(name) would unpack to \(unpacked) bytes, \(ratio) times its size: a zip bomb, not an app"
      )
    }
  }

  /// Whether a path begins with a slash, has a component `.` or `..`, or contains a backslash.
  private static func leadsOut(_ path: String) -> Bool {
    guard path.utf8.first != UInt8(ascii: "/") else { return true }
    var (count, dots) = (0, 0)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): return true
      case UInt8(ascii: "/"):
        if count == dots, 1...2 ~= count { return true }
        (count, dots) = (0, 0)
      default:
        count += 1
        if byte == UInt8(ascii: ".") { dots += 1 }
      }
    }
    return count == dots && 1...2 ~= count
  }

  /// The error of a truncated archive, if a file begins as an archive but has no directory at its
  /// end.
  private static func truncation(_ archive: URL, _ error: ZipError) -> ZipError {
    guard error.code == .notAnArchive, let file = try? FileHandle(forReadingFrom: archive),
      let head = try? file.read(upToCount: 4), head == Data([0x50, 0x4b, 3, 4])
    else { return error }
    return ZipError(
      code: .truncated, message: "it is truncated: the directory at its end is missing")
  }

  private static func bundleError(_ name: String, _ error: ZipError) -> BundleError {
    switch error.code {
    case .notAnArchive:
      BundleError(.notABundle, "\(name) is not an .ipa: \(error.message)", cause: error)
    case .unreadable:
      BundleError(.notFound, "\(name) cannot be read; check its path and permissions", cause: error)
    case .tooLarge: BundleError(.tooLarge, "\(name) is refused: \(error.message)", cause: error)
    default:
      BundleError(.damaged, "\(name): \(error.message); export or copy it again", cause: error)
    }
  }
}
