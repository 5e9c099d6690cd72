import Glibc

/// Cairo's functions, which are looked up at run time.
///
/// If they were linked, a package that depends on this one would need the library for any use of UIKit.
@safe struct CairoFunctions: Sendable {
  typealias Object = OpaquePointer
  typealias Bytes = UnsafeMutablePointer<UInt8>
  typealias Stream =
    @convention(c) (UnsafeMutableRawPointer?, Bytes?, UInt32) -> Int32

  // The types are those of cairo.h, where an enumeration is an `int`.
  let newSurface: @convention(c) @Sendable (Int32, Int32, Int32) -> Object?
  let surfaceStatus: @convention(c) @Sendable (Object) -> Int32
  let width: @convention(c) @Sendable (Object) -> Int32
  let height: @convention(c) @Sendable (Object) -> Int32
  let freeSurface: @convention(c) @Sendable (Object) -> Void
  let readPNG: @convention(c) @Sendable (Stream, UnsafeMutableRawPointer?) -> Object?
  let writePNG: @convention(c) @Sendable (Object, Stream, UnsafeMutableRawPointer?) -> Int32
  let newContext: @convention(c) @Sendable (Object) -> Object?
  let freeContext: @convention(c) @Sendable (Object) -> Void
  let save: @convention(c) @Sendable (Object) -> Void
  let restore: @convention(c) @Sendable (Object) -> Void
  let transform: @convention(c) @Sendable (Object, UnsafePointer<Double>) -> Void
  let newPath: @convention(c) @Sendable (Object) -> Void
  let moveTo: @convention(c) @Sendable (Object, Double, Double) -> Void
  let lineTo: @convention(c) @Sendable (Object, Double, Double) -> Void
  let curveTo:
    @convention(c) @Sendable (Object, Double, Double, Double, Double, Double, Double) -> Void
  let closePath: @convention(c) @Sendable (Object) -> Void
  let setFillRule: @convention(c) @Sendable (Object, Int32) -> Void
  let clip: @convention(c) @Sendable (Object) -> Void
  let fill: @convention(c) @Sendable (Object) -> Void
  let stroke: @convention(c) @Sendable (Object) -> Void
  let paint: @convention(c) @Sendable (Object, Double) -> Void
  let setLineWidth: @convention(c) @Sendable (Object, Double) -> Void
  let setOperator: @convention(c) @Sendable (Object, Int32) -> Void
  let setColor: @convention(c) @Sendable (Object, Double, Double, Double, Double) -> Void
  let setSurface: @convention(c) @Sendable (Object, Object, Double, Double) -> Void
  let newGradient: @convention(c) @Sendable (Double, Double, Double, Double) -> Object?
  let addStop: @convention(c) @Sendable (Object, Double, Double, Double, Double, Double) -> Void
  let setPattern: @convention(c) @Sendable (Object, Object) -> Void
  let freePattern: @convention(c) @Sendable (Object) -> Void

  /// The functions of the installed library; `nil` if it is not installed.
  static let installed = CairoFunctions(library: "libcairo.so.2")

  /// Opens a library, which stays open.
  init?(library name: String) {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    struct Missing: Error {}
    func find<Function>(_ name: String) throws(Missing) -> Function {
      guard let symbol = unsafe dlsym(library, "cairo_\(name)") else { throw Missing() }
      return unsafe unsafeBitCast(symbol, to: Function.self)
    }
    do throws(Missing) {
      unsafe newSurface = try find("image_surface_create")
      unsafe surfaceStatus = try find("surface_status")
      unsafe width = try find("image_surface_get_width")
      unsafe height = try find("image_surface_get_height")
      unsafe freeSurface = try find("surface_destroy")
      unsafe readPNG = try find("image_surface_create_from_png_stream")
      unsafe writePNG = try find("surface_write_to_png_stream")
      unsafe newContext = try find("create")
      unsafe freeContext = try find("destroy")
      unsafe save = try find("save")
      unsafe restore = try find("restore")
      unsafe transform = try find("transform")
      unsafe newPath = try find("new_path")
      unsafe moveTo = try find("move_to")
      unsafe lineTo = try find("line_to")
      unsafe curveTo = try find("curve_to")
      unsafe closePath = try find("close_path")
      unsafe setFillRule = try find("set_fill_rule")
      unsafe clip = try find("clip")
      unsafe fill = try find("fill")
      unsafe stroke = try find("stroke")
      unsafe paint = try find("paint_with_alpha")
      unsafe setLineWidth = try find("set_line_width")
      unsafe setOperator = try find("set_operator")
      unsafe setColor = try find("set_source_rgba")
      unsafe setSurface = try find("set_source_surface")
      unsafe newGradient = try find("pattern_create_linear")
      unsafe addStop = try find("pattern_add_color_stop_rgba")
      unsafe setPattern = try find("set_source")
      unsafe freePattern = try find("pattern_destroy")
    } catch { return nil }
  }
}
