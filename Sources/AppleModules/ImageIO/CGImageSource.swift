public import CoreGraphics
public import Foundation
internal import UIKit
@_spi(Host) public import UserNotifications

/// Apple's `CGImageSource`, the file of an image, of which the header is read.
///
/// Source: Apple, `CGImageSource`.
public final class CGImageSource: NSObject, Sendable {
  let data: Data
  let image: UIImage?

  init(_ data: Data) {
    self.data = data
    image = UIImage(data: data)
  }

  /// The image as a PNG, or in the form of its file if that cannot be decoded.
  func wholeImage(at index: Int, api: String) -> CGImage? {
    guard let image, index == 0 else {
      if image != nil { notModelled(api, "it is nil, because only the first frame is read") }
      return nil
    }
    let size = (width: Int(image.size.width), height: Int(image.size.height))
    return CGImage(file: image.pngData() ?? data, width: size.width, height: size.height)
  }
}

/// Creates a source of bytes.
///
/// - Parameters:
///   - data: The file.
///   - options: Unused.
/// - Returns: The source, also of bytes that are no image.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource?
{
  CGImageSource(data as Data)
}

/// Creates a source of a file.
///
/// - Parameters:
///   - url: The file's URL.
///   - options: Unused.
/// - Returns: The source; `nil` if the URL is not that of a file that can be read.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  let url = url as URL
  guard url.isFileURL, let data = try? Data(contentsOf: url) else { return nil }
  return CGImageSource(data)
}

/// Returns the type of an image.
///
/// - Parameter isrc: The source.
/// - Returns: The identifier of the type; `nil` if the bytes are not a PNG, JPEG, GIF, WebP or HEIC.
public func CGImageSourceGetType(_ isrc: CGImageSource) -> CFString? {
  (isrc.image?.typeIdentifier).map { $0 as NSString }
}

/// Returns the number of images.
///
/// - Parameter isrc: The source.
/// - Returns: 1, or 0 if the bytes are no image. The frames of a GIF or a WebP are not counted, as the trace says.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int {
  guard let type = isrc.image?.typeIdentifier else { return 0 }
  if type == "com.compuserve.gif" || type == "org.webmproject.webp" {
    notModelled("CGImageSourceGetCount", "it is 1, because frames are not counted")
  }
  return 1
}

// These are closures, because Apple's functions have three parameters without a label.

/// Apple's `CGImageSourceCreateImageAtIndex`: the image, `nil` for another index than 0 and if the bytes are no image.
///
/// The arguments are the source, the index, and options that are not used.
public var CGImageSourceCreateImageAtIndex:
  @Sendable (CGImageSource, Int, CFDictionary?) -> CGImage?
{
  { source, index, _ in source.wholeImage(at: index, api: "CGImageSourceCreateImageAtIndex") }
}

/// Apple's `CGImageSourceCreateThumbnailAtIndex`: the image in a smaller size, `nil` if it cannot be drawn.
///
/// The arguments are the source, the index, and options, of which ``kCGImageSourceThumbnailMaxPixelSize`` is read. An
/// orientation that the file names is not applied.
public var CGImageSourceCreateThumbnailAtIndex:
  @Sendable (CGImageSource, Int, CFDictionary?) -> CGImage?
{
  { source, index, options in
    let api = "CGImageSourceCreateThumbnailAtIndex"
    guard let whole = source.wholeImage(at: index, api: api) else { return nil }
    let limit = (options?[kCGImageSourceThumbnailMaxPixelSize] as? NSNumber)?.doubleValue ?? 0
    let longest = Double(max(whole.width, whole.height))
    guard limit >= 1, limit < longest else { return whole }
    func side(_ length: Int) -> Int { max(1, Int((Double(length) * limit / longest).rounded())) }
    return whole.scaled(toWidth: side(whole.width), height: side(whole.height), api: api)
  }
}

/// Apple's `CGImageSourceCopyPropertiesAtIndex`: the width and the height in pixels, `nil` without an image.
///
/// The arguments are the source, the index, and options that are not used.
public var CGImageSourceCopyPropertiesAtIndex:
  @Sendable (CGImageSource, Int, CFDictionary?) -> CFDictionary?
{
  { source, index, _ in
    guard let size = source.image?.size, index == 0 else { return nil }
    notModelled(
      "CGImageSourceCopyPropertiesAtIndex",
      "only the size is read; metadata such as the orientation are not")
    let sizes: [NSString: Any] = [
      kCGImagePropertyPixelWidth: NSNumber(value: Int(size.width)),
      kCGImagePropertyPixelHeight: NSNumber(value: Int(size.height)),
    ]
    return sizes as NSDictionary
  }
}
