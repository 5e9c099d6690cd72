// The declarations of Apple's Foundation, which includes CoreFoundation, that Foundation on Linux lacks. Where Apple
// bridges a class to a Swift type, the stub uses the Swift type, so that `as` is accepted.
// https://developer.apple.com/documentation/foundation, …/corefoundation
public import Foundation
public import FoundationNetworking

public typealias CFString = String
public typealias CFURL = URL
public typealias CFDictionary = [AnyHashable: Any]
public typealias CFTypeID = UInt

public func CFGetTypeID(_ cf: AnyObject?) -> CFTypeID { fatalError() }
public func CFBooleanGetTypeID() -> CFTypeID { fatalError() }
public func CFNumberIsFloatType(_ number: NSNumber) -> Bool { fatalError() }

extension FileManager {
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    fatalError()
  }
}

public let NSURLAuthenticationMethodServerTrust = ""

extension URLError {
  public enum NetworkUnavailableReason: Int, Sendable { case cellular, expensive, constrained }
  public var networkUnavailableReason: NetworkUnavailableReason? { fatalError() }
}

extension URLRequest {
  public var allowsConstrainedNetworkAccess: Bool {
    get { fatalError() }
    set { fatalError() }
  }
}
