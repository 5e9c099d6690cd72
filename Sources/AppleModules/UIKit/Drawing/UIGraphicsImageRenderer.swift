public import CoreGraphics
public import Foundation

/// Apple's `UIGraphicsImageRendererFormat`, the scale of an image and whether it has transparent parts.
///
/// Source: Apple, `UIGraphicsImageRendererFormat`.
public class UIGraphicsImageRendererFormat: NSObject {
  /// The number of pixels of a point on the screen of this model, that of most iPhones.
  public static let screenScale: CGFloat = 3

  /// The number of pixels of a point.
  public var scale = UIGraphicsImageRendererFormat.screenScale
  /// Whether the image has no transparent parts.
  public var opaque = false

  /// Creates a format for the screen.
  public override init() {}

  /// Returns a format for the screen.
  ///
  /// - Returns: The format.
  public class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }

  /// Returns a format for the screen.
  ///
  /// - Returns: The format.
  public class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

/// Apple's `UIGraphicsImageRendererContext`, the context of an image that is drawn.
///
/// Source: Apple, `UIGraphicsImageRendererContext`.
public final class UIGraphicsImageRendererContext: NSObject {
  /// The context.
  public let cgContext: CGContext
  /// The format of the image.
  public let format: UIGraphicsImageRendererFormat
  /// The pixels of a point; the screen's where the format has 0.
  private let scale: CGFloat

  init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat, scale: CGFloat) {
    (cgContext, self.format, self.scale) = (context, format, scale)
  }

  /// Fills a rectangle with the current color.
  ///
  /// - Parameter rect: The rectangle.
  public func fill(_ rect: CGRect) { cgContext.fill(rect) }

  /// Draws the edge of a rectangle with the current color.
  ///
  /// - Parameter rect: The rectangle.
  public func stroke(_ rect: CGRect) { cgContext.stroke(rect) }

  /// Limits what is drawn to a rectangle.
  ///
  /// - Parameter rect: The rectangle.
  public func clip(to rect: CGRect) { cgContext.clip(to: rect) }

  /// The image that was drawn so far.
  public var currentImage: UIImage {
    guard let image = cgContext.makeImage() else {
      return UIImage(undrawn: (cgContext.width, cgContext.height), scale: scale)
    }
    return UIImage(cgImage: image, scale: scale, orientation: .up)
  }
}

/// Apple's `UIGraphicsImageRenderer`, which draws images with cairo.
///
/// What is drawn is listed at `CGContext`. Without the library `libcairo.so.2` the image has its size and no content.
///
/// Source: Apple, `UIGraphicsImageRenderer`.
public final class UIGraphicsImageRenderer: NSObject {
  private let bounds: CGRect
  /// The format of the images.
  public let format: UIGraphicsImageRendererFormat

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - bounds: The part of the plane that the image shows, in points.
  ///   - format: The format of the images.
  public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
    (self.bounds, self.format) = (bounds, format)
  }

  /// Creates a renderer for the screen.
  ///
  /// - Parameter bounds: The part of the plane that the image shows, in points.
  public convenience init(bounds: CGRect) { self.init(bounds: bounds, format: .default()) }

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - size: The size of the images in points.
  ///   - format: The format of the images.
  public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat) {
    self.init(bounds: CGRect(origin: .zero, size: size), format: format)
  }

  /// Creates a renderer for the screen.
  ///
  /// - Parameter size: The size of the images in points.
  public convenience init(size: CGSize) { self.init(size: size, format: .default()) }

  /// Draws an image.
  ///
  /// - Parameter actions: Draws in the context, which is UIKit's current one.
  /// - Returns: The image.
  public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    let scale = format.scale > 0 ? format.scale : UIGraphicsImageRendererFormat.screenScale
    let context = ContextStack.makeContext(
      bounds.size, scale: scale, api: "UIGraphicsImageRenderer.image(actions:)")
    if format.opaque { context.fill(CGRect(origin: .zero, size: bounds.size)) }
    context.translateBy(x: -bounds.minX, y: -bounds.minY)
    let renderer = UIGraphicsImageRendererContext(context, format, scale: scale)
    ContextStack.push(context, scale: scale)
    defer { ContextStack.pop() }
    actions(renderer)
    return renderer.currentImage
  }

  /// Draws an image.
  ///
  /// - Parameter actions: Draws in the context, which is UIKit's current one.
  /// - Returns: The image as a PNG; no bytes if nothing can be drawn.
  public func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
    image(actions: actions).pngData() ?? Data()
  }

  /// Draws an image.
  ///
  /// - Parameters:
  ///   - compressionQuality: The quality, 0…1.
  ///   - actions: Draws in the context, which is UIKit's current one.
  /// - Returns: The image as a JPEG; no bytes if `UIImage.jpegData(compressionQuality:)` makes none.
  public func jpegData(
    withCompressionQuality compressionQuality: CGFloat,
    actions: (UIGraphicsImageRendererContext) -> Void
  ) -> Data {
    image(actions: actions).jpegData(compressionQuality: compressionQuality) ?? Data()
  }
}
