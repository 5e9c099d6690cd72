public import Foundation

// The parts of Core Foundation that Foundation exports on Apple's systems. On Linux they are Foundation's classes, so
// that casts such as `data as CFData` and `kSecClass as String` compile.

/// Core Foundation's reference to any object.
public typealias CFTypeRef = AnyObject
/// Core Foundation's string.
public typealias CFString = NSString
/// Core Foundation's bytes.
public typealias CFData = NSData
/// Core Foundation's bytes that change.
public typealias CFMutableData = NSMutableData
/// Core Foundation's dictionary.
public typealias CFDictionary = NSDictionary
/// Core Foundation's array.
public typealias CFArray = NSArray
/// Core Foundation's URL.
public typealias CFURL = NSURL
/// Core Foundation's number.
public typealias CFNumber = NSNumber
/// Core Foundation's date.
public typealias CFDate = NSDate
/// Core Foundation's time, in seconds since 2001.
public typealias CFTimeInterval = Double
/// Core Foundation's point in time, in seconds since 2001.
public typealias CFAbsoluteTime = Double

/// Returns the time.
///
/// - Returns: The seconds since 2001.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Apple's `CFNotificationName`, the name of a notification.
///
/// Source: Apple, `CFNotificationName`.
public struct CFNotificationName: Hashable, Sendable {
  /// The text.
  public let rawValue: String

  /// Creates a name.
  ///
  /// - Parameter rawValue: The text.
  public init(_ rawValue: CFString) { self.rawValue = rawValue as String }

  /// Creates a name.
  ///
  /// - Parameter rawValue: The text.
  public init(rawValue: CFString) { self.init(rawValue) }
}

/// Apple's `CFNotificationCenter`, which on a phone notifies other processes.
///
/// Source: Apple, `CFNotificationCenterGetDarwinNotifyCenter`.
public final class CFNotificationCenter: NSObject, Sendable {
  fileprivate static let darwin = CFNotificationCenter()
}

/// Returns the center of all processes.
///
/// - Returns: The center.
public func CFNotificationCenterGetDarwinNotifyCenter() -> CFNotificationCenter! {
  CFNotificationCenter.darwin
}

// This is a closure, because Apple's function has five parameters without a label.

/// Apple's `CFNotificationCenterPostNotification`, which here notifies nobody, and the trace of the run says so.
///
/// The arguments are the center, the name, the object, the values, and whether observers are called at once.
public var CFNotificationCenterPostNotification:
  @Sendable (
    CFNotificationCenter?, CFNotificationName, UnsafeRawPointer?, CFDictionary?, Bool
  ) -> Void
{
  { _, name, _, _, _ in
    notModelled(
      "CFNotificationCenterPostNotification",
      "\(name.rawValue) reaches no process; test the app's reaction to it on a phone")
  }
}
