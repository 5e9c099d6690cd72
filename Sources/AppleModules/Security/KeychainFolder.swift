import Foundation
import Glibc
import Synchronization

/// The folder of a keychain, with a property list for each access group, which its owner alone can read.
struct KeychainFolder {
  /// Protects the files of all folders from other threads; processes that write at the same moment may lose an item.
  private static let lock = Mutex(())

  let url: URL

  /// Runs an operation on the items of access groups, and stores those that it changes.
  ///
  /// - Throws: The operation's error; `errSecIO` if a file cannot be read or written.
  func use<Result>(
    _ groups: [String], _ operation: (inout [KeychainItem]) throws(KeychainError) -> Result
  ) throws(KeychainError) -> Result {
    try Self.lock.withLock { _ throws(KeychainError) in
      var before: [String: [KeychainItem]] = [:]
      for group in groups { before[group] = try read(group) }
      var items = Set(groups).sorted().flatMap { before[$0] ?? [] }
      let result = try operation(&items)
      for group in groups {
        let after = items.filter { $0.group == group }
        if after != before[group] { try write(after, of: group) }
      }
      return result
    }
  }

  private func file(_ group: String) -> URL {
    let name = group.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return url.appending(path: "\(name).plist")
  }

  private func read(_ group: String) throws(KeychainError) -> [KeychainItem] {
    let file = file(group)
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
      return []
    }
    guard let data = try? Data(contentsOf: file),
      let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil),
      let entries = list as? [[String: Any]]
    else { throw KeychainError(status: errSecIO) }
    return try entries.map { entry throws(KeychainError) in
      let attributes = entry["attributes"] as? [String: Any] ?? [:]
      let values = attributes.compactMapValues(KeychainItem.Value.init)
      let secret = entry["secret"] as? Data
      guard let kind = (entry["class"] as? String).flatMap(KeychainItem.Kind.init),
        !values.isEmpty, values.count == attributes.count,
        (secret == nil) == (entry["secret"] == nil)
      else { throw KeychainError(status: errSecIO) }
      return KeychainItem(kind: kind, attributes: values, secret: secret)
    }
  }

  private func write(_ items: [KeychainItem], of group: String) throws(KeychainError) {
    let entries = items.map { item in
      var entry: [String: Any] = [
        "class": item.kind.rawValue, "attributes": item.attributes.mapValues(\.object),
      ]
      entry["secret"] = item.secret
      return entry
    }
    do {
      let (files, file) = (FileManager.default, file(group))
      try files.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let data = try PropertyListSerialization.data(
        fromPropertyList: entries, format: .binary, options: 0)
      let new = url.appending(path: UUID().uuidString)
      guard
        files.createFile(
          atPath: new.path(percentEncoded: false), contents: data,
          attributes: [.posixPermissions: 0o600])
      else { throw KeychainError(status: errSecIO) }
      defer { try? files.removeItem(at: new) }
      guard rename(new.path(percentEncoded: false), file.path(percentEncoded: false)) == 0
      else { throw KeychainError(status: errSecIO) }
    } catch { throw KeychainError(status: errSecIO) }
  }
}
