import Glibc

/// GdkPixbuf, which decodes pictures and encodes them in another format.
package enum GdkPixbuf {
  /// A format to encode a picture in.
  package enum Format: Sendable {
    case png
    /// `quality` is 0…1; the picture is on a white ground.
    case jpeg(quality: Double)
  }

  /// A picture's file with what its header says.
  package struct Picture: Sendable {
    package var bytes: [UInt8]
    /// The name of the format, for messages.
    package var format: String
    package var width: Int
    package var height: Int

    package init(bytes: [UInt8], format: String, width: Int, height: Int) {
      (self.bytes, self.format, self.width, self.height) = (bytes, format, width, height)
    }
  }

  /// The most pixels that are decoded, each of which takes four bytes.
  package static let maximumPixels = 64_000_000

  /// Decodes a picture and encodes it; an animation gives its first frame.
  package static func convert(
    _ picture: Picture, to format: Format
  ) throws(GdkPixbufError) -> [UInt8] {
    guard let library = PixbufFunctions.installed else { throw PixbufFunctions.missing }
    return try convert(picture, to: format, with: library)
  }

  static func convert(
    _ picture: Picture, to format: Format, with library: PixbufFunctions
  ) throws(GdkPixbufError) -> [UInt8] {
    guard picture.width > 0, picture.height > 0, picture.width <= maximumPixels / picture.height
    else {
      throw GdkPixbufError(
        code: .tooLarge,
        message: "\(picture.width) by \(picture.height) pixels are more than \(maximumPixels)")
    }
    let decoder = try Decoder(picture, library)
    return try decoder.encode(format)
  }
}

/// A loader of GdkPixbuf with a picture, which it owns.
@safe private final class Decoder {
  private let library: PixbufFunctions
  private let loader: OpaquePointer
  private let pixbuf: OpaquePointer
  private let name: String

  init(_ picture: GdkPixbuf.Picture, _ library: PixbufFunctions) throws(GdkPixbufError) {
    let error = Self.error(picture.format)
    guard let loader = unsafe library.newLoader() else { throw error }
    let isWritten = unsafe library.write(loader, picture.bytes, picture.bytes.count, nil) != 0
    // An open loader must be closed before it is freed.
    let isWhole = unsafe library.close(loader, nil) != 0
    guard isWritten, isWhole, let pixbuf = unsafe library.pixbuf(loader) else {
      unsafe library.unref(loader)
      throw error
    }
    unsafe (self.loader, self.pixbuf) = unsafe (loader, pixbuf)
    (self.library, name) = (library, picture.format)
  }

  deinit { unsafe library.unref(loader) }

  func encode(_ format: GdkPixbuf.Format) throws(GdkPixbufError) -> [UInt8] {
    switch format {
    case .png: return try unsafe save(pixbuf, as: "png", options: [])
    case .jpeg(let quality):
      let (nearest, opaque, white): (Int32, Int32, UInt32) = (0, 255, 0xFFFFFF)
      let (width, height) = unsafe (library.width(pixbuf), library.height(pixbuf))
      let ground = unsafe library.compose(
        pixbuf, width, height, nearest, opaque, 16, white, white)
      guard let ground = unsafe ground else { throw Self.error(name) }
      defer { unsafe library.unref(ground) }
      let percent = quality.isFinite ? Int((min(max(quality, 0), 1) * 100).rounded()) : 100
      return try unsafe save(ground, as: "jpeg", options: [("quality", "\(percent)")])
    }
  }

  private func save(
    _ pixbuf: OpaquePointer, as type: String, options: [(key: String, value: String)]
  ) throws(GdkPixbufError) -> [UInt8] {
    var keys = unsafe options.map { unsafe strdup($0.key) } + [nil]
    var values = unsafe options.map { unsafe strdup($0.value) } + [nil]
    defer { unsafe (keys + values).forEach { unsafe Glibc.free($0) } }
    var buffer: UnsafeMutablePointer<UInt8>?
    var count = 0
    let isSaved = unsafe library.save(pixbuf, &buffer, &count, type, &keys, &values, nil) != 0
    guard isSaved, let buffer = unsafe buffer else { throw Self.error(name) }
    defer { unsafe library.free(buffer) }
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: count))
  }

  private static func error(_ format: String) -> GdkPixbufError {
    GdkPixbufError(
      code: .undecodable,
      message: "GdkPixbuf decodes no \(format) here, or the file is damaged; "
        + "`gdk-pixbuf-query-loaders` lists its formats")
  }
}
