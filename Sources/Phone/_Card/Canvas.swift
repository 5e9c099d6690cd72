import NotificationCards
import CGdkPixbuf
import CPangoCairo

/// A cairo image and its drawing context, which it owns.
///
/// All lengths are points.
@safe final class Canvas {
  private let surface: OpaquePointer
  let context: OpaquePointer

  /// The maximum length of a side in pixels; cairo's own limit is 32,767.
  static let maximumSide = 16_384.0

  init(width: Double, height: Double, scale: Double) throws(CardError) {
    let pixels = (width: (width * scale).rounded(.up), height: (height * scale).rounded(.up))
    guard pixels.width <= Self.maximumSide, pixels.height <= Self.maximumSide else {
      throw CardError(
        code: .tooLarge,
        message: "the picture would be \(Int(pixels.width)) by \(Int(pixels.height)) pixels; "
          + "\(Int(Self.maximumSide)) is the most, so take a smaller scale or less text")
    }
    let surface = unsafe cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32, Int32(pixels.width), Int32(pixels.height))
    guard let surface = unsafe surface,
      unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let context = unsafe cairo_create(surface)
    else {
      unsafe cairo_surface_destroy(surface)
      throw CardError(code: .outOfMemory, message: "there is no memory for the picture")
    }
    unsafe self.surface = unsafe surface
    unsafe self.context = unsafe context
    unsafe cairo_scale(context, scale, scale)
  }

  deinit {
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(surface)
  }

  var pixelWidth: Int { unsafe Int(cairo_image_surface_get_width(surface)) }
  var pixelHeight: Int { unsafe Int(cairo_image_surface_get_height(surface)) }

  /// A copy of the drawing so far.
  var bitmap: Bitmap? {
    unsafe cairo_surface_flush(surface)
    guard let data = unsafe cairo_image_surface_get_data(surface) else { return nil }
    let (row, stride) = unsafe (pixelWidth * 4, Int(cairo_image_surface_get_stride(surface)))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(row * pixelHeight)
    for y in 0..<pixelHeight {
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: data + y * stride, count: row))
    }
    return Bitmap(width: pixelWidth, height: pixelHeight, bytes: bytes)
  }

  /// Replaces all that has been drawn by a bitmap of the same size.
  func fill(_ bitmap: Bitmap) {
    unsafe cairo_surface_flush(surface)
    guard bitmap.width == pixelWidth, bitmap.height == pixelHeight,
      let data = unsafe cairo_image_surface_get_data(surface)
    else { return }
    unsafe bitmap.copy(to: data, stride: Int(cairo_image_surface_get_stride(surface)))
    unsafe cairo_surface_mark_dirty(surface)
  }

  func png() throws(CardError) -> [UInt8] {
    var bytes: [UInt8] = []
    let status = unsafe withUnsafeMutablePointer(to: &bytes) {
      unsafe cairo_surface_write_to_png_stream(surface, appendPNG, $0)
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      throw CardError(code: .outOfMemory, message: "there is no memory for the picture")
    }
    return bytes
  }

  /// Encodes the drawing as a JPEG, without transparency.
  func jpeg(quality: Int) throws(CardError) -> [UInt8] {
    let none = CardError(code: .outOfMemory, message: "there is no memory for the picture")
    unsafe cairo_surface_flush(surface)
    let width = unsafe cairo_image_surface_get_width(surface)
    let height = unsafe cairo_image_surface_get_height(surface)
    guard let source = unsafe cairo_image_surface_get_data(surface),
      let pixbuf = unsafe gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, width, height)
    else { throw none }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
    let strides = unsafe (
      source: Int(cairo_image_surface_get_stride(surface)),
      target: Int(gdk_pixbuf_get_rowstride(pixbuf))
    )
    guard let target = unsafe gdk_pixbuf_get_pixels(pixbuf) else { throw none }
    for row in 0..<Int(height) {
      var from = unsafe source + row * strides.source
      var to = unsafe target + row * strides.target
      for _ in 0..<width {
        unsafe to[0] = unsafe from[2]
        unsafe to[1] = unsafe from[1]
        unsafe to[2] = unsafe from[0]
        unsafe from += 4
        unsafe to += 3
      }
    }
    var buffer: UnsafeMutablePointer<CChar>?
    var count = 0
    guard unsafe martlet_jpeg(pixbuf, Int32(quality), &buffer, &count) != 0,
      let buffer = unsafe buffer
    else { throw none }
    defer { unsafe g_free(buffer) }
    return unsafe Array(UnsafeRawBufferPointer(start: buffer, count: count))
  }

  // MARK: Paths

  func path(_ rect: Rect) {
    unsafe cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height)
  }

  func path(_ rect: Rect, radius: Double) {
    let r = min(radius, rect.width / 2, rect.height / 2)
    let quarter = Double.pi / 2
    unsafe cairo_new_sub_path(context)
    unsafe cairo_arc(context, rect.maxX - r, rect.y + r, r, -quarter, 0)
    unsafe cairo_arc(context, rect.maxX - r, rect.maxY - r, r, 0, quarter)
    unsafe cairo_arc(context, rect.x + r, rect.maxY - r, r, quarter, 2 * quarter)
    unsafe cairo_arc(context, rect.x + r, rect.y + r, r, 2 * quarter, 3 * quarter)
    unsafe cairo_close_path(context)
  }

  func path(circleAt centre: Point, radius: Double) {
    unsafe cairo_new_sub_path(context)
    unsafe cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
  }

  func path(polygon points: [Point]) {
    // Text leaves a current point, at which the first line would begin.
    unsafe cairo_new_sub_path(context)
    for point in points { unsafe cairo_line_to(context, point.x, point.y) }
    unsafe cairo_close_path(context)
  }

  func path(ellipseAt centre: Point, width: Double, height: Double) {
    unsafe cairo_save(context)
    unsafe cairo_translate(context, centre.x, centre.y)
    unsafe cairo_scale(context, width / 2, height / 2)
    unsafe cairo_new_sub_path(context)
    unsafe cairo_arc(context, 0, 0, 1, 0, 2 * .pi)
    unsafe cairo_restore(context)
  }

  func clearPath() { unsafe cairo_new_path(context) }

  // MARK: Paint

  func fillAndKeepPath(_ color: Color) {
    set(color)
    unsafe cairo_fill_preserve(context)
  }

  func fill(_ color: Color) {
    set(color)
    unsafe cairo_fill(context)
  }

  func fill(_ gradient: Gradient) {
    unsafe cairo_set_source(context, gradient.pattern)
    unsafe cairo_fill(context)
  }

  func stroke(_ color: Color, width: Double) {
    set(color)
    unsafe cairo_set_line_width(context, width)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_stroke(context)
  }

  func set(_ color: Color) {
    unsafe cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
  }

  /// Calls `draw` with lengths that are `scale` times as long, from a point.
  func scaled(by scale: Double, at origin: Point, _ draw: () -> Void) {
    unsafe cairo_save(context)
    unsafe cairo_translate(context, origin.x, origin.y)
    unsafe cairo_scale(context, scale, scale)
    draw()
    unsafe cairo_restore(context)
  }

  /// Calls `draw` with drawing clipped to the current path.
  func clipped(_ draw: () -> Void) {
    unsafe cairo_save(context)
    unsafe cairo_clip(context)
    draw()
    unsafe cairo_restore(context)
  }

  /// Calls `draw` with drawing clipped to the part of `bounds` outside the current path.
  func clippedOutside(of bounds: Rect, _ draw: () -> Void) {
    path(bounds)
    unsafe cairo_save(context)
    unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    unsafe cairo_clip(context)
    draw()
    unsafe cairo_restore(context)
  }
}

