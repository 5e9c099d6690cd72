public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `CGInterpolationQuality`, the quality of scaled images.
///
/// Source: Apple, `CGInterpolationQuality`.
public enum CGInterpolationQuality: Int32, Sendable {
  /// The quality that the context chooses.
  case `default` = 0
  /// Pixels are repeated.
  case none = 1
  /// A fast method.
  case low = 2
  /// The best method.
  case high = 3
  /// A method between the two.
  case medium = 4
}

/// Apple's `CGPathFillRule`, which parts of a path are inside.
///
/// Source: Apple, `CGPathFillRule`.
public enum CGPathFillRule: Int, Sendable {
  /// The parts around which the path turns.
  case winding = 0
  /// The parts from which a ray crosses the path an odd number of times.
  case evenOdd = 1
}

/// Apple's `CGBlendMode`, how a color is combined with that below.
///
/// Source: Apple, `CGBlendMode`.
public enum CGBlendMode: Int32, Sendable {
  /// The color covers that below.
  case normal = 0
  /// The components are multiplied.
  case multiply = 1
  /// The inverse components are multiplied.
  case screen = 2
  /// The one or the other, by the color below.
  case overlay = 3
}

/// Apple's `CGImageAlphaInfo`, the place of the opacity in a pixel.
///
/// Source: Apple, `CGImageAlphaInfo`.
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// No opacity.
  case none = 0
  /// The last component, by which the others are multiplied.
  case premultipliedLast = 1
  /// The first component, by which the others are multiplied.
  case premultipliedFirst = 2
  /// The last component.
  case last = 3
  /// The first component.
  case first = 4
  /// The last component is not used.
  case noneSkipLast = 5
  /// The first component is not used.
  case noneSkipFirst = 6
}

extension CGContext {
  /// Sets how colors are combined; all but `normal` is drawn as `normal`.
  ///
  /// - Parameter mode: The mode.
  public func setBlendMode(_ mode: CGBlendMode) {
    guard mode != .normal else { return }
    notModelled("CGContext.setBlendMode(_:)", "the mode is normal, not \(mode)")
  }

  /// Sets the shadow of what is drawn, which is not drawn.
  ///
  /// - Parameters:
  ///   - offset: The shadow's distance.
  ///   - blur: The width of its edge.
  public func setShadow(offset: CGSize, blur: CGFloat) {
    notModelled("CGContext.setShadow(offset:blur:)", "no shadow is drawn")
  }

  /// Sets the shadow of what is drawn, which is not drawn.
  ///
  /// - Parameters:
  ///   - offset: The shadow's distance.
  ///   - blur: The width of its edge.
  ///   - color: The shadow's color.
  public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {
    setShadow(offset: offset, blur: blur)
  }

  /// Sets whether edges are smooth, which they always are.
  ///
  /// - Parameter shouldAntialias: Whether they should be.
  public func setShouldAntialias(_ shouldAntialias: Bool) {
    guard !shouldAntialias else { return }
    notModelled("CGContext.setShouldAntialias(_:)", "edges are always smooth")
  }
}
