import CoreGraphics
import Foundation
import ImageIO
import TestSupport
import Testing
import UIKit
import UserNotifications

@testable import _Cairo

@Suite("The limits of pictures that are drawn")
struct LimitTests {
  @Test(
    "a picture has at most 16,384 pixels at a side, and 64 million",
    arguments: [
      (16_384, 1, true), (16_385, 1, false), (1, 16_384, true), (1, 16_385, false),
      (16_384, 3_906, true), (16_384, 3_907, false), (0, 1, false), (1, -1, false),
    ])
  func sizes(width: Int, height: Int, isPossible: Bool) {
    #expect((Drawing(width: width, height: height) != nil) == isPossible)
  }

  @Test("a PNG that ends too early, or claims another size, is not drawn")
  func hostile() throws {
    let png = try Fixtures.bytes("media/icon.png")
    let drawing = try #require(Drawing(width: 64, height: 64))
    #expect(drawing.draw(png: png))
    for count in stride(from: 0, to: png.count, by: 97) {
      #expect(!drawing.draw(png: Array(png.prefix(count))), "\(count) bytes")
    }
    for (offset, byte) in [(16, UInt8(0x7F)), (20, 0xFF), (18, 0xFF), (0, 0)] {
      var changed = png
      changed[offset] = byte
      #expect(!drawing.draw(png: changed))
    }
    // cairo skips the chunk before the header, whose numbers are not the size.
    var chunk: [UInt8] = [0, 0, 0, 8] + Array("teSt".utf8) + [0, 0, 0, 1, 0, 0, 0, 1]
    chunk += [0, 0, 0, 0]
    #expect(!drawing.draw(png: png[..<8] + chunk + png[8...]))
    var empty = png
    empty.replaceSubrange(16..<24, with: repeatElement(0, count: 8))
    #expect(!drawing.draw(png: empty) && !drawing.draw(png: Array("<html>".utf8)))
  }

  @Test("a library that is not there, or is another one, draws nothing")
  func library() {
    #expect(CairoFunctions(library: "libnone.so.0") == nil)
    #expect(CairoFunctions(library: "libz.so.1") == nil)
    #expect(Drawing.isPossible)
  }

  @Test(
    "nothing is drawn after a matrix that cannot be undone, until the one before it is restored",
    arguments: [
      [0, 0, 0, 0, 0, 0], [1, 0, 0, .nan, 0, 0], [], [1, 0, 0, .infinity, 0, 0],
      [2, 4, 1, 2, 0, 0],
    ])
  func matrices(matrix: [Double]) throws {
    let drawing = try #require(Drawing(width: 2, height: 2))
    let square: [Segment] = [.move(0, 0), .line(2, 0), .line(2, 2), .line(0, 2), .close]
    drawing.save()
    drawing.transform(matrix)
    drawing.fill(square, with: .color(.init(red: 1, green: 0, blue: 0, alpha: 1)))
    let nothing = try #require(drawing.png())
    #expect(try Pixels(Data(nothing))[1, 1] == [0, 0, 0, 0])
    drawing.restore()
    drawing.fill(square, with: .color(.init(red: 1, green: 0, blue: 0, alpha: 1)))
    let red = try #require(drawing.png())
    #expect(try Pixels(Data(red))[1, 1] == [255, 0, 0, 255])
  }
}

@Suite("ImageIO")
struct ImageSourceTests {
  private static func source(_ name: String) throws -> CGImageSource {
    let data = try Data(contentsOf: Fixtures.url("media/\(name)"))
    return try #require(CGImageSourceCreateWithData(data as CFData, nil))
  }

  @Test(
    "the type and the size are those of the file",
    arguments: [
      ("picture.png", "public.png", 960, 640), ("photo.jpg", "public.jpeg", 0, 0),
      ("cloudy.gif", "com.compuserve.gif", 0, 0),
    ])
  func types(name: String, type: String, width: Int, height: Int) throws {
    let source = try Self.source(name)
    #expect(CGImageSourceGetType(source) as String? == type)
    #expect(CGImageSourceGetCount(source) == 1)
    let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    let read = [kCGImagePropertyPixelWidth, kCGImagePropertyPixelHeight].map {
      (properties[$0] as? NSNumber)?.intValue ?? 0
    }
    #expect(width == 0 ? read.allSatisfy { $0 > 0 } : read == [width, height])
    let image = try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
    #expect(image.width == read[0] && CGImageSourceCreateImageAtIndex(source, 1, nil) == nil)
    let url = Fixtures.url("media/\(name)") as CFURL
    let file = try #require(CGImageSourceCreateWithURL(url, nil))
    #expect(CGImageSourceGetType(file) as String? == type)
  }

  @Test("bytes that are no image have a source without a type")
  func noImage() throws {
    let source = try Self.source("not-an-image.png")
    #expect(CGImageSourceGetType(source) == nil && CGImageSourceGetCount(source) == 0)
    #expect(CGImageSourceCreateImageAtIndex(source, 0, nil) == nil)
    #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, nil) == nil)
    let missing = try #require(URL(string: "https://a/i.png")) as CFURL
    #expect(CGImageSourceCreateWithURL(missing, nil) == nil)
  }

  @Test("a thumbnail has the longest side that is asked for", arguments: [1, 300, 959, 960, 2_000])
  func thumbnails(side: Int) throws {
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceThumbnailMaxPixelSize: side,
    ]
    let source = try Self.source("picture.png")
    let small = try #require(
      CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary))
    #expect(small.width == min(side, 960))
    let pixels = try Pixels(try #require(UIImage(cgImage: small).pngData()))
    #expect(pixels.width == small.width && pixels.height == small.height)
  }

  @Test("a destination writes a PNG, and no file of another type than PNG and JPEG")
  func destination() throws {
    let image = try #require(CGImageSourceCreateImageAtIndex(Self.source("icon.png"), 0, nil))
    let data = NSMutableData()
    let png = try #require(CGImageDestinationCreateWithData(data, "public.png", 1, nil))
    CGImageDestinationAddImage(png, image, nil)
    #expect(CGImageDestinationFinalize(png))
    #expect(UIImage(data: data as Data)?.size == CGSize(width: 64, height: 64))
    let tiff = try #require(
      CGImageDestinationCreateWithData(NSMutableData(), "public.tiff", 1, nil))
    #expect(!CGImageDestinationFinalize(tiff))
    CGImageDestinationAddImage(tiff, image, nil)
    #expect(!CGImageDestinationFinalize(tiff))
    let folder = TemporaryFolder()
    let file = folder.file("icon.png")
    let onDisk = try #require(
      CGImageDestinationCreateWithURL(file as CFURL, "public.png" as CFString, 1, nil))
    CGImageDestinationAddImage(onDisk, image, nil)
    #expect(CGImageDestinationFinalize(onDisk))
    #expect(try Data(contentsOf: file) == data as Data)
  }
}
