import Glibc

/// GdkPixbuf's functions, which are looked up at run time.
///
/// If they were linked, a package that depends on this one would need the library for any use of UIKit.
@safe struct PixbufFunctions: Sendable {
  typealias Object = OpaquePointer
  typealias Texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  // The types are those of the library's headers, where a `gboolean` is an `int` and a `gsize` a `size_t`.
  let newLoader: @convention(c) @Sendable () -> Object?
  let write: @convention(c) @Sendable (Object, UnsafePointer<UInt8>, Int, OpaquePointer?) -> Int32
  let close: @convention(c) @Sendable (Object, OpaquePointer?) -> Int32
  let pixbuf: @convention(c) @Sendable (Object) -> Object?
  let width: @convention(c) @Sendable (Object) -> Int32
  let height: @convention(c) @Sendable (Object) -> Int32
  let compose:
    @convention(c) @Sendable (Object, Int32, Int32, Int32, Int32, Int32, UInt32, UInt32) -> Object?
  let save:
    @convention(c) @Sendable (
      Object, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>,
      UnsafePointer<CChar>, Texts?, Texts?, OpaquePointer?
    ) -> Int32
  let unref: @convention(c) @Sendable (Object) -> Void
  let free: @convention(c) @Sendable (UnsafeMutableRawPointer) -> Void

  /// The functions of the installed library; `nil` if it is not installed.
  static let installed = try? PixbufFunctions(library: "libgdk_pixbuf-2.0.so.0")

  /// Opens a library, which stays open.
  init(library name: String) throws(GdkPixbufError) {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw Self.missing }
    func find<Function>(_ name: String) throws(GdkPixbufError) -> Function {
      guard let symbol = unsafe dlsym(library, name) else { throw Self.missing }
      return unsafe unsafeBitCast(symbol, to: Function.self)
    }
    unsafe newLoader = try find("gdk_pixbuf_loader_new")
    unsafe write = try find("gdk_pixbuf_loader_write")
    unsafe close = try find("gdk_pixbuf_loader_close")
    unsafe pixbuf = try find("gdk_pixbuf_loader_get_pixbuf")
    unsafe width = try find("gdk_pixbuf_get_width")
    unsafe height = try find("gdk_pixbuf_get_height")
    unsafe compose = try find("gdk_pixbuf_composite_color_simple")
    unsafe save = try find("gdk_pixbuf_save_to_bufferv")
    // The handle also finds the functions of the libraries that this one needs.
    unsafe unref = try find("g_object_unref")
    unsafe free = try find("g_free")
  }

  static let missing = GdkPixbufError(
    code: .missingLibrary, message: "pictures are decoded with libgdk-pixbuf-2.0-0; install it")
}
