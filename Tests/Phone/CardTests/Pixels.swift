import CGdkPixbuf
import Foundation
import Testing

/// The pixels of a PNG.
struct Pixels {
  struct Color: Equatable {
    var red, green, blue: UInt8

    /// The difference of the channel that differs most, 0 to 255.
    func distance(to other: Color) -> Int {
      max(
        abs(Int(red) - Int(other.red)), abs(Int(green) - Int(other.green)),
        abs(Int(blue) - Int(other.blue)))
    }

    /// The lightness from 0, which is black, to 255.
    var lightness: Int { (Int(red) * 3 + Int(green) * 6 + Int(blue)) / 10 }
  }

  let width: Int
  let height: Int
  private let colors: [Color]

  init(png: [UInt8]) throws {
    let path = NSTemporaryDirectory() + "martlet-pixels-\(UUID().uuidString).png"
    try Data(png).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let pixbuf = try #require(gdk_pixbuf_new_from_file(path, nil))
    defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
    width = Int(gdk_pixbuf_get_width(pixbuf))
    height = Int(gdk_pixbuf_get_height(pixbuf))
    let stride = Int(gdk_pixbuf_get_rowstride(pixbuf))
    let channels = Int(gdk_pixbuf_get_n_channels(pixbuf))
    let bytes = try #require(gdk_pixbuf_read_pixels(pixbuf))
    var colors: [Color] = []
    colors.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        let at = y * stride + x * channels
        colors.append(Color(red: bytes[at], green: bytes[at + 1], blue: bytes[at + 2]))
      }
    }
    self.colors = colors
  }

  subscript(x: Int, y: Int) -> Color { colors[y * width + x] }

  /// The pixels of a region that are dark enough to be text on a light card.
  func ink(x: Range<Int>, y: Range<Int>) -> [(x: Int, y: Int)] {
    y.flatMap { row in x.filter { self[$0, row].lightness < 110 }.map { ($0, row) } }
  }

  /// The share of pixels that differ visibly; 1 if the sizes differ.
  func difference(from other: Pixels) -> Double {
    guard width == other.width, height == other.height else { return 1 }
    let different = zip(colors, other.colors).count { $0.distance(to: $1) > 12 }
    return Double(different) / Double(colors.count)
  }
}
