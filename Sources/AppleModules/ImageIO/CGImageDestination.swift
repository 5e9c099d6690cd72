public import CoreGraphics
public import Foundation
internal import UIKit
@_spi(Host) public import UserNotifications

/// Apple's `CGImageDestination`, which writes an image to a file or to data.
///
/// A PNG or a JPEG with one image is written.
///
/// Source: Apple, `CGImageDestination`.
public final class CGImageDestination: NSObject {
  private let type: String
  private let write: (Data) -> Bool
  private var images: [(image: CGImage, quality: Double)] = []

  init(type: String, write: @escaping (Data) -> Bool) { (self.type, self.write) = (type, write) }

  func add(_ image: CGImage, _ options: CFDictionary?) {
    let quality = options?[kCGImageDestinationLossyCompressionQuality] as? NSNumber
    images.append((image, quality?.doubleValue ?? 1))
  }

  /// Writes the file; `false` if it cannot be made.
  func finalize() -> Bool {
    guard let (image, quality) = images.first, images.count == 1 else {
      notModelled("CGImageDestinationFinalize", "it is false, because one image is written")
      return false
    }
    let source = UIImage(cgImage: image)
    switch type {
    case "public.png": return source.pngData().map(write) ?? false
    case "public.jpeg": return source.jpegData(compressionQuality: quality).map(write) ?? false
    default:
      notModelled("CGImageDestinationFinalize", "it is false, because \(type) is not written")
      return false
    }
  }
}

// These are closures, because Apple's functions have three and four parameters without a label.

/// Apple's `CGImageDestinationCreateWithData`, which creates a destination that appends to data.
///
/// The arguments are the data, the identifier of the type, the number of images, and options that are not used.
public var CGImageDestinationCreateWithData:
  @Sendable (CFMutableData, CFString, Int, CFDictionary?) -> CGImageDestination?
{
  { data, type, _, _ in
    CGImageDestination(type: type as String) { bytes in
      data.append(bytes)
      return true
    }
  }
}

/// Apple's `CGImageDestinationCreateWithURL`, which creates a destination that writes a file.
///
/// The arguments are the file's URL, the identifier of the type, the number of images, and options that are not used.
public var CGImageDestinationCreateWithURL:
  @Sendable (CFURL, CFString, Int, CFDictionary?) -> CGImageDestination?
{
  { url, type, _, _ in
    let url = url as URL
    guard url.isFileURL else { return nil }
    return CGImageDestination(type: type as String) { bytes in
      (try? bytes.write(to: url)) != nil
    }
  }
}

/// Apple's `CGImageDestinationAddImage`, which adds an image.
///
/// The arguments are the destination, the image, and options, of which
/// ``kCGImageDestinationLossyCompressionQuality`` is read.
public var CGImageDestinationAddImage:
  @Sendable (CGImageDestination, CGImage, CFDictionary?) -> Void
{
  { destination, image, options in destination.add(image, options) }
}

/// Writes the images of a destination.
///
/// - Parameter idst: The destination.
/// - Returns: Whether they were written.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool { idst.finalize() }
