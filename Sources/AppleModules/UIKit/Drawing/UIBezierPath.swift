public import CoreGraphics
public import Foundation

/// Apple's `UIBezierPath`, a path that is drawn in UIKit's current context.
///
/// Source: Apple, `UIBezierPath`.
public final class UIBezierPath: NSObject {
  private let path: CGMutablePath
  /// The width of its line.
  public var lineWidth: CGFloat = 1
  /// Whether a part is inside from which a ray crosses the path an odd number of times.
  public var usesEvenOddFillRule = false

  /// Creates an empty path.
  public override init() { path = CGMutablePath() }

  /// Creates a path.
  ///
  /// - Parameter cgPath: The path to copy.
  public init(cgPath: CGPath) {
    path = CGMutablePath()
    path.addPath(cgPath)
  }

  /// Creates a rectangle.
  ///
  /// - Parameter rect: The rectangle.
  public convenience init(rect: CGRect) { self.init(cgPath: CGPath(rect: rect, transform: nil)) }

  /// Creates an ellipse.
  ///
  /// - Parameter rect: The rectangle that the ellipse touches.
  public convenience init(ovalIn rect: CGRect) {
    self.init(cgPath: CGPath(ellipseIn: rect, transform: nil))
  }

  /// Creates a rectangle with round corners.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - cornerRadius: The radius of the corners.
  public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    self.init(
      cgPath: CGPath(
        roundedRect: rect, cornerWidth: cornerRadius, cornerHeight: cornerRadius, transform: nil))
  }

  /// Creates an arc.
  ///
  /// - Parameters:
  ///   - center: The circle's center.
  ///   - radius: The circle's radius.
  ///   - startAngle: The angle of the start in radians.
  ///   - endAngle: The angle of the end in radians.
  ///   - clockwise: Whether the way is clockwise on the screen.
  public convenience init(
    arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat,
    clockwise: Bool
  ) {
    self.init()
    // On a screen y grows downwards, so that clockwise is the way of growing angles.
    path.addArc(
      center: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
      clockwise: !clockwise)
  }

  /// The path.
  public var cgPath: CGPath { path }
  /// Whether the path has no parts.
  public var isEmpty: Bool { path.isEmpty }

  /// Begins a part.
  ///
  /// - Parameter point: Where it begins.
  public func move(to point: CGPoint) { path.move(to: point) }

  /// Adds a line.
  ///
  /// - Parameter point: Where it ends.
  public func addLine(to point: CGPoint) { path.addLine(to: point) }

  /// Adds a cubic curve.
  ///
  /// - Parameters:
  ///   - endPoint: Where it ends.
  ///   - controlPoint1: The first control point.
  ///   - controlPoint2: The second control point.
  public func addCurve(
    to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint
  ) {
    path.addCurve(to: endPoint, control1: controlPoint1, control2: controlPoint2)
  }

  /// Adds another path.
  ///
  /// - Parameter other: The other path.
  public func append(_ other: UIBezierPath) { path.addPath(other.path) }

  /// Ends the part with a line to its start.
  public func close() { path.closeSubpath() }

  /// Fills the path.
  public func fill() {
    draw { $0.fillPath(using: usesEvenOddFillRule ? .evenOdd : .winding) }
  }

  /// Draws the path's edge.
  public func stroke() {
    draw {
      $0.setLineWidth(lineWidth)
      $0.strokePath()
    }
  }

  /// Limits what is drawn to the path.
  public func addClip() {
    draw { $0.clip(using: usesEvenOddFillRule ? .evenOdd : .winding) }
  }

  private func draw(_ body: (CGContext) -> Void) {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    context.beginPath()
    context.addPath(path)
    body(context)
  }
}
