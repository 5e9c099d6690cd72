public import Foundation
@_spi(Host) import UserNotifications
package import _Cairo

/// Apple's `CGContext`, which draws with cairo.
///
/// Fills, lines, clips, images and linear gradients are drawn; shadows, blend modes and texts are not, which the trace
/// of the run says. Without the library `libcairo.so.2` nothing is drawn.
///
/// Source: Apple, `CGContext`.
public final class CGContext: NSObject {
  struct State {
    var fill = CGColor(gray: 0, alpha: 1)
    var stroke = CGColor(gray: 0, alpha: 1)
    var lineWidth: CGFloat = 1
    var alpha: CGFloat = 1
  }

  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The quality of scaled images, which is always high.
  public var interpolationQuality = CGInterpolationQuality.high {
    didSet {
      guard interpolationQuality == .none else { return }
      notModelled("CGContext.interpolationQuality", "images are scaled with high quality")
    }
  }
  /// The picture; `nil` if it cannot be drawn.
  package let drawing: Drawing?
  var state = State()
  private var saved: [State] = []
  var current = CGMutablePath()

  /// Creates a context whose origin is the top left corner, and which is drawn in pixels.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - api: Apple's name of the calling declaration, for the trace.
  package init(width: Int, height: Int, api: String) {
    (self.width, self.height) = (width, height)
    drawing = Drawing(width: width, height: height)
    if drawing == nil { notModelled(api, "nothing is drawn: \(Self.reason((width, height)))") }
  }

  /// Creates a context whose origin is the bottom left corner; `nil` if it cannot be drawn.
  ///
  /// - Parameters:
  ///   - data: Memory for the pixels, which stays as it is.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bitsPerComponent: Unused: a component has 8 bits.
  ///   - bytesPerRow: Unused.
  ///   - space: Unused: the pixels are sRGB.
  ///   - bitmapInfo: Unused.
  public convenience init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    let api = "CGContext(data:width:height:bitsPerComponent:bytesPerRow:space:bitmapInfo:)"
    self.init(width: width, height: height, api: api)
    guard drawing != nil else { return nil }
    if unsafe data != nil { notModelled(api, "the pixels are not in the memory of data") }
    concatenate(CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(height)))
  }

  /// The reason why a picture cannot be drawn.
  static func reason(_ size: (width: Int, height: Int)) -> String {
    Drawing.isPossible
      ? "\(size.width) by \(size.height) pixels are no size of a picture here"
      : "pictures are drawn with libcairo2; install it"
  }

  /// Keeps the colors, the clip and the coordinates.
  public func saveGState() {
    saved.append(state)
    drawing?.save()
  }

  /// Brings back what ``saveGState()`` kept.
  public func restoreGState() {
    guard let last = saved.popLast() else { return }
    state = last
    drawing?.restore()
  }

  /// Changes the coordinates by a matrix.
  ///
  /// - Parameter transform: The matrix.
  public func concatenate(_ transform: CGAffineTransform) { drawing?.transform(transform.values) }

  /// Moves the origin.
  ///
  /// - Parameters:
  ///   - x: The distance for x.
  ///   - y: The distance for y.
  public func translateBy(x: CGFloat, y: CGFloat) {
    concatenate(CGAffineTransform(translationX: x, y: y))
  }

  /// Scales the coordinates.
  ///
  /// - Parameters:
  ///   - x: The factor for x.
  ///   - y: The factor for y.
  public func scaleBy(x: CGFloat, y: CGFloat) { concatenate(CGAffineTransform(scaleX: x, y: y)) }

  /// Turns the coordinates.
  ///
  /// - Parameter angle: The angle in radians.
  public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

  /// Sets the opacity of images.
  ///
  /// - Parameter alpha: The opacity, 0…1.
  public func setAlpha(_ alpha: CGFloat) { state.alpha = alpha }

  /// Draws an image, with its top at the rectangle's largest y.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - rect: The rectangle that the image fills.
  public func draw(_ image: CGImage, in rect: CGRect) {
    let upsideDown = CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: rect.minX, ty: rect.maxY)
    place(image.file, of: (image.width, image.height), by: upsideDown, in: rect.size)
  }

  /// Draws a file, with its top at the rectangle's smallest y.
  package func draw(file: Data, of size: (width: Int, height: Int), in rect: CGRect, alpha: CGFloat)
  {
    saveGState()
    state.alpha *= alpha
    let corner = CGAffineTransform(translationX: rect.minX, y: rect.minY)
    place(file, of: size, by: corner, in: rect.size)
    restoreGState()
  }

  private func place(
    _ file: Data, of size: (width: Int, height: Int), by corner: CGAffineTransform, in area: CGSize
  ) {
    guard let drawing, size.width > 0, size.height > 0, area.width != 0, area.height != 0
    else { return }
    drawing.save()
    defer { drawing.restore() }
    let scale = CGAffineTransform(
      scaleX: area.width / CGFloat(size.width), y: area.height / CGFloat(size.height))
    drawing.transform(scale.concatenating(corner).values)
    if !drawing.draw(png: Array(file), alpha: Double(state.alpha)) {
      notModelled("CGContext.draw(_:in:)", "the image is left out, because only a PNG is drawn")
    }
  }

  /// Makes an image of what was drawn.
  ///
  /// - Returns: The image; `nil` if nothing can be drawn.
  public func makeImage() -> CGImage? {
    guard let png = drawing?.png() else { return nil }
    return CGImage(file: Data(png), width: width, height: height)
  }
}
