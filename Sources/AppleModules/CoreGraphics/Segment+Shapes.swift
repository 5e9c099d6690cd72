import Foundation
import _Cairo

extension Segment {
  static func curve(_ control1: CGPoint, _ control2: CGPoint, to end: CGPoint) -> Segment {
    .curve(
      Double(control1.x), Double(control1.y), Double(control2.x), Double(control2.y),
      Double(end.x), Double(end.y))
  }

  static func rectangle(_ rect: CGRect) -> [Segment] {
    let (x, y) = (Double(rect.minX), Double(rect.minY))
    let (right, bottom) = (Double(rect.maxX), Double(rect.maxY))
    return [.move(x, y), .line(right, y), .line(right, bottom), .line(x, bottom), .close]
  }

  static func ellipse(in rect: CGRect) -> [Segment] {
    roundedRectangle(rect, corner: CGSize(width: rect.width / 2, height: rect.height / 2))
  }

  /// A rectangle whose corners are quarters of an ellipse, each one cubic curve.
  static func roundedRectangle(_ rect: CGRect, corner: CGSize) -> [Segment] {
    let width = Double(min(max(corner.width, 0), rect.width / 2))
    let height = Double(min(max(corner.height, 0), rect.height / 2))
    // The part of a radius at which a curve's control point stands.
    let ratio = 4 / 3 * (2.0.squareRoot() - 1)
    let (dx, dy) = (width * (1 - ratio), height * (1 - ratio))
    let (x, y) = (Double(rect.minX), Double(rect.minY))
    let (right, bottom) = (Double(rect.maxX), Double(rect.maxY))
    return [
      .move(x + width, y), .line(right - width, y),
      .curve(right - dx, y, right, y + dy, right, y + height), .line(right, bottom - height),
      .curve(right, bottom - dy, right - dx, bottom, right - width, bottom),
      .line(x + width, bottom),
      .curve(x + dx, bottom, x, bottom - dy, x, bottom - height), .line(x, y + height),
      .curve(x, y + dy, x + dx, y, x + width, y), .close,
    ]
  }
}

extension [Segment] {
  func applying(_ transform: UnsafePointer<CGAffineTransform>?) -> [Segment] {
    guard let transform = unsafe transform else { return self }
    let matrix = unsafe transform.pointee
    func moved(_ x: Double, _ y: Double) -> (Double, Double) {
      let point = CGPoint(x: x, y: y).applying(matrix)
      return (Double(point.x), Double(point.y))
    }
    return map { segment in
      switch segment {
      case .move(let x, let y):
        let point = moved(x, y)
        return .move(point.0, point.1)
      case .line(let x, let y):
        let point = moved(x, y)
        return .line(point.0, point.1)
      case .curve(let x1, let y1, let x2, let y2, let x, let y):
        let (first, second, end) = (moved(x1, y1), moved(x2, y2), moved(x, y))
        return .curve(first.0, first.1, second.0, second.1, end.0, end.1)
      case .close: return .close
      }
    }
  }
}

/// A part of a circle, as cubic curves of at most a quarter each.
struct Arc {
  let center: CGPoint
  let radius: CGFloat
  let start: CGFloat
  let end: CGFloat
  /// Whether the angle becomes smaller from start to end.
  let decreases: Bool

  func point(at angle: CGFloat) -> CGPoint {
    CGPoint(
      x: center.x + radius * CGFloat(cos(Double(angle))),
      y: center.y + radius * CGFloat(sin(Double(angle))))
  }

  /// The angle from start to end, at most a whole turn; a larger one is drawn as the whole circle.
  private var sweep: CGFloat {
    let turn = 2 * CGFloat.pi
    let difference = decreases ? start - end : end - start
    guard difference.isFinite else { return 0 }
    if difference >= turn { return decreases ? -turn : turn }
    let rest = difference.truncatingRemainder(dividingBy: turn)
    let positive = rest < 0 ? rest + turn : rest
    return decreases ? -positive : positive
  }

  var curves: [(control1: CGPoint, control2: CGPoint, end: CGPoint)] {
    let sweep = sweep
    let count = max(1, Int((abs(sweep) / (.pi / 2)).rounded(.up)))
    let step = sweep / CGFloat(count)
    let length = radius * 4 / 3 * CGFloat(tan(Double(step) / 4))
    return (0..<count).map { index in
      let (from, to) = (start + step * CGFloat(index), start + step * CGFloat(index + 1))
      func control(_ angle: CGFloat, _ length: CGFloat) -> CGPoint {
        let point = point(at: angle)
        return CGPoint(
          x: point.x - length * CGFloat(sin(Double(angle))),
          y: point.y + length * CGFloat(cos(Double(angle))))
      }
      return (control(from, length), control(to, -length), point(at: to))
    }
  }
}