/// Appends a piece of the PNG; a `cairo_write_func_t`.
private func appendPNG(
  to context: UnsafeMutableRawPointer?, data: UnsafePointer<UInt8>?, count: UInt32
) -> cairo_status_t {
  let bytes = unsafe context?.assumingMemoryBound(to: [UInt8].self)
  unsafe bytes?.pointee.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
  return CAIRO_STATUS_SUCCESS
}

/// A cairo pattern of a gradient, which it owns.
@safe final class Gradient {
  let pattern: OpaquePointer?

  init(from start: Point, to end: Point, _ colors: [Color]) {
    unsafe pattern = unsafe cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
    add(colors)
  }

  init(at centre: Point, radius: Double, _ colors: [Color]) {
    unsafe pattern = unsafe cairo_pattern_create_radial(
      centre.x, centre.y, 0, centre.x, centre.y, radius)
    add(colors)
  }

  /// From the middle of an ellipse to its edge.
  convenience init(at centre: Point, width: Double, height: Double, _ colors: [Color]) {
    self.init(at: Point(x: 0, y: 0), radius: 1, colors)
    var matrix = cairo_matrix_t()
    unsafe cairo_matrix_init(
      &matrix, 2 / width, 0, 0, 2 / height, -2 * centre.x / width, -2 * centre.y / height)
    unsafe cairo_pattern_set_matrix(pattern, &matrix)
  }

  private func add(_ colors: [Color]) {
    for (index, color) in colors.enumerated() {
      unsafe cairo_pattern_add_color_stop_rgba(
        pattern, Double(index) / Double(max(1, colors.count - 1)), color.red, color.green,
        color.blue, color.alpha)
    }
  }

  deinit { unsafe cairo_pattern_destroy(pattern) }
}
