import NotificationCards
import CGdkPixbuf
import Glibc
import NotificationTemplates

/// A decoded picture in cairo's ARGB32 format: premultiplied, four bytes a pixel, blue first.
struct Bitmap: Sendable {
  let width: Int
  let height: Int
  let bytes: [UInt8]

  /// The maximum number of pixels; decoding takes four bytes for each.
  static let maximumPixels = 64_000_000
  /// The maximum size of a file in bytes: that of an image attachment on iOS.
  static let maximumBytes = 10 << 20
  /// The formats that iOS shows, and newer ones that gdk-pixbuf may be able to load.
  private static let formats = ["png", "jpeg", "gif", "webp", "heif", "heif/avif", "avif"]

  init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  /// Copies the pixels to a surface of the same size.
  func copy(to target: UnsafeMutablePointer<UInt8>, stride: Int) {
    let row = width * 4
    unsafe bytes.withUnsafeBytes { source in
      for y in 0..<height {
        let from = unsafe UnsafeRawBufferPointer(rebasing: source[y * row..<(y + 1) * row])
        unsafe UnsafeMutableRawBufferPointer(start: target + y * stride, count: row)
          .copyMemory(from: from)
      }
    }
  }

  /// Decodes a picture file, scaled so that no side is longer than `longestSide` pixels.
  ///
  /// An animation gives its first frame. The result is `nil` if the file is not a picture or exceeds the
  /// limits.
  init?(file path: String, longestSide: Int) {
    guard let stamp = FileStamp(path), stamp.size <= Self.maximumBytes else { return nil }
    var width: Int32 = 0
    var height: Int32 = 0
    guard let format = unsafe gdk_pixbuf_get_file_info(path, &width, &height),
      Self.isDecoded(width: Int(width), height: Int(height)),
      unsafe Self.formats.contains(Self.name(format)), !JPEGScans.isOverLimit(file: path)
    else { return nil }

    let side = Int32(min(longestSide, Int(max(width, height))))
    let loaded = unsafe gdk_pixbuf_new_from_file_at_scale(path, side, side, 1, nil)
    guard let loaded = unsafe loaded else { return nil }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(loaded)) }
    guard let upright = unsafe gdk_pixbuf_apply_embedded_orientation(loaded) else { return nil }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(upright)) }
    unsafe self.init(upright)
  }

  /// The size in pixels of a picture file as it is shown: its header's, turned as the file asks for.
  static func pixelSize(ofFile path: String) -> (width: Int, height: Int)? {
    var width: Int32 = 0
    var height: Int32 = 0
    guard unsafe gdk_pixbuf_get_file_info(path, &width, &height) != nil, width > 0, height > 0
    else { return nil }
    return PictureHeader(file: path)?.isOnItsSide == true
      ? (Int(height), Int(width)) : (Int(width), Int(height))
  }

  /// Whether a picture file cannot be decoded; `false` if it exceeds the limits, because it is not tried then.
  static func isDamaged(file path: String) -> Bool {
    guard let stamp = FileStamp(path), stamp.size <= maximumBytes else { return false }
    var width: Int32 = 0
    var height: Int32 = 0
    guard unsafe gdk_pixbuf_get_file_info(path, &width, &height) != nil else { return true }
    guard isDecoded(width: Int(width), height: Int(height)), !JPEGScans.isOverLimit(file: path)
    else { return false }
    // Decoding to another size reads a damaged PNG without an error.
    guard let loaded = unsafe gdk_pixbuf_new_from_file(path, nil) else { return true }
    unsafe g_object_unref(UnsafeMutableRawPointer(loaded))
    return false
  }

  private init?(_ pixbuf: OpaquePointer) {
    let width = unsafe Int(gdk_pixbuf_get_width(pixbuf))
    let height = unsafe Int(gdk_pixbuf_get_height(pixbuf))
    let channels = unsafe Int(gdk_pixbuf_get_n_channels(pixbuf))
    let stride = unsafe Int(gdk_pixbuf_get_rowstride(pixbuf))
    guard let source = unsafe gdk_pixbuf_read_pixels(pixbuf), channels == 3 || channels == 4
    else { return nil }
    let count = width * height * 4
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard var to = buffer.baseAddress else { return }
      initialized = count
      for row in 0..<height {
        var from = unsafe source + row * stride
        for _ in 0..<width {
          let alpha = unsafe channels == 4 ? UInt16(from[3]) : 255
          unsafe to[0] = unsafe Self.premultiplied(from[2], alpha)
          unsafe to[1] = unsafe Self.premultiplied(from[1], alpha)
          unsafe to[2] = unsafe Self.premultiplied(from[0], alpha)
          unsafe to[3] = UInt8(alpha)
          unsafe from += channels
          unsafe to += 4
        }
      }
    }
    (self.width, self.height) = (width, height)
  }

  @inline(__always)
  private static func premultiplied(_ value: UInt8, _ alpha: UInt16) -> UInt8 {
    UInt8((UInt16(value) * alpha + 127) / 255)
  }

  static func isDecoded(width: Int, height: Int) -> Bool {
    width > 0 && height > 0 && width <= maximumPixels / height
  }

  private static func name(_ format: OpaquePointer) -> String {
    guard let name = unsafe gdk_pixbuf_format_get_name(format) else { return "" }
    defer { unsafe g_free(name) }
    return unsafe String(cString: name)
  }
}
