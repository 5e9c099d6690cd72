public import Foundation
import Synchronization

/// The user defaults of an extension, which the extension's host keeps in the data container or in the app group.
///
/// Code that runs without a host has the defaults of the process. Setting `nil` removes a value; Foundation's
/// `set(_:forKey:)` does not return for `nil` on Linux.
public final class ExtensionDefaults: Foundation.UserDefaults {
  /// The registered values of each suite, as a property list.
  ///
  /// The lock protects the files of the suites too.
  private static let registered = Mutex<[URL: Data]>([:])
  private let suite: String?

  /// Creates the defaults of a suite, such as an app group.
  ///
  /// - Parameter suitename: The suite's name; `nil` for the extension's own defaults.
  public override init?(suiteName suitename: String?) {
    suite = suitename
    super.init(suiteName: suitename)
  }

  /// The property list of the suite; `nil` if the code runs without a host.
  private var file: URL? {
    guard let world = UNWorld.forFiles,
      let root = suite.flatMap({ world.appGroups[$0] }) ?? world.container
    else { return nil }
    return root.appending(path: "Library/Preferences/\(suite ?? "standard").plist")
  }

  private func read(_ data: Data?) -> [String: Any] {
    guard let data else { return [:] }
    let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    return list as? [String: Any] ?? [:]
  }

  private func list(_ values: [String: Any]) -> Data? {
    try? PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
  }

  private func change(_ file: URL, _ change: (inout [String: Any]) -> Void) {
    Self.registered.withLock { _ in
      var values = read(try? Data(contentsOf: file))
      change(&values)
      try? FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try? list(values)?.write(to: file, options: .atomic)
    }
  }

  private func values(in file: URL) -> [String: Any] {
    let (registered, stored) = Self.registered.withLock { ($0[file], try? Data(contentsOf: file)) }
    return read(registered).merging(read(stored)) { $1 }
  }

  /// The value of a key; `nil` if the key has no value.
  ///
  /// - Parameter defaultName: The key.
  /// - Returns: The value, or else the registered one.
  public override func object(forKey defaultName: String) -> Any? {
    guard let file else { return super.object(forKey: defaultName) }
    return values(in: file)[defaultName]
  }

  /// Sets the value of a key.
  ///
  /// - Parameters:
  ///   - value: A property list value; `nil` removes the value.
  ///   - defaultName: The key.
  public override func set(_ value: Any?, forKey defaultName: String) {
    guard let value else { return removeObject(forKey: defaultName) }
    guard let file else { return super.set(value, forKey: defaultName) }
    change(file) { $0[defaultName] = value }
  }

  /// Sets the value of a key to a URL.
  ///
  /// - Parameters:
  ///   - url: The URL; `nil` removes the value.
  ///   - defaultName: The key.
  public override func set(_ url: URL?, forKey defaultName: String) {
    guard let url else { return removeObject(forKey: defaultName) }
    super.set(url, forKey: defaultName)
  }

  /// Removes the value of a key.
  ///
  /// - Parameter defaultName: The key.
  public override func removeObject(forKey defaultName: String) {
    guard let file else { return super.removeObject(forKey: defaultName) }
    change(file) { $0[defaultName] = nil }
  }

  /// Registers values for keys that have none.
  ///
  /// - Parameter registrationDictionary: The values.
  public override func register(defaults registrationDictionary: [String: Any]) {
    guard let file else { return super.register(defaults: registrationDictionary) }
    Self.registered.withLock { registered in
      registered[file] = list(read(registered[file]).merging(registrationDictionary) { $1 })
    }
  }

  /// All values, with the registered ones.
  ///
  /// - Returns: The values by key.
  public override func dictionaryRepresentation() -> [String: Any] {
    guard let file else { return super.dictionaryRepresentation() }
    return values(in: file)
  }

  /// Does nothing, because values are stored at once.
  ///
  /// - Returns: Always `true`.
  @discardableResult public override func synchronize() -> Bool {
    file == nil ? super.synchronize() : true
  }
}

extension Foundation.UserDefaults {
  // `nonisolated(unsafe)`: the object has one constant, and Foundation's state is protected by a lock of its own.
  nonisolated(unsafe) private static let own = ExtensionDefaults()

  /// The extension's own defaults.
  ///
  /// Their type is a subclass, so that the compiler prefers this property to Foundation's.
  public class var standard: ExtensionDefaults { unsafe own }

  /// The value of a key, by key-value coding.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; `nil` if the key has no value.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// Sets the value of a key, by key-value coding.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` removes it.
  ///   - key: The key.
  public func setValue(_ value: Any?, forKey key: String) {
    value == nil ? removeObject(forKey: key) : set(value, forKey: key)
  }
}

/// Creates the defaults of a suite, in place of the initializer of Foundation's `UserDefaults`.
///
/// - Parameter suiteName: The suite's name, such as that of an app group; `nil` for the extension's own defaults.
/// - Returns: The defaults.
public func UserDefaults(suiteName: String?) -> ExtensionDefaults? {
  ExtensionDefaults(suiteName: suiteName)
}
