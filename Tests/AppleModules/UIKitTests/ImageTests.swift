import Foundation
import TestSupport
import Testing
import UIKit

@Suite("UIImage and UIColor")
struct ImageTests {
  @Test(
    "the size is that of the file's header",
    arguments: Fixtures.images)
  func sizes(image: (name: String, width: Int, height: Int)) throws {
    let data = try Data(contentsOf: Fixtures.url("media/\(image.name)"))
    let read = try #require(UIImage(data: data))
    #expect(read.size == CGSize(width: image.width, height: image.height))
    let large = try #require(UIImage(data: data, scale: 2))
    #expect(large.size.width == CGFloat(image.width) / 2 && large.scale == 2)
    for count in 0..<min(data.count, 64) { _ = UIImage(data: data.prefix(count)) }
  }

  @Test("a picture is converted to a PNG and to a JPEG of its size", arguments: Fixtures.images)
  func conversion(image: (name: String, width: Int, height: Int)) throws {
    let data = try Data(contentsOf: Fixtures.url("media/\(image.name)"))
    let read = try #require(UIImage(data: data))
    let png = try #require(read.pngData())
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && UIImage(data: png)?.size == read.size)
    #expect((png == data) == image.name.hasSuffix(".png"), "a PNG is kept as it is")
    let (good, poor) = (
      read.jpegData(compressionQuality: 0.9), read.jpegData(compressionQuality: 0)
    )
    #expect(good?.starts(with: [0xFF, 0xD8, 0xFF]) == true)
    #expect(good.flatMap { UIImage(data: $0)?.size } == read.size)
    #expect(try #require(poor).count < #require(good).count)
    #expect(read.jpegData(compressionQuality: 2) == read.jpegData(compressionQuality: 1))
    #expect(read.jpegData(compressionQuality: -1) == poor)
    #expect(read.jpegData(compressionQuality: .nan) == read.jpegData(compressionQuality: 1))
  }

  @Test("a picture that ends after its header is not converted")
  func damage() throws {
    let data = try Data(contentsOf: Fixtures.url("media/cloudy.gif"))
    let image = try #require(UIImage(data: data.prefix(20)))
    #expect(image.pngData() == nil && image.jpegData(compressionQuality: 1) == nil)
  }

  /// PNG files of one pixel.
  static let pixels = (
    transparent: """
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=
    """,
    white: """
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4//8/AAX+Av4zEpUUAAAAAElFTkSuQmCC
    """,
    black: """
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNgYGAAAAAEAAHI6uv5AAAAAElFTkSuQmCC
    """
  )

  @Test("what is transparent becomes white in a JPEG")
  func ground() throws {
    func jpeg(_ png: String) throws -> Data {
      let image = UIImage(data: try #require(Data(base64Encoded: png)))
      return try #require(image?.jpegData(compressionQuality: 1))
    }
    let white = try jpeg(Self.pixels.white)
    #expect(try jpeg(Self.pixels.transparent) == white && jpeg(Self.pixels.black) != white)
  }

  @Test("a WebP has the size of its canvas or frame")
  func webP() throws {
    func file(_ chunk: String, _ content: [UInt8]) -> Data {
      Data("RIFF".utf8) + [0, 0, 0, 0] + Data("WEBP".utf8) + Data(chunk.utf8) + [0, 0, 0, 0]
        + content
    }
    let extended = file("VP8X", [0, 0, 0, 0, 99, 0, 0, 49, 0, 0])
    #expect(UIImage(data: extended)?.size == CGSize(width: 100, height: 50))
    let lossy = file("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 100, 0, 50, 0])
    #expect(UIImage(data: lossy)?.size == CGSize(width: 100, height: 50))
    let lossless = file("VP8L", [0x2F, 99, 0x40, 0x0C, 0])
    #expect(UIImage(data: lossless)?.size == CGSize(width: 100, height: 50))
  }

  @Test("a HEIC has the size of its largest item, not that of a thumbnail")
  func heic() {
    func item(_ width: UInt8, _ height: UInt8) -> Data {
      Data([0, 0, 0, 20]) + Data("ispe".utf8) + [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height]
    }
    let file = Data([0, 0, 0, 16]) + Data("ftypheic".utf8) + [0, 0, 0, 0]
    let image = UIImage(data: file + item(16, 12) + item(200, 150) + item(64, 64))
    #expect(image?.size == CGSize(width: 200, height: 150) && image?.pngData() == nil)
    #expect(UIImage(data: file) == nil && UIImage(data: file + item(0, 1)) == nil)
  }

  @Test("what is no image is none", arguments: ["", "<html></html>", "GIF8", "\u{FF}"])
  func noImage(text: String) {
    #expect(UIImage(data: Data(text.utf8)) == nil)
    #expect(UIImage(contentsOfFile: "/none.png") == nil && UIImage(named: "none") == nil)
  }

  @Test("a color has its components")
  func colors() {
    var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
    UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
      .getRed(&red, green: &green, blue: &blue, alpha: &alpha)
    #expect([red, green, blue, alpha] == [0.1, 0.2, 0.3, 0.4])
    #expect(UIColor.white == UIColor(red: 1, green: 1, blue: 1, alpha: 1))
    #expect(UIColor.black.withAlphaComponent(0) == .clear && UIColor.red != .green)
  }
}

extension Fixtures {
  /// The images of `Tests/Fixtures/media`, as `file` describes them.
  static let images: [(name: String, width: Int, height: Int)] = [
    ("picture.png", 960, 640), ("photo.jpg", 960, 640), ("cloudy.gif", 240, 240),
  ]
}
