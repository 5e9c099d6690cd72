import CGdkPixbuf
import Foundation
import TestSupport
import Testing

/// The pixels of a PNG, read with GdkPixbuf rather than with what drew them.
struct Pixels {
  let width: Int
  let height: Int
  private let bytes: [UInt8]

  init(_ png: Data) throws {
    let folder = TemporaryFolder()
    let file = try folder.write(png, to: "picture.png")
    let pixbuf = try #require(unsafe gdk_pixbuf_new_from_file(file.path, nil))
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
    width = unsafe Int(gdk_pixbuf_get_width(pixbuf))
    height = unsafe Int(gdk_pixbuf_get_height(pixbuf))
    let channels = unsafe Int(gdk_pixbuf_get_n_channels(pixbuf))
    let stride = unsafe Int(gdk_pixbuf_get_rowstride(pixbuf))
    let pixels = try #require(unsafe gdk_pixbuf_read_pixels(pixbuf))
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<4 {
          bytes.append(
            channel < channels ? unsafe pixels[y * stride + x * channels + channel] : 255)
        }
      }
    }
    self.bytes = bytes
  }

  /// Red, green, blue and opacity of a pixel.
  subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * width + x) * 4
    return Array(bytes[start..<start + 4])
  }
}
