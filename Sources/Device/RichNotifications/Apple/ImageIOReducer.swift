#if canImport(Darwin) && canImport(ImageIO)
  import CoreGraphics
  public import Foundation
  import ImageIO
  import NotificationTemplates
  public import PushPayload

  /// Scales down images with ImageIO, without holding all of their pixels in memory.
  ///
  /// The system kills an extension at 24 MB. Half of that is left to the process, so an image may use 12 MB at
  /// 4 bytes per pixel, and images are scaled one at a time. The JPEG decoder scales by powers of two before
  /// the thumbnail is drawn, so its buffer has less than twice the thumbnail's width and height. With a
  /// thumbnail of 768 pixels that is at most (1536² + 768²) · 4 = 11.8 MB for a square; a photo of 4:3 uses
  /// 8.8 MB.
  ///
  /// The decoder scales to an eighth at the least, so a side has at most 16 times the thumbnail's pixels. Larger
  /// files, and those that cannot be decoded row by row, such as a progressive JPEG, are scaled only if all of
  /// their pixels and those of the thumbnail fit into the same 12 MB. Only the first frame of an animation is kept.
  ///
  /// Source: Apple, WWDC 2018, session 219 "Image and Graphics Best Practices", and 416 "iOS Memory Deep
  /// Dive": a thumbnail costs the memory of the thumbnail.
  public struct ImageIOReducer: ImageReducing {
    static let maximumPixelSize = 768
    static let maximumPixels = 12_000_000 / 4 - maximumPixelSize * maximumPixelSize
    private static let lock = NSLock()

    /// The reason why an image is not scaled down.
    struct Refusal: Error {
      var message: String
    }

    /// Creates a reducer.
    public init() {}

    /// Writes a thumbnail of at most 768 pixels: a PNG if the image has an alpha channel, else a JPEG.
    ///
    /// - Parameters:
    ///   - image: The image's file.
    ///   - maximumBytes: The maximum size of the new file in bytes, which the engine checks.
    ///   - directory: The directory for the new file.
    /// - Returns: The new file and its type.
    /// - Throws: An error if ImageIO cannot read the file, or would need too much memory for it.
    public func reduce(
      _ image: URL, to maximumBytes: Int, in directory: URL
    ) throws -> (file: URL, type: MediaType) {
      try Self.lock.withLock { try Self.reduce(image, in: directory) }
    }

    private static func reduce(
      _ image: URL, in directory: URL
    ) throws -> (file: URL, type: MediaType) {
      let uncached = [kCGImageSourceShouldCache: false] as CFDictionary
      guard let source = CGImageSourceCreateWithURL(image as CFURL, uncached) else {
        throw Refusal(message: "ImageIO cannot read the image")
      }
      let isScaledByRows = PictureHeader(of: image)?.isScaledByRows(to: maximumPixelSize) == true
      guard isScaledByRows || pixels(source) <= maximumPixels else {
        throw Refusal(message: "the image would need too much memory")
      }
      let options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: true,
        kCGImageSourceThumbnailMaxPixelSize: maximumPixelSize,
        kCGImageSourceShouldCacheImmediately: true,
      ]
      guard
        let thumbnail = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
      else { throw Refusal(message: "ImageIO cannot create a thumbnail of the image") }
      let type: MediaType = isTranslucent(thumbnail) ? .png : .jpeg
      let file = MediaFolder.makeURL(in: directory, extension: type.preferredExtension)
      guard
        let destination = CGImageDestinationCreateWithURL(
          file as CFURL, type.identifier as CFString, 1, nil)
      else { throw Refusal(message: "ImageIO cannot write to the directory") }
      let quality = [kCGImageDestinationLossyCompressionQuality: 0.8] as CFDictionary
      CGImageDestinationAddImage(destination, thumbnail, quality)
      guard CGImageDestinationFinalize(destination) else {
        try? FileManager.default.removeItem(at: file)
        throw Refusal(message: "ImageIO could not write the thumbnail")
      }
      return (file, type)
    }

    private static func pixels(_ source: CGImageSource) -> Int {
      guard
        let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any],
        let width = properties[kCGImagePropertyPixelWidth] as? Int,
        let height = properties[kCGImagePropertyPixelHeight] as? Int
      else { return .max }
      let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
      return overflow ? .max : pixels
    }

    private static func isTranslucent(_ image: CGImage) -> Bool {
      switch image.alphaInfo {
      case .none, .noneSkipFirst, .noneSkipLast: false
      default: true
      }
    }
  }
#endif
