public import Foundation
package import _Cairo

/// Apple's `CGPath`, lines and curves that enclose an area.
///
/// Source: Apple, `CGPath`.
public class CGPath: NSObject {
  /// The parts.
  package fileprivate(set) var segments: [Segment]

  /// Creates a path of its parts.
  package init(segments: [Segment]) { self.segments = segments }

  /// Creates a rectangle.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - transform: A matrix for its points.
  public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    self.init(segments: Segment.rectangle(rect).applying(transform))
  }

  /// Creates an ellipse.
  ///
  /// - Parameters:
  ///   - rect: The rectangle that the ellipse touches.
  ///   - transform: A matrix for its points.
  public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    self.init(segments: Segment.ellipse(in: rect).applying(transform))
  }

  /// Creates a rectangle with round corners.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - cornerWidth: The width of a corner.
  ///   - cornerHeight: The height of a corner.
  ///   - transform: A matrix for its points.
  public convenience init(
    roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
    transform: UnsafePointer<CGAffineTransform>?
  ) {
    let corner = CGSize(width: cornerWidth, height: cornerHeight)
    self.init(segments: Segment.roundedRectangle(rect, corner: corner).applying(transform))
  }

  /// Whether the path has no parts.
  public var isEmpty: Bool { segments.isEmpty }
}

/// Apple's `CGMutablePath`, a path that grows.
///
/// Source: Apple, `CGMutablePath`.
public final class CGMutablePath: CGPath {
  /// The point at which the next part begins.
  public var currentPoint: CGPoint {
    func start(_ segment: Segment) -> CGPoint? {
      if case .move(let x, let y) = segment { CGPoint(x: x, y: y) } else { nil }
    }
    return switch segments.last {
    case .move(let x, let y), .line(let x, let y), .curve(_, _, _, _, let x, let y):
      CGPoint(x: x, y: y)
    case .close: segments.lazy.reversed().compactMap(start).first ?? .zero
    case nil: .zero
    }
  }

  /// Creates an empty path.
  public init() { super.init(segments: []) }

  /// Begins a part.
  ///
  /// - Parameter point: Where it begins.
  public func move(to point: CGPoint) {
    segments.append(.move(Double(point.x), Double(point.y)))
  }

  /// Adds a line.
  ///
  /// - Parameter point: Where it ends.
  public func addLine(to point: CGPoint) {
    segments.append(.line(Double(point.x), Double(point.y)))
  }

  /// Adds a cubic curve.
  ///
  /// - Parameters:
  ///   - end: Where it ends.
  ///   - control1: The first control point.
  ///   - control2: The second control point.
  public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    segments.append(.curve(control1, control2, to: end))
  }

  /// Adds a quadratic curve.
  ///
  /// - Parameters:
  ///   - end: Where it ends.
  ///   - control: The control point.
  public func addQuadCurve(to end: CGPoint, control: CGPoint) {
    func toward(_ point: CGPoint) -> CGPoint {
      CGPoint(
        x: point.x + 2 / 3 * (control.x - point.x), y: point.y + 2 / 3 * (control.y - point.y))
    }
    addCurve(to: end, control1: toward(currentPoint), control2: toward(end))
  }

  /// Adds an arc, and a line to its start if the path is not empty.
  ///
  /// - Parameters:
  ///   - center: The circle's center.
  ///   - radius: The circle's radius.
  ///   - startAngle: The angle of the start in radians.
  ///   - endAngle: The angle of the end in radians.
  ///   - clockwise: Whether the angle becomes smaller on the way.
  public func addArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
  ) {
    let arc = Arc(
      center: center, radius: radius, start: startAngle, end: endAngle, decreases: clockwise)
    isEmpty ? move(to: arc.point(at: startAngle)) : addLine(to: arc.point(at: startAngle))
    for curve in arc.curves {
      addCurve(to: curve.end, control1: curve.control1, control2: curve.control2)
    }
  }

  /// Adds a rectangle.
  ///
  /// - Parameter rect: The rectangle.
  public func addRect(_ rect: CGRect) { segments += Segment.rectangle(rect) }

  /// Adds an ellipse.
  ///
  /// - Parameter rect: The rectangle that the ellipse touches.
  public func addEllipse(in rect: CGRect) { segments += Segment.ellipse(in: rect) }

  /// Adds a rectangle with round corners.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - cornerWidth: The width of a corner.
  ///   - cornerHeight: The height of a corner.
  public func addRoundedRect(in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat) {
    segments += Segment.roundedRectangle(
      rect, corner: CGSize(width: cornerWidth, height: cornerHeight))
  }

  /// Adds another path.
  ///
  /// - Parameter path: The other path.
  public func addPath(_ path: CGPath) { segments += path.segments }

  /// Ends the part with a line to its start.
  public func closeSubpath() { segments.append(.close) }
}
