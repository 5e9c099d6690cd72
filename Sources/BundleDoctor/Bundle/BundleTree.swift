package import Foundation

/// The files of a folder or an archive; symbolic links are not followed, so that none leads out of
/// it.
package struct BundleTree {
  /// Paths of regular files below the top, with `/` between names.
  package let files: Set<String>
  private let reader: (String, Int) throws(BundleError) -> Data

  init(files: Set<String>, reader: @escaping (String, Int) throws(BundleError) -> Data) {
    self.files = files
    self.reader = reader
  }

  /// The bytes of one file; `nil` where there is no such file.
  func read(_ path: String, atMost limit: Int) throws(BundleError) -> Data? {
    files.contains(path) ? try reader(path, limit) : nil
  }

  /// The files below a folder, as a tree with paths from that folder.
  func below(_ folder: String) -> BundleTree {
    guard !folder.isEmpty else { return self }
    let prefix = folder + "/"
    let inner = files.lazy.filter { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count))
    }
    let reader = reader
    return BundleTree(files: Set(inner)) { path, limit throws(BundleError) in
      try reader(prefix + path, limit)
    }
  }

  /// The paths of the folders with this suffix that have files, at any depth, outermost first.
  func folders(endingWith suffix: String) -> [String] {
    var folders: Set<String> = []
    for file in files {
      var path = ""
      for name in file.split(separator: "/").dropLast() {
        path += path.isEmpty ? String(name) : "/" + name
        if name.hasSuffix(suffix) { folders.insert(path) }
      }
    }
    return folders.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
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
    self.init(files: files) { path, limit throws(BundleError) in
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
