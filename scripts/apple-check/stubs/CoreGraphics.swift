// The declarations of Apple's CoreGraphics that Martlet uses.
// https://developer.apple.com/documentation/coregraphics/cgimage
public final class CGImage {
  private init() {}
  public var alphaInfo: CGImageAlphaInfo { fatalError() }
}

public enum CGImageAlphaInfo: UInt32, Sendable {
  case none, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst
  case alphaOnly
}

// CoreFoundation's geometry, which CoreGraphics exports. `CGFloat` is `Double` here, since the compiler converts one to the other.
// https://developer.apple.com/documentation/corefoundation/cgfloat
public typealias CGFloat = Double
public func cos(_ x: CGFloat) -> CGFloat { fatalError() }
public func sin(_ x: CGFloat) -> CGFloat { fatalError() }

public struct CGPoint: Hashable, Sendable {
  public static let zero = CGPoint(x: 0, y: 0)
  public init(x: CGFloat, y: CGFloat) { fatalError() }
  public var x: CGFloat
  public var y: CGFloat
}

public struct CGSize: Hashable, Sendable {
  public static let zero = CGSize(width: 0, height: 0)
  public init(width: CGFloat, height: CGFloat) { fatalError() }
  public var width: CGFloat
  public var height: CGFloat
}

public struct CGRect: Hashable, Sendable {
  public static let zero = CGRect(x: 0, y: 0, width: 0, height: 0)
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) { fatalError() }
  public var width: CGFloat { fatalError() }
  public var height: CGFloat { fatalError() }
}

public final class CGColor { private init() {} }
