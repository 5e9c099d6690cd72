public import Foundation
import UserNotifications

/// Apple's `UIImage`; only the header of the image is read.
///
/// The header gives the format and the size. Pixels are not decoded, and an orientation is not applied.
///
/// Source: Apple, `UIImage`.
public final class UIImage: NSObject, Sendable {
  /// The number of pixels of a point.
  public let scale: CGFloat
  private let data: Data
  private let header: ImageHeader

  /// Creates an image with one pixel per point; `nil` if the data are not a PNG, JPEG, GIF, WebP or HEIC.
  ///
  /// - Parameter data: The image's file.
  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  /// Creates an image; `nil` if the data are not a PNG, JPEG, GIF, WebP or HEIC.
  ///
  /// - Parameters:
  ///   - data: The image's file.
  ///   - scale: The number of pixels of a point.
  public init?(data: Data, scale: CGFloat) {
    guard let header = ImageHeader(data) else { return nil }
    self.data = data
    self.header = header
    self.scale = scale > 0 ? scale : 1
  }

  /// Creates an image from a file; `nil` if the file cannot be read.
  ///
  /// - Parameter path: The file's path. A name that ends in `@2x` or `@3x` sets the scale.
  public convenience init?(contentsOfFile path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    self.init(data: data, scale: name.hasSuffix("@3x") ? 3 : name.hasSuffix("@2x") ? 2 : 1)
  }

  /// Creates an image from a file of the bundle, not of an asset catalog; `nil` if the file does not exist.
  ///
  /// - Parameter name: The file's name, with or without its extension.
  public convenience init?(named name: String) {
    let candidates =
      [name]
      + ["@3x", "@2x", ""].flatMap { scale in
        ["png", "jpg", "jpeg", "heic"].map { "\(name)\(scale).\($0)" }
      }
    let paths = candidates.compactMap { Bundle.main.path(forResource: $0, ofType: nil) }
    guard let path = paths.first else { return nil }
    self.init(contentsOfFile: path)
  }

  /// The size in points.
  public var size: CGSize {
    CGSize(width: CGFloat(header.width) / scale, height: CGFloat(header.height) / scale)
  }

  /// The image's file if it is a PNG; otherwise `nil`, because Linux converts no images.
  ///
  /// - Returns: The file.
  public func pngData() -> Data? { header.format == .png ? data : nil }

  /// The image's file if it is a JPEG; otherwise `nil`, because Linux converts no images.
  ///
  /// - Parameter compressionQuality: Ignored: the file is returned as it is.
  /// - Returns: The file.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    header.format == .jpeg ? data : nil
  }

  /// The pixels.
  @available(*, unavailable, message: "UIKit on Linux decodes no pixels; test this on a phone.")
  public var cgImage: Never { fatalError() }
}
