// Files, bundles and user defaults. https://developer.apple.com/documentation/foundation/filemanager
public func NSTemporaryDirectory() -> String { fatalError() }
public func NSHomeDirectory() -> String { fatalError() }

public struct FileAttributeKey: Hashable, RawRepresentable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
  public static var type: FileAttributeKey { fatalError() }
  public static var size: FileAttributeKey { fatalError() }
  public static var modificationDate: FileAttributeKey { fatalError() }
  public static var protectionKey: FileAttributeKey { fatalError() }
  public static var posixPermissions: FileAttributeKey { fatalError() }
}

public struct FileAttributeType: Hashable, RawRepresentable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
  public static var typeRegular: FileAttributeType { fatalError() }
}

public struct FileProtectionType: Hashable, RawRepresentable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
  public static var none: FileProtectionType { fatalError() }
  public static var completeUntilFirstUserAuthentication: FileProtectionType { fatalError() }
}

open class FileManager: NSObject, @unchecked Sendable {
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
  }
  open class var `default`: FileManager { fatalError() }
  open var temporaryDirectory: URL { fatalError() }
  open func createDirectory(
    at url: URL, withIntermediateDirectories createIntermediates: Bool,
    attributes: [FileAttributeKey: Any]? = nil
  ) throws { fatalError() }
  open func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
  open func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?,
    options mask: DirectoryEnumerationOptions = []
  ) throws -> [URL] { fatalError() }
  open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { fatalError() }
  open func setAttributes(
    _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
  ) throws { fatalError() }
  open func fileExists(atPath path: String) -> Bool { fatalError() }
  open func fileExists(
    atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?
  ) -> Bool { fatalError() }
  open func isExecutableFile(atPath path: String) -> Bool { fatalError() }
  open func createFile(
    atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey: Any]? = nil
  ) -> Bool { fatalError() }
  open func moveItem(at srcURL: URL, to dstURL: URL) throws { fatalError() }
  open func copyItem(at srcURL: URL, to dstURL: URL) throws { fatalError() }
  open func linkItem(at srcURL: URL, to dstURL: URL) throws { fatalError() }
  open func removeItem(at URL: URL) throws { fatalError() }
  open func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    fatalError()
  }
}

open class FileHandle: NSObject, @unchecked Sendable {
  public init(fileDescriptor fd: Int32, closeOnDealloc closeopt: Bool) { fatalError() }
  public init(forReadingFrom url: URL) throws { fatalError() }
  public func read(upToCount count: Int) throws -> Data? { fatalError() }
  public func seek(toOffset offset: UInt64) throws { fatalError() }
  public func close() throws { fatalError() }
}

open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { fatalError() }
  open var bundleIdentifier: String? { fatalError() }
  open var bundleURL: URL { fatalError() }
  open var infoDictionary: [String: Any]? { fatalError() }
  open var preferredLocalizations: [String] { fatalError() }
  open func object(forInfoDictionaryKey key: String) -> Any? { fatalError() }
  open func url(forResource name: String?, withExtension ext: String?) -> URL? { fatalError() }
}
