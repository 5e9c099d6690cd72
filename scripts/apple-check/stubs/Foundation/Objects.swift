// Objects that have no Swift value, and the coders. https://developer.apple.com/documentation/foundation
@_exported public import Dispatch
@_exported public import ObjectiveC

public protocol NSCopying { func copy(with zone: NSZone?) -> Any }
public protocol NSMutableCopying { func mutableCopy(with zone: NSZone?) -> Any }
public protocol NSCoding {
  func encode(with coder: NSCoder)
  init?(coder: NSCoder)
}
public protocol NSSecureCoding: NSCoding { static var supportsSecureCoding: Bool { get } }
public protocol NSObjectProtocol: AnyObject {}
extension NSObject: NSObjectProtocol {}
open class NSCoder: NSObject {}

open class NSNumber: NSObject, @unchecked Sendable {
  public init(value: Int) { fatalError() }
  public init(value: Int64) { fatalError() }
  public init(value: Bool) { fatalError() }
  public init(value: Double) { fatalError() }
  public var boolValue: Bool { fatalError() }
  public var intValue: Int { fatalError() }
  public var int64Value: Int64 { fatalError() }
  public var doubleValue: Double { fatalError() }
}

open class NSNull: NSObject, @unchecked Sendable { public override init() { fatalError() } }
open class NSString: NSObject, @unchecked Sendable {}
open class NSData: NSObject, @unchecked Sendable {}
open class NSURL: NSObject, @unchecked Sendable {}
open class NSDictionary: NSObject, @unchecked Sendable {}
public let NSUnderlyingErrorKey = ""
open class NSError: NSObject, Error, @unchecked Sendable {
  public init(domain: String, code: Int, userInfo dict: [String: Any]? = nil) { fatalError() }
  public var domain: String { fatalError() }
  public var userInfo: [String: Any] { fatalError() }
  public var code: Int { fatalError() }
}

// The compiler calls these two for `as`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }

open class Thread: NSObject, @unchecked Sendable {
  open class var isMainThread: Bool { fatalError() }
}

open class NSLock: NSObject, @unchecked Sendable {
  public override init() { fatalError() }
  open func lock() { fatalError() }
  open func unlock() { fatalError() }
  open func `try`() -> Bool { fatalError() }
  public func withLock<R>(_ body: () throws -> R) rethrows -> R { fatalError() }
}

public protocol LocalizedError: Error { var errorDescription: String? { get } }
extension LocalizedError { public var errorDescription: String? { nil } }
public protocol CustomNSError: Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
  var errorUserInfo: [String: Any] { get }
}
extension Error { public var localizedDescription: String { fatalError() } }

public struct POSIXErrorCode: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int32
  public init?(rawValue: Int32) { fatalError() }
  public static var EIO: POSIXErrorCode { fatalError() }
  public static var ENOENT: POSIXErrorCode { fatalError() }
}
public struct POSIXError: Error {
  public init(_ code: POSIXErrorCode, userInfo: [String: Any] = [:]) { fatalError() }
  public var code: POSIXErrorCode { fatalError() }
}

public struct OperatingSystemVersion: Sendable {
  public var majorVersion: Int
  public var minorVersion: Int
  public var patchVersion: Int
}

open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { fatalError() }
  open var operatingSystemVersion: OperatingSystemVersion { fatalError() }
}

open class JSONSerialization: NSObject {
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
  }
  open class func isValidJSONObject(_ obj: Any) -> Bool { fatalError() }
  open class func data(
    withJSONObject obj: Any, options opt: WritingOptions = []
  ) throws -> Data { fatalError() }
}

open class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static var sortedKeys: OutputFormatting { fatalError() }
    public static var withoutEscapingSlashes: OutputFormatting { fatalError() }
  }
  public init() { fatalError() }
  open var outputFormatting: OutputFormatting
  open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}

open class JSONDecoder {
  public init() { fatalError() }
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

// Apple's documentation says that it is thread-safe. https://developer.apple.com/documentation/foundation/userdefaults
open class UserDefaults: NSObject, @unchecked Sendable {
  open class var standard: UserDefaults { fatalError() }
  open func bool(forKey defaultName: String) -> Bool { fatalError() }
  open func set(_ value: Bool, forKey defaultName: String) { fatalError() }
}
