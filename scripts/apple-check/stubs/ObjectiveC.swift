// The declarations of Apple's ObjectiveC that Martlet uses.
// https://developer.apple.com/documentation/objectivec
open class NSObject: Equatable, Hashable, CustomStringConvertible {
  public init() {}
  open var description: String { fatalError() }
  open var hash: Int { fatalError() }
  open func isEqual(_ object: Any?) -> Bool { fatalError() }
  open func copy() -> Any { fatalError() }
  open func mutableCopy() -> Any { fatalError() }
  public static func == (lhs: NSObject, rhs: NSObject) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
}

public struct NSZone {}

public struct Selector: Hashable, Sendable {
  public init(_ str: String) { fatalError() }
}

public struct ObjCBool: ExpressibleByBooleanLiteral {
  public init(_ value: Bool) { fatalError() }
  public init(booleanLiteral value: Bool) { fatalError() }
  public var boolValue: Bool { fatalError() }
}

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
