// The declarations of Apple's CoreFoundation that Martlet uses. Where Apple bridges a class to a Swift type, the stub uses
// the Swift type, so that `as` is accepted. https://developer.apple.com/documentation/corefoundation
public typealias CFString = String
public typealias CFData = Data
public typealias CFURL = URL
public typealias CFDictionary = [AnyHashable: Any]
public typealias CFTypeID = UInt

public func CFGetTypeID(_ cf: AnyObject?) -> CFTypeID { fatalError() }
public func CFBooleanGetTypeID() -> CFTypeID { fatalError() }
public func CFNumberIsFloatType(_ number: NSNumber) -> Bool { fatalError() }
