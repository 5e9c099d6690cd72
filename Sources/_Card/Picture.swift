import CGdkPixbuf
import CPangoCairo
import Glibc

/// Owns a decoded picture as a cairo image.
///
/// A file that is no picture, or says it is a very large one, is none: `init` returns nil.
@safe final class Picture {
  private let surface: OpaquePointer
  let width: Double
  let height: Double

  /// Pixels that a file may say it has; four bytes each while it is decoded.
  static let mostPixels = 64_000_000
  /// What iOS takes as an image attachment.
  static let mostBytes = 10 << 20
  /// iOS's own, and the newer ones where a loader is installed.
  private static let formats = ["png", "jpeg", "gif", "webp", "heif", "heif/avif", "avif"]

  /// Of an animation the first frame; no side longer than `longestSide` pixels.
  init?(file path: String, longestSide: Int) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.mostBytes
    else { return nil }
    var width: Int32 = 0
    var height: Int32 = 0
    guard let format = unsafe gdk_pixbuf_get_file_info(path, &width, &height),
      Self.isDecoded(width: Int(width), height: Int(height)),
      unsafe Self.formats.contains(Self.name(format))
    else { return nil }

    let side = Int32(min(longestSide, Int(max(width, height))))
    let loaded = unsafe gdk_pixbuf_new_from_file_at_scale(path, side, side, 1, nil)
    guard let loaded = unsafe loaded else { return nil }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(loaded)) }
    guard let upright = unsafe gdk_pixbuf_apply_embedded_orientation(loaded) else { return nil }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(upright)) }
    guard let surface = unsafe Self.surface(of: upright) else { return nil }
    unsafe self.surface = unsafe surface
    self.width = unsafe Double(gdk_pixbuf_get_width(upright))
    self.height = unsafe Double(gdk_pixbuf_get_height(upright))
  }

  deinit { unsafe cairo_surface_destroy(surface) }

  static func isDecoded(width: Int, height: Int) -> Bool {
    width > 0 && height > 0 && width <= mostPixels / height
  }

  /// Covers `rect` with the picture, or with a part of it, cutting what does not fit.
  func draw(
    on canvas: Canvas, filling rect: Rect, part: NotificationCard.Attachment.UnitRect? = nil
  ) {
    let whole = Rect(x: 0, y: 0, width: width, height: height)
    let source = part.map { Self.pixels($0, of: whole) } ?? whole
    let scale = max(rect.width / source.width, rect.height / source.height)
    canvas.path(rect)
    canvas.clipped {
      let context = unsafe canvas.context
      unsafe cairo_translate(
        context, rect.midX - source.midX * scale, rect.midY - source.midY * scale)
      unsafe cairo_scale(context, scale, scale)
      unsafe cairo_set_source_surface(context, surface, 0, 0)
      unsafe cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
      unsafe cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
      unsafe cairo_paint(context)
    }
  }

  /// The part in pixels, within the picture and at least one pixel.
  private static func pixels(
    _ part: NotificationCard.Attachment.UnitRect, of whole: Rect
  ) -> Rect {
    func clamp(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 1) : 0 }
    let x = clamp(part.x) * whole.width
    let y = clamp(part.y) * whole.height
    let maxX = clamp(part.x + part.width) * whole.width
    let maxY = clamp(part.y + part.height) * whole.height
    guard maxX - x >= 1, maxY - y >= 1 else { return whole }
    return Rect(x: x, y: y, width: maxX - x, height: maxY - y)
  }

  private static func name(_ format: OpaquePointer) -> String {
    guard let name = unsafe gdk_pixbuf_format_get_name(format) else { return "" }
    defer { unsafe g_free(name) }
    return unsafe String(cString: name)
  }

  /// The same pixels as cairo wants them: premultiplied, blue first.
  private static func surface(of pixbuf: OpaquePointer) -> OpaquePointer? {
    let width = unsafe Int(gdk_pixbuf_get_width(pixbuf))
    let height = unsafe Int(gdk_pixbuf_get_height(pixbuf))
    let channels = unsafe Int(gdk_pixbuf_get_n_channels(pixbuf))
    let sourceStride = unsafe Int(gdk_pixbuf_get_rowstride(pixbuf))
    let surface = unsafe cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
    guard let source = unsafe gdk_pixbuf_read_pixels(pixbuf), channels == 3 || channels == 4,
      let target = unsafe cairo_image_surface_get_data(surface)
    else {
      unsafe cairo_surface_destroy(surface)
      return nil
    }
    let targetStride = unsafe Int(cairo_image_surface_get_stride(surface))
    for row in 0..<height {
      var from = unsafe source + row * sourceStride
      var to = unsafe target + row * targetStride
      for _ in 0..<width {
        let alpha = unsafe channels == 4 ? UInt16(from[3]) : 255
        func premultiplied(_ value: UInt8) -> UInt8 {
          UInt8((UInt16(value) * alpha + 127) / 255)
        }
        unsafe to[0] = unsafe premultiplied(from[2])
        unsafe to[1] = unsafe premultiplied(from[1])
        unsafe to[2] = unsafe premultiplied(from[0])
        unsafe to[3] = UInt8(alpha)
        unsafe from += channels
        unsafe to += 4
      }
    }
    unsafe cairo_surface_mark_dirty(surface)
    return unsafe surface
  }
}
