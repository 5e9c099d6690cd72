// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `SCNetworkReachability`, whether a host can be reached; this model always says that it can.
///
/// Source: Apple, `SCNetworkReachability`.
public final class SCNetworkReachability: NSObject, Sendable {}

/// Apple's `SCNetworkReachabilityFlags`, how a host can be reached.
///
/// Source: Apple, `SCNetworkReachabilityFlags`.
public struct SCNetworkReachabilityFlags: OptionSet, Sendable {
  /// Apple's number.
  public let rawValue: UInt32

  /// Creates flags of Apple's number.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Over a transient connection, such as PPP.
  public static let transientConnection = SCNetworkReachabilityFlags(rawValue: 1 << 0)
  /// The host can be reached.
  public static let reachable = SCNetworkReachabilityFlags(rawValue: 1 << 1)
  /// A connection must be made first.
  public static let connectionRequired = SCNetworkReachabilityFlags(rawValue: 1 << 2)
  /// A connection is made for traffic.
  public static let connectionOnTraffic = SCNetworkReachabilityFlags(rawValue: 1 << 3)
  /// The user must do something first.
  public static let interventionRequired = SCNetworkReachabilityFlags(rawValue: 1 << 4)
  /// A connection is made on demand.
  public static let connectionOnDemand = SCNetworkReachabilityFlags(rawValue: 1 << 5)
  /// The address is one of the phone.
  public static let isLocalAddress = SCNetworkReachabilityFlags(rawValue: 1 << 16)
  /// The host is in the same network.
  public static let isDirect = SCNetworkReachabilityFlags(rawValue: 1 << 17)
  /// Over a mobile network.
  public static let isWWAN = SCNetworkReachabilityFlags(rawValue: 1 << 18)
}

/// Creates the reachability of a host.
///
/// - Parameters:
///   - allocator: Unused.
///   - nodename: The host's name.
/// - Returns: The reachability.
public func SCNetworkReachabilityCreateWithName(
  _ allocator: AnyObject?, _ nodename: UnsafePointer<CChar>
) -> SCNetworkReachability? { SCNetworkReachability() }

/// Creates the reachability of an address.
///
/// - Parameters:
///   - allocator: Unused.
///   - address: The address.
/// - Returns: The reachability.
public func SCNetworkReachabilityCreateWithAddress(
  _ allocator: AnyObject?, _ address: UnsafePointer<sockaddr>
) -> SCNetworkReachability? { SCNetworkReachability() }

/// Reads the flags, which are always ``SCNetworkReachabilityFlags/reachable``, and the trace of the run says so.
///
/// - Parameters:
///   - target: The reachability.
///   - flags: The variable for the flags.
/// - Returns: Always `true`.
@discardableResult public func SCNetworkReachabilityGetFlags(
  _ target: SCNetworkReachability, _ flags: UnsafeMutablePointer<SCNetworkReachabilityFlags>
) -> Bool {
  notModelled(
    "SCNetworkReachabilityGetFlags", "every host is reachable; a request meets the phone's network")
  unsafe flags.pointee = .reachable
  return true
}
