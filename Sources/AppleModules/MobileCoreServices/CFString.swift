public import Foundation

/// Core Foundation's string, which on Linux is `NSString`.
///
/// Casts such as `kUTTypePNG as String` and `fileExtension as CFString` compile as on Apple's systems.
public typealias CFString = NSString

/// Core Foundation's boolean, which on Linux is `Bool`.
public typealias CFBoolean = Bool
