// The declarations of Apple's Dispatch that Martlet uses.
// https://developer.apple.com/documentation/dispatch
public struct DispatchQoS: Sendable {
  public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive }
}

public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { fatalError() }
}
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }

public struct DispatchTimeInterval: Sendable {
  public static func nanoseconds(_ count: Int) -> DispatchTimeInterval { fatalError() }
  public static var never: DispatchTimeInterval { fatalError() }
}

open class DispatchQueue: @unchecked Sendable {
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  public class var main: DispatchQueue { fatalError() }
  public init(label: String) { fatalError() }
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) { fatalError() }
  public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
}

public protocol DispatchSourceProtocol: AnyObject {
  func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?)
  func activate()
  func cancel()
}
public protocol DispatchSourceTimer: DispatchSourceProtocol {
  func schedule(deadline: DispatchTime, repeating interval: DispatchTimeInterval, leeway: DispatchTimeInterval)
}
extension DispatchSourceTimer {
  public func schedule(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) { fatalError() }
}
public final class DispatchSource {
  public class func makeTimerSource(queue: DispatchQueue? = nil) -> any DispatchSourceTimer {
    fatalError()
  }
}
