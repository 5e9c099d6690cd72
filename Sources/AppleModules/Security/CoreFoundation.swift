public import Foundation

// The parts of Core Foundation in the functions of this module. On Linux they are Foundation's classes, so that casts
// such as `query as CFDictionary` and `kSecClass as String` compile as on Apple's systems. The names are those of
// UserNotifications, for files that import this module alone.

/// Core Foundation's reference to any object.
public typealias CFTypeRef = AnyObject
/// Core Foundation's dictionary.
public typealias CFDictionary = NSDictionary
/// Core Foundation's string.
public typealias CFString = NSString
/// Core Foundation's boolean.
public typealias CFBoolean = Bool

/// Core Foundation's `true`.
public let kCFBooleanTrue: CFBoolean? = true
/// Core Foundation's `false`.
public let kCFBooleanFalse: CFBoolean? = false
