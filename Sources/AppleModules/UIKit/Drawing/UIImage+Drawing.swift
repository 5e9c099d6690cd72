public import CoreGraphics
public import Foundation
@_spi(Host) import UserNotifications

extension UIImage {
  /// Apple's `UIImage.Orientation`, how an image is turned.
  ///
  /// Source: Apple, `UIImage.Orientation`.
  public enum Orientation: Int, Sendable {
    /// As it is.
    case up = 0
    /// Upside down.
    case down = 1
    /// By a quarter to the left.
    case left = 2
    /// By a quarter to the right.
    case right = 3
    /// As in a mirror.
    case upMirrored = 4
    /// Upside down, as in a mirror.
    case downMirrored = 5
    /// By a quarter to the left, as in a mirror.
    case leftMirrored = 6
    /// By a quarter to the right, as in a mirror.
    case rightMirrored = 7
  }

  /// Creates an image with one pixel per point.
  ///
  /// - Parameter cgImage: The pixels.
  public convenience init(cgImage: CGImage) {
    self.init(cgImage: cgImage, scale: 1, orientation: .up)
  }

  /// Creates an image.
  ///
  /// - Parameters:
  ///   - cgImage: The pixels.
  ///   - scale: The number of pixels of a point.
  ///   - orientation: The orientation; all but `up` is taken as `up`, which the trace of the run says.
  public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    if orientation != .up {
      notModelled("UIImage(cgImage:scale:orientation:)", "the image is not turned")
    }
    self.init(
      file: cgImage.file, width: cgImage.width, height: cgImage.height, scale: scale)
  }

  /// Creates an image of a symbol, which is always `nil`.
  ///
  /// - Parameter name: The symbol's name.
  public convenience init?(systemName name: String) {
    notModelled("UIImage(systemName:)", "it is nil, because SF Symbols are Apple's")
    return nil
  }

  /// Creates an image that nothing was drawn in.
  convenience init(undrawn pixels: (width: Int, height: Int), scale: CGFloat) {
    self.init(file: Data(), width: pixels.width, height: pixels.height, scale: scale)
  }

  /// The orientation, which is always `up`: the one that a JPEG names is not read.
  public var imageOrientation: Orientation {
    if header.format == .jpeg {
      notModelled("UIImage.imageOrientation", "it is up, because that of a JPEG is not read")
    }
    return .up
  }

  /// The pixels.
  public var cgImage: CGImage? {
    CGImage(
      file: drawable, width: Int((size.width * scale).rounded()),
      height: Int((size.height * scale).rounded()))
  }

  /// Draws the image in UIKit's current context.
  ///
  /// - Parameter rect: The rectangle that the image fills.
  public func draw(in rect: CGRect) { draw(in: rect, blendMode: .normal, alpha: 1) }

  /// Draws the image in UIKit's current context in its own size.
  ///
  /// - Parameter point: Its top left corner.
  public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

  /// Draws the image in UIKit's current context.
  ///
  /// - Parameters:
  ///   - rect: The rectangle that the image fills.
  ///   - blendMode: How it is combined with what is below; all but `normal` is drawn as `normal`.
  ///   - alpha: The opacity, 0…1.
  public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
    guard let context = UIGraphicsGetCurrentContext() else { return }
    if blendMode != .normal { context.setBlendMode(blendMode) }
    context.draw(file: drawable, of: pixels, in: rect, alpha: alpha)
  }

  /// Returns the image in another size.
  ///
  /// - Parameter size: The size in points.
  /// - Returns: The image; `nil` if it cannot be drawn.
  public func preparingThumbnail(of size: CGSize) -> UIImage? {
    UIGraphicsBeginImageContextWithOptions(size, false, scale)
    defer { UIGraphicsEndImageContext() }
    draw(in: CGRect(origin: .zero, size: size))
    return UIGraphicsGetImageFromCurrentImageContext()
  }

  private var pixels: (width: Int, height: Int) {
    (Int((size.width * scale).rounded()), Int((size.height * scale).rounded()))
  }

  /// The file as a PNG, which is what is drawn.
  private var drawable: Data { pngData() ?? Data() }
}
