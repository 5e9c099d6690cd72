// URL, Date, UUID and other values. https://developer.apple.com/documentation/foundation/url
public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }

  public init?(string: String) { fatalError() }
  public init?(string: String, relativeTo url: URL?) { fatalError() }
  @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
  public init?(string: String, encodingInvalidCharacters: Bool) { fatalError() }
  public init(fileURLWithPath path: String) { fatalError() }
  public init(fileURLWithPath path: String, isDirectory: Bool) { fatalError() }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public init(filePath path: String, directoryHint: DirectoryHint = .inferFromPath, relativeTo base: URL? = nil) {
    fatalError()
  }

  public var description: String { fatalError() }
  public var absoluteString: String { fatalError() }
  public var absoluteURL: URL { fatalError() }
  public var scheme: String? { fatalError() }
  public var host: String? { fatalError() }
  public var port: Int? { fatalError() }
  public var path: String { fatalError() }
  public var query: String? { fatalError() }
  public var fragment: String? { fatalError() }
  public var isFileURL: Bool { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public var pathComponents: [String] { fatalError() }
  public var pathExtension: String { fatalError() }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func user(percentEncoded: Bool = true) -> String? { fatalError() }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func password(percentEncoded: Bool = true) -> String? { fatalError() }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func host(percentEncoded: Bool = true) -> String? { fatalError() }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
  public func appendingPathComponent(_ pathComponent: String) -> URL { fatalError() }
  public func appendingPathExtension(_ pathExtension: String) -> URL { fatalError() }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func appending<S: StringProtocol>(
    path: S, directoryHint: DirectoryHint = .inferFromPath
  ) -> URL { fatalError() }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func appending<S: StringProtocol>(
    component: S, directoryHint: DirectoryHint = .inferFromPath
  ) -> URL { fatalError() }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public mutating func append(queryItems: [URLQueryItem]) { fatalError() }
  public func deletingLastPathComponent() -> URL { fatalError() }
  public func deletingPathExtension() -> URL { fatalError() }
  public func resolvingSymlinksInPath() -> URL { fatalError() }
  public var standardizedFileURL: URL { fatalError() }
  public func startAccessingSecurityScopedResource() -> Bool { fatalError() }
  public func stopAccessingSecurityScopedResource() { fatalError() }
  public func checkResourceIsReachable() throws -> Bool { fatalError() }
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
    fatalError()
  }
  public mutating func setResourceValues(_ values: URLResourceValues) throws { fatalError() }
}

public struct URLResourceKey: Hashable, Sendable {
  public static let fileProtectionKey = URLResourceKey()
  public static let fileSizeKey = URLResourceKey()
}

public struct URLResourceValues {
  public init() { fatalError() }
  public var fileSize: Int? { fatalError() }
  public var isExcludedFromBackup: Bool?
  public var contentModificationDate: Date? { fatalError() }
}

public struct URLQueryItem: Hashable, Sendable {
  public var name: String
  public var value: String?
  public init(name: String, value: String?) { fatalError() }
}

public struct URLComponents: Hashable, Sendable {
  public init?(string: String) { fatalError() }
  public init?(url: URL, resolvingAgainstBaseURL resolve: Bool) { fatalError() }
  public var scheme: String?
  public var host: String?
  public var path: String
  public var queryItems: [URLQueryItem]?
  public var url: URL? { fatalError() }
}

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable {
  public init() { fatalError() }
  public init(timeIntervalSince1970: TimeInterval) { fatalError() }
  public init(timeIntervalSinceNow: TimeInterval) { fatalError() }
  public init(timeInterval: TimeInterval, since date: Date) { fatalError() }
  public var timeIntervalSince1970: TimeInterval { fatalError() }
  public var timeIntervalSinceNow: TimeInterval { fatalError() }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
  public func addingTimeInterval(_ timeInterval: TimeInterval) -> Date { fatalError() }
  public static var distantPast: Date { fatalError() }
  public static var distantFuture: Date { fatalError() }
  public static func < (lhs: Date, rhs: Date) -> Bool { fatalError() }
  public static func + (lhs: Date, rhs: TimeInterval) -> Date { fatalError() }
  public static func - (lhs: Date, rhs: TimeInterval) -> Date { fatalError() }
}

@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
extension Date {
  public struct ISO8601FormatStyle: Sendable {
    public init(includingFractionalSeconds: Bool = false) { fatalError() }
    public func parse(_ value: String) throws -> Date { fatalError() }
  }
  public func formatted(_ style: ISO8601FormatStyle) -> String { fatalError() }
}

public struct DateComponents: Hashable, Sendable { public init() { fatalError() } }
public struct PersonNameComponents: Hashable, Sendable { public init() { fatalError() } }
public struct Locale: Hashable, Sendable {
  public static var current: Locale { fatalError() }
  public static var preferredLanguages: [String] { fatalError() }
  public var identifier: String { fatalError() }
}
public struct TimeZone: Hashable, Sendable {
  public static var current: TimeZone { fatalError() }
  public var identifier: String { fatalError() }
}

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
  public init() { fatalError() }
  public init?(uuidString: String) { fatalError() }
  public var uuidString: String { fatalError() }
  public var description: String { fatalError() }
}
