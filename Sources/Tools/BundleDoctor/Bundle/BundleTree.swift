package import Foundation

/// The files of a folder or an archive; symbolic links are not followed, so that none leads out of
/// it.
///
/// An archive may have hundreds of thousands of files, so each question is answered in one pass.
package struct BundleTree {
  /// The paths of regular files below the top, with `/` between names.
  package let files: [String]
  private let reader: (String, Int) throws(BundleError) -> Data?

  /// - Parameters:
  ///   - files: The paths, each once.
  ///   - reader: Returns the bytes of a file; `nil` if the path is not one of `files`.
  init(files: [String], reader: @escaping (String, Int) throws(BundleError) -> Data?) {
    self.files = files
    self.reader = reader
  }

  /// The bytes of one file; `nil` if the file does not exist.
  func read(_ path: String, atMost limit: Int) throws(BundleError) -> Data? {
    try reader(path, limit)
  }

  /// The files below a folder, as a tree whose paths are relative to that folder.
  func below(_ folder: String) -> BundleTree {
    guard !folder.isEmpty else { return self }
    let prefix = Array((folder + "/").utf8)
    let inner = files.lazy.filter { $0.utf8.starts(with: prefix) }.map {
      String(decoding: $0.utf8.dropFirst(prefix.count), as: UTF8.self)
    }
    return tree(Array(inner), below: folder)
  }

  /// The folders directly in a folder whose names have a suffix, each with the files below it.
  func children(of folder: String, endingWith suffix: String) -> [String: BundleTree] {
    let prefix = Array((folder + "/").utf8)
    let suffix = Array(suffix.utf8)
    var inner: [String: [String]] = [:]
    for file in files where file.utf8.starts(with: prefix) {
      let rest = file.utf8.dropFirst(prefix.count)
      guard let slash = rest.firstIndex(of: Self.slash), rest[..<slash].ends(with: suffix)
      else { continue }
      let name = String(decoding: file.utf8[..<slash], as: UTF8.self)
      let path = String(decoding: rest[slash...].dropFirst(), as: UTF8.self)
      inner[name, default: []].append(path)
    }
    return Dictionary(uniqueKeysWithValues: inner.map { ($0, tree($1, below: $0)) })
  }

  private func tree(_ files: [String], below folder: String) -> BundleTree {
    let reader = reader
    return BundleTree(files: files) { path, limit throws(BundleError) in
      try reader(folder + "/" + path, limit)
    }
  }

  /// The sorted paths of the folders with a suffix that have files and are not inside another such
  /// folder.
  func outermostFolders(endingWith suffix: String) -> [String] {
    let suffix = Array(suffix.utf8)
    var folders: Set<String> = []
    for file in files {
      let bytes = file.utf8
      var start = bytes.startIndex
      while let slash = bytes[start...].firstIndex(of: Self.slash) {
        if bytes[start..<slash].ends(with: suffix) {
          folders.insert(String(decoding: bytes[..<slash], as: UTF8.self))
          break
        }
        start = bytes.index(after: slash)
      }
    }
    return folders.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  private static let slash = UInt8(ascii: "/")
}

extension BidirectionalCollection<UInt8> {
  /// Whether the bytes end with a suffix.
  func ends(with suffix: [UInt8]) -> Bool { reversed().starts(with: suffix.reversed()) }
}

extension BundleTree {
  /// Lists a folder on disk without its symbolic links.
  package init(folder: URL, limits: BundleLimits = BundleLimits()) throws(BundleError) {
    let keys: [URLResourceKey] = [.isRegularFileKey, .isSymbolicLinkKey]
    let root = folder.resolvingSymlinksInPath()
    guard let walker = FileManager.default.enumerator(at: root, includingPropertiesForKeys: keys)
    else { throw BundleError(.notFound, "\(folder.path) cannot be read") }
    let depth = root.pathComponents.count
    var files: Set<String> = []
    for case let url as URL in walker {
      let values = try? url.resourceValues(forKeys: Set(keys))
      guard values?.isRegularFile == true, values?.isSymbolicLink != true else { continue }
      files.insert(url.pathComponents.dropFirst(depth).joined(separator: "/"))
      guard files.count <= limits.files else {
        throw BundleError(
          .tooLarge, "\(folder.path) has over \(limits.files) files; name the app itself")
      }
    }
    let listed = files
    self.init(files: Array(files)) { path, limit throws(BundleError) in
      guard listed.contains(path) else { return nil }
      let data: Data
      do {
        data = try Data(contentsOf: root.appending(path: path), options: .mappedIfSafe)
      } catch {
        throw BundleError(.notFound, "\(path) cannot be read; check its permissions", cause: error)
      }
      guard data.count <= limit else {
        throw BundleError(.tooLarge, "\(path) has \(data.count) bytes; at most \(limit) are read")
      }
      return data
    }
  }
}
