public import Foundation
@_spi(Host) import UserNotifications
import _Cairo

extension CGContext {
  /// Sets the color of fills.
  ///
  /// - Parameter color: The color.
  public func setFillColor(_ color: CGColor) { state.fill = color }

  /// Sets the color of fills.
  ///
  /// - Parameters:
  ///   - red: The red component, 0…1.
  ///   - green: The green component, 0…1.
  ///   - blue: The blue component, 0…1.
  ///   - alpha: The opacity, 0…1.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Sets the color of lines.
  ///
  /// - Parameter color: The color.
  public func setStrokeColor(_ color: CGColor) { state.stroke = color }

  /// Sets the color of lines.
  ///
  /// - Parameters:
  ///   - red: The red component, 0…1.
  ///   - green: The green component, 0…1.
  ///   - blue: The blue component, 0…1.
  ///   - alpha: The opacity, 0…1.
  public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.stroke = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Sets the width of lines.
  ///
  /// - Parameter width: The width.
  public func setLineWidth(_ width: CGFloat) { state.lineWidth = width }

  /// Fills a rectangle.
  ///
  /// - Parameter rect: The rectangle.
  public func fill(_ rect: CGRect) { fill(Segment.rectangle(rect)) }

  /// Fills rectangles.
  ///
  /// - Parameter rects: The rectangles.
  public func fill(_ rects: [CGRect]) { fill(rects.flatMap(Segment.rectangle)) }

  /// Fills an ellipse.
  ///
  /// - Parameter rect: The rectangle that the ellipse touches.
  public func fillEllipse(in rect: CGRect) { fill(Segment.ellipse(in: rect)) }

  /// Draws the edge of a rectangle.
  ///
  /// - Parameter rect: The rectangle.
  public func stroke(_ rect: CGRect) { stroke(Segment.rectangle(rect)) }

  /// Draws the edge of a rectangle.
  ///
  /// - Parameters:
  ///   - rect: The rectangle.
  ///   - width: The width of the line.
  public func stroke(_ rect: CGRect, width: CGFloat) {
    stroke(Segment.rectangle(rect), width: width)
  }

  /// Draws the edge of an ellipse.
  ///
  /// - Parameter rect: The rectangle that the ellipse touches.
  public func strokeEllipse(in rect: CGRect) { stroke(Segment.ellipse(in: rect)) }

  /// Makes a rectangle transparent.
  ///
  /// - Parameter rect: The rectangle.
  public func clear(_ rect: CGRect) { drawing?.clear(Segment.rectangle(rect)) }

  /// Limits what is drawn to a rectangle.
  ///
  /// - Parameter rect: The rectangle.
  public func clip(to rect: CGRect) { drawing?.clip(Segment.rectangle(rect)) }

  /// Draws a gradient along a line.
  ///
  /// - Parameters:
  ///   - gradient: The gradient.
  ///   - startPoint: Where the line begins.
  ///   - endPoint: Where the line ends.
  ///   - options: Whether both ends are filled, which they always are here.
  public func drawLinearGradient(
    _ gradient: CGGradient, start startPoint: CGPoint, end endPoint: CGPoint,
    options: CGGradientDrawingOptions
  ) {
    if !options.isSuperset(of: [.drawsBeforeStartLocation, .drawsAfterEndLocation]) {
      notModelled(
        "CGContext.drawLinearGradient(_:start:end:options:)",
        "both ends are filled; clip to the part between them")
    }
    drawing?.paint(
      .gradient(
        gradient.stops, from: (Double(startPoint.x), Double(startPoint.y)),
        to: (Double(endPoint.x), Double(endPoint.y))))
  }

  func fill(_ segments: [Segment], isEvenOdd: Bool = false) {
    drawing?.fill(
      segments, with: .color(state.fill.paint(opacity: state.alpha)), isEvenOdd: isEvenOdd)
  }

  func stroke(_ segments: [Segment], width: CGFloat? = nil) {
    drawing?.stroke(
      segments, with: .color(state.stroke.paint(opacity: state.alpha)),
      width: Double(width ?? state.lineWidth))
  }
}

extension CGContext {
  /// Forgets the path.
  public func beginPath() { current = CGMutablePath() }

  /// Begins a part of the path.
  ///
  /// - Parameter point: Where it begins.
  public func move(to point: CGPoint) { current.move(to: point) }

  /// Adds a line to the path.
  ///
  /// - Parameter point: Where it ends.
  public func addLine(to point: CGPoint) { current.addLine(to: point) }

  /// Adds a cubic curve to the path.
  ///
  /// - Parameters:
  ///   - end: Where it ends.
  ///   - control1: The first control point.
  ///   - control2: The second control point.
  public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    current.addCurve(to: end, control1: control1, control2: control2)
  }

  /// Adds an arc to the path.
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
    current.addArc(
      center: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
      clockwise: clockwise)
  }

  /// Adds a rectangle to the path.
  ///
  /// - Parameter rect: The rectangle.
  public func addRect(_ rect: CGRect) { current.addRect(rect) }

  /// Adds an ellipse to the path.
  ///
  /// - Parameter rect: The rectangle that the ellipse touches.
  public func addEllipse(in rect: CGRect) { current.addEllipse(in: rect) }

  /// Adds another path to the path.
  ///
  /// - Parameter path: The other path.
  public func addPath(_ path: CGPath) { current.addPath(path) }

  /// Ends the part of the path with a line to its start.
  public func closePath() { current.closeSubpath() }

  /// Fills the path, and forgets it.
  ///
  /// - Parameter rule: Which parts are inside.
  public func fillPath(using rule: CGPathFillRule = .winding) {
    fill(current.segments, isEvenOdd: rule == .evenOdd)
    beginPath()
  }

  /// Draws the path's edge, and forgets it.
  public func strokePath() {
    stroke(current.segments)
    beginPath()
  }

  /// Limits what is drawn to the path, and forgets it.
  ///
  /// - Parameter rule: Which parts are inside.
  public func clip(using rule: CGPathFillRule = .winding) {
    drawing?.clip(current.segments, isEvenOdd: rule == .evenOdd)
    beginPath()
  }
}
