public import Foundation
@_spi(Host) import UserNotifications
import _GdkPixbuf

/// Apple's `UIImage`, an image in the form of its file.
///
/// The header gives the format and the size. Pixels are decoded only for ``pngData()`` and
/// ``jpegData(compressionQuality:)``, and
/// an orientation is not applied.
///
/// Source: Apple, `UIImage`.
public final class UIImage: NSObject, Sendable {
  /// The number of pixels of a point.
  public let scale: CGFloat
  private let data: Data
  let header: ImageHeader

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
    guard let header = ImageHeader(data) else {
      if let format = ImageHeader.unreadFormat(of: data) {
        notModelled("UIImage(data:)", "it is nil, because a \(format) is not read")
      }
      return nil
    }
    self.data = data
    self.header = header
    self.scale = scale > 0 ? scale : 1
  }

  /// Creates an image of a file whose size is known.
  init(file: Data, width: Int, height: Int, scale: CGFloat) {
    data = file
    header = ImageHeader(file) ?? ImageHeader(format: .png, width: width, height: height)
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
    guard let path = paths.first else {
      notModelled(
        "UIImage(named:)",
        "it is nil, because the bundle has no file \(name); asset catalogs are not read")
      return nil
    }
    self.init(contentsOfFile: path)
  }

  /// The size in points.
  public var size: CGSize {
    CGSize(width: CGFloat(header.width) / scale, height: CGFloat(header.height) / scale)
  }

  /// The image as a PNG, for which GdkPixbuf decodes an image of another format.
  ///
  /// - Returns: The file itself if it is a PNG, or else a new one; `nil` if GdkPixbuf cannot decode the image, which
  ///   the trace of
  ///   the run says.
  public func pngData() -> Data? {
    if header.format == .png { return data }
    switch converted(to: .png) {
    case .success(let png): return png
    case .failure(let error):
      notModelled("UIImage.pngData()", "it is nil: \(error.message)")
      return nil
    }
  }

  /// The image as a JPEG, which GdkPixbuf encodes on a white ground.
  ///
  /// - Parameter compressionQuality: The quality, 0…1.
  /// - Returns: A new file; without GdkPixbuf a JPEG itself; `nil` if GdkPixbuf cannot decode the image. The trace of
  ///   the run says
  ///   both.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    switch converted(to: .jpeg(quality: Double(compressionQuality))) {
    case .success(let jpeg): return jpeg
    case .failure(let error):
      let isKept = header.format == .jpeg && error.code == .missingLibrary
      notModelled(
        "UIImage.jpegData(compressionQuality:)",
        "it is \(isKept ? "the file itself" : "nil"): \(error.message)")
      return isKept ? data : nil
    }
  }

  private func converted(to format: GdkPixbuf.Format) -> Result<Data, GdkPixbufError> {
    Result { () throws(GdkPixbufError) in
      let picture = GdkPixbuf.Picture(
        bytes: Array(data), format: header.format.rawValue, width: header.width,
        height: header.height)
      return Data(try GdkPixbuf.convert(picture, to: format))
    }
  }
}
