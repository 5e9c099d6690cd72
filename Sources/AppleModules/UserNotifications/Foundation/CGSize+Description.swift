public import Foundation

// Foundation has these on Apple's systems only.

extension CGSize: @retroactive CustomDebugStringConvertible {
  /// The size as a tuple.
  public var debugDescription: String { "(\(width), \(height))" }
}

extension CGPoint: @retroactive CustomDebugStringConvertible {
  /// The point as a tuple.
  public var debugDescription: String { "(\(x), \(y))" }
}

extension CGRect: @retroactive CustomDebugStringConvertible {
  /// The origin and the size as tuples.
  public var debugDescription: String {
    "(\(origin.x), \(origin.y), \(size.width), \(size.height))"
  }
}
