#if canImport(ImageIO)
  import CoreGraphics
  public import Foundation
  import ImageIO
  public import PushPayload

  /// Makes a large image small with ImageIO, without ever having all of its pixels in memory.
  ///
  /// An extension is killed at 24 MB. Half of that is left to the process, so a picture may cost 12 MB, at
  /// 4 bytes a pixel, and one is made at a time. The JPEG decoder scales by powers of two on its way to
  /// the thumbnail: what it holds has less than twice the thumbnail's width and height. With a thumbnail
  /// of 768 pixels that is at most (1536² + 768²) · 4 = 11.8 MB, for a square; a photograph of 4:3 costs
  /// 8.8 MB.
  ///
  /// Files that cannot be read row by row, such as a progressive JPEG, are reduced only where all of their
  /// pixels and the thumbnail's fit into the same 12 MB. Of an animation the first picture is left.
  ///
  /// Source: Apple, WWDC 2018, session 219 "Image and Graphics Best Practices", and 416 "iOS Memory Deep
  /// Dive": a thumbnail costs the memory of the thumbnail.
  public struct ImageIOReducer: ImageReducing {
    static let maximumPixelSize = 768
    static let maximumPixels = 12_000_000 / 4 - maximumPixelSize * maximumPixelSize
    private static let turn = NSLock()

    /// Why an image stays large.
    struct Refusal: Error {
      var message: String
    }

    /// Makes a reducer.
    public init() {}

    /// Writes a thumbnail of 768 pixels: as PNG where it is translucent, else as JPEG.
    ///
    /// - Parameters:
    ///   - image: The file.
    ///   - maximumBytes: How large the new one may be; the engine counts them.
    ///   - directory: Where it shall lie.
    /// - Returns: The new file and its type.
    /// - Throws: Where ImageIO cannot read the file, or only with too much memory.
    public func reduce(
      _ image: URL, to maximumBytes: Int, in directory: URL
    ) throws -> (file: URL, type: MediaType) {
      try Self.turn.withLock { try Self.reduce(image, in: directory) }
    }

    private static func reduce(
      _ image: URL, in directory: URL
    ) throws -> (file: URL, type: MediaType) {
      let uncached = [kCGImageSourceShouldCache: false] as CFDictionary
      guard let source = CGImageSourceCreateWithURL(image as CFURL, uncached) else {
        throw Refusal(message: "ImageIO cannot read it")
      }
      guard ImageRows.areSequential(in: image) || pixels(source) <= maximumPixels else {
        throw Refusal(message: "it would take too much memory")
      }
      let options: [CFString: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways: true,
        kCGImageSourceCreateThumbnailWithTransform: true,
        kCGImageSourceThumbnailMaxPixelSize: maximumPixelSize,
        kCGImageSourceShouldCacheImmediately: true,
      ]
      guard
        let thumbnail = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
      else { throw Refusal(message: "ImageIO makes no thumbnail of it") }
      let type: MediaType = isTranslucent(thumbnail) ? .png : .jpeg
      let file = directory.appending(
        path: "\(UUID().uuidString).\(type.preferredExtension)", directoryHint: .notDirectory)
      guard
        let destination = CGImageDestinationCreateWithURL(
          file as CFURL, type.identifier as CFString, 1, nil)
      else { throw Refusal(message: "ImageIO cannot write there") }
      let quality = [kCGImageDestinationLossyCompressionQuality: 0.8] as CFDictionary
      CGImageDestinationAddImage(destination, thumbnail, quality)
      guard CGImageDestinationFinalize(destination) else {
        try? FileManager.default.removeItem(at: file)
        throw Refusal(message: "ImageIO could not write it")
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
