public import Foundation
@_spi(Host) import UserNotifications
import _Cairo

/// Apple's `CGImage`, an image in the form of its file.
///
/// Source: Apple, `CGImage`.
public final class CGImage: NSObject, Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The image's file.
  package let file: Data

  /// Creates an image of a file whose header says its size.
  package init(file: Data, width: Int, height: Int) {
    (self.file, self.width, self.height) = (file, width, height)
  }

  /// The number of bits of a component: 8.
  public var bitsPerComponent: Int { 8 }
  /// The number of bits of a pixel: 32.
  public var bitsPerPixel: Int { 32 }

  /// Cuts a part out of the image.
  ///
  /// - Parameter rect: The part in pixels, from the top left corner.
  /// - Returns: The part within the image; `nil` if there is none, or if cairo cannot draw it, which the trace of the
  ///   run says.
  public func cropping(to rect: CGRect) -> CGImage? {
    let whole = CGRect(x: 0, y: 0, width: width, height: height)
    let part = rect.standardized.intersection(whole)
    guard !part.isNull, part.width >= 1, part.height >= 1 else { return nil }
    let size = (width: Int(part.width.rounded()), height: Int(part.height.rounded()))
    return drawn(size, api: "CGImage.cropping(to:)") { drawing in
      drawing.transform([1, 0, 0, 1, -Double(part.minX), -Double(part.minY)])
    }
  }

  /// Draws the image in another size.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - api: Apple's name of the calling declaration, for the trace.
  /// - Returns: The image; `nil` if cairo cannot draw it, which the trace of the run says.
  package func scaled(toWidth width: Int, height: Int, api: String) -> CGImage? {
    drawn((width, height), api: api) { drawing in
      drawing.transform([
        Double(width) / Double(self.width), 0, 0, Double(height) / Double(self.height), 0, 0,
      ])
    }
  }

  private func drawn(
    _ size: (width: Int, height: Int), api: String, prepare: (Drawing) -> Void
  ) -> CGImage? {
    guard let drawing = Drawing(width: size.width, height: size.height) else {
      notModelled(api, "it is nil: \(CGContext.reason(size))")
      return nil
    }
    prepare(drawing)
    guard drawing.draw(png: Array(file)), let png = drawing.png() else {
      notModelled(api, "it is nil, because only a PNG of at most 64 megapixels is drawn")
      return nil
    }
    return CGImage(file: Data(png), width: size.width, height: size.height)
  }
}
