public import Foundation

/// Apple's `CGAffineTransform`, a matrix that moves, scales and turns points.
///
/// Source: Apple, `CGAffineTransform`.
public struct CGAffineTransform: Hashable, Sendable {
  /// The factor of x for x.
  public var a: CGFloat
  /// The factor of x for y.
  public var b: CGFloat
  /// The factor of y for x.
  public var c: CGFloat
  /// The factor of y for y.
  public var d: CGFloat
  /// The distance by which x is moved.
  public var tx: CGFloat
  /// The distance by which y is moved.
  public var ty: CGFloat

  /// Creates the matrix that changes nothing.
  public init() { self.init(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// Creates a matrix.
  ///
  /// - Parameters:
  ///   - a: The factor of x for x.
  ///   - b: The factor of x for y.
  ///   - c: The factor of y for x.
  ///   - d: The factor of y for y.
  ///   - tx: The distance by which x is moved.
  ///   - ty: The distance by which y is moved.
  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// Creates a matrix that moves.
  ///
  /// - Parameters:
  ///   - x: The distance for x.
  ///   - y: The distance for y.
  public init(translationX x: CGFloat, y: CGFloat) {
    self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }

  /// Creates a matrix that scales.
  ///
  /// - Parameters:
  ///   - x: The factor for x.
  ///   - y: The factor for y.
  public init(scaleX x: CGFloat, y: CGFloat) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

  /// Creates a matrix that turns.
  ///
  /// - Parameter angle: The angle in radians.
  public init(rotationAngle angle: CGFloat) {
    let (sine, cosine) = (CGFloat(sin(Double(angle))), CGFloat(cos(Double(angle))))
    self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  /// The matrix that changes nothing.
  public static let identity = CGAffineTransform()
  /// Whether the matrix changes nothing.
  public var isIdentity: Bool { self == .identity }

  /// Returns the matrix that applies this one and then another one.
  ///
  /// - Parameter other: The other matrix.
  /// - Returns: The product.
  public func concatenating(_ other: CGAffineTransform) -> CGAffineTransform {
    CGAffineTransform(
      a: a * other.a + b * other.c, b: a * other.b + b * other.d,
      c: c * other.a + d * other.c, d: c * other.b + d * other.d,
      tx: tx * other.a + ty * other.c + other.tx, ty: tx * other.b + ty * other.d + other.ty)
  }

  /// Returns the matrix that first moves.
  ///
  /// - Parameters:
  ///   - x: The distance for x.
  ///   - y: The distance for y.
  /// - Returns: The matrix.
  public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
    CGAffineTransform(translationX: x, y: y).concatenating(self)
  }

  /// Returns the matrix that first scales.
  ///
  /// - Parameters:
  ///   - x: The factor for x.
  ///   - y: The factor for y.
  /// - Returns: The matrix.
  public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
    CGAffineTransform(scaleX: x, y: y).concatenating(self)
  }

  /// Returns the matrix that first turns.
  ///
  /// - Parameter angle: The angle in radians.
  /// - Returns: The matrix.
  public func rotated(by angle: CGFloat) -> CGAffineTransform {
    CGAffineTransform(rotationAngle: angle).concatenating(self)
  }

  /// The members in the order of cairo's matrix.
  var values: [Double] { [a, b, c, d, tx, ty].map(Double.init) }
}

extension CGPoint {
  /// Returns the point that a matrix makes of this one.
  ///
  /// - Parameter transform: The matrix.
  /// - Returns: The point.
  public func applying(_ transform: CGAffineTransform) -> CGPoint {
    CGPoint(
      x: transform.a * x + transform.c * y + transform.tx,
      y: transform.b * x + transform.d * y + transform.ty)
  }
}

extension CGSize {
  /// Returns the size that a matrix makes of this one.
  ///
  /// - Parameter transform: The matrix.
  /// - Returns: The size.
  public func applying(_ transform: CGAffineTransform) -> CGSize {
    CGSize(
      width: transform.a * width + transform.c * height,
      height: transform.b * width + transform.d * height)
  }
}
