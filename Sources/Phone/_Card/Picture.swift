import NotificationCards
import CPangoCairo

/// A decoded picture as a cairo image, which it owns.
@safe final class Picture {
  private let surface: OpaquePointer
  let width: Double
  let height: Double

  init?(_ bitmap: Bitmap) {
    let surface = unsafe cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(bitmap.width), Int32(bitmap.height))
    guard let surface = unsafe surface, let target = unsafe cairo_image_surface_get_data(surface)
    else { return nil }
    unsafe bitmap.copy(to: target, stride: Int(cairo_image_surface_get_stride(surface)))
    unsafe cairo_surface_mark_dirty(surface)
    unsafe self.surface = unsafe surface
    (width, height) = (Double(bitmap.width), Double(bitmap.height))
  }

  deinit { unsafe cairo_surface_destroy(surface) }

  /// Fills `rect` with the picture, or with a part of it, and crops the rest.
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

  /// The place within `rect` that the whole picture takes.
  func place(fitting rect: Rect) -> Rect {
    let scale = min(rect.width / width, rect.height / height)
    let (width, height) = (width * scale, height * scale)
    return Rect(
      x: rect.midX - width / 2, y: rect.midY - height / 2, width: width, height: height)
  }

  /// The part in pixels, limited to the picture; the whole picture if the part is smaller than a pixel.
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
}
