import CoreGraphics
import Foundation
import TestSupport
import Testing
import UIKit

@Suite("Images that UIKit draws")
struct RendererTests {
  private static let red: [UInt8] = [255, 0, 0, 255]
  private static let blue: [UInt8] = [0, 0, 255, 255]
  private static let none: [UInt8] = [0, 0, 0, 0]

  private static func format(_ scale: CGFloat) -> UIGraphicsImageRendererFormat {
    let format = UIGraphicsImageRendererFormat()
    format.scale = scale
    return format
  }

  private static func pixels(
    _ width: CGFloat, _ height: CGFloat, scale: CGFloat = 1,
    actions: (UIGraphicsImageRendererContext) -> Void
  ) throws -> Pixels {
    let size = CGSize(width: width, height: height)
    let renderer = UIGraphicsImageRenderer(size: size, format: format(scale))
    return try Pixels(renderer.pngData(actions: actions))
  }

  private static func square(_ color: UIColor, side: CGFloat = 8) -> UIImage {
    UIGraphicsImageRenderer(size: CGSize(width: side, height: side), format: format(1)).image {
      color.setFill()
      $0.fill(CGRect(x: 0, y: 0, width: side, height: side))
    }
  }

  @Test("a picture has its size in points times the scale", arguments: [1, 2, 3])
  func scale(scale: CGFloat) throws {
    let size = CGSize(width: 10, height: 4)
    let image = UIGraphicsImageRenderer(size: size, format: Self.format(scale)).image { _ in }
    #expect(image.size == size && image.scale == scale)
    let pixels = try Pixels(try #require(image.pngData()))
    #expect(pixels.width == Int(10 * scale) && pixels.height == Int(4 * scale))
    #expect(pixels[0, 0] == Self.none)
  }

  @Test("a format with the scale 0 has the screen's, and the image's size is in points")
  func screen() {
    let size = CGSize(width: 10, height: 4)
    let image = UIGraphicsImageRenderer(size: size, format: Self.format(0)).image { _ in }
    #expect(image.size == size && image.scale > 1)
  }

  @Test(
    "an area without a width gets no image, and the opacity is that of all that is drawn"
  )
  func emptyArea() throws {
    let image = Self.square(.red)
    let pixels = try Self.pixels(8, 8) {
      image.draw(in: CGRect(x: 1, y: 1, width: 0, height: 4))
      $0.cgContext.setAlpha(0.5)
      UIColor.red.setFill()
      $0.fill(CGRect(x: 4, y: 4, width: 4, height: 4))
    }
    #expect(pixels[0, 0] == Self.none && pixels[2, 2] == Self.none)
    #expect((126...129).contains(pixels[6, 6][3]))
  }

  @Test("y grows downwards, and a fill covers its rectangle")
  func fill() throws {
    let pixels = try Self.pixels(10, 10) {
      UIColor.red.setFill()
      $0.fill(CGRect(x: 0, y: 0, width: 10, height: 3))
    }
    #expect(pixels[5, 1] == Self.red && pixels[5, 2] == Self.red && pixels[5, 4] == Self.none)
  }

  @Test("a clip of a circle leaves the corners transparent")
  func circle() throws {
    let image = Self.square(.red, side: 30)
    let rect = CGRect(x: 0, y: 0, width: 30, height: 30)
    let pixels = try Self.pixels(30, 30) { _ in
      UIBezierPath(ovalIn: rect).addClip()
      image.draw(in: rect)
    }
    #expect(pixels[15, 15] == Self.red && pixels[1, 15] == Self.red)
    for (x, y) in [(0, 0), (29, 0), (0, 29), (29, 29)] { #expect(pixels[x, y] == Self.none) }
  }

  @Test("a clip ends with the state in which it was set")
  func clip() throws {
    let image = Self.square(.red, side: 20)
    let pixels = try Self.pixels(20, 10) {
      $0.cgContext.saveGState()
      $0.cgContext.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
      $0.cgContext.clip()
      image.draw(in: CGRect(x: 5, y: 0, width: 10, height: 10))
      $0.cgContext.restoreGState()
      UIColor.blue.setFill()
      $0.fill(CGRect(x: 15, y: 0, width: 5, height: 10))
    }
    #expect(pixels[7, 5] == Self.red && pixels[12, 5] == Self.none && pixels[17, 5] == Self.blue)
    #expect(pixels[2, 5] == Self.none)
  }

  @Test("an image keeps its top in UIKit, and is upside down in Core Graphics, as on a phone")
  func orientation() throws {
    let image = UIGraphicsImageRenderer(
      size: CGSize(width: 10, height: 10), format: Self.format(1)
    ).image {
      UIColor.red.setFill()
      $0.fill(CGRect(x: 0, y: 0, width: 10, height: 5))
      UIColor.blue.setFill()
      $0.fill(CGRect(x: 0, y: 5, width: 10, height: 5))
    }
    let rect = CGRect(x: 0, y: 0, width: 10, height: 10)
    let upright = try Self.pixels(10, 10) { _ in image.draw(in: rect) }
    #expect(upright[5, 2] == Self.red && upright[5, 7] == Self.blue)
    let turned = try Self.pixels(10, 10) { context in
      image.cgImage.map { context.cgContext.draw($0, in: rect) }
    }
    #expect(turned[5, 2] == Self.blue && turned[5, 7] == Self.red)
    let bitmap = try #require(
      CGContext(
        data: nil, width: 10, height: 10, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    bitmap.draw(try #require(image.cgImage), in: rect)
    let made = UIImage(cgImage: try #require(bitmap.makeImage()))
    let pixels = try Pixels(try #require(made.pngData()))
    #expect(pixels[5, 2] == Self.red && pixels[5, 7] == Self.blue)
  }

  @Test("a crop is the part of the picture, and stays within it")
  func crop() throws {
    let image = try #require(
      UIImage(contentsOfFile: Fixtures.url("media/picture.png").path)?.cgImage)
    let part = try #require(image.cropping(to: CGRect(x: 900, y: 600, width: 100, height: 100)))
    #expect(part.width == 60 && part.height == 40)
    let whole = try Pixels(try #require(UIImage(cgImage: image).pngData()))
    let cut = try Pixels(try #require(UIImage(cgImage: part).pngData()))
    #expect(cut[0, 0] == whole[900, 600] && cut[59, 39] == whole[959, 639])
    #expect(image.cropping(to: CGRect(x: 960, y: 0, width: 10, height: 10)) == nil)
  }

  @Test("a gradient goes from its first color to its last")
  func gradient() throws {
    let colors = [UIColor.red.cgColor, UIColor.blue.cgColor] as NSArray
    let gradient = try #require(
      CGGradient(colorsSpace: CGColorSpaceCreateDeviceRGB(), colors: colors, locations: nil))
    let pixels = try Self.pixels(100, 4) {
      $0.cgContext.drawLinearGradient(
        gradient, start: .zero, end: CGPoint(x: 100, y: 0), options: [])
    }
    #expect(pixels[0, 2][0] > 240 && pixels[99, 2][2] > 240)
    #expect((100...155).contains(pixels[50, 2][0]))
  }

  @Test("a line goes around a circle of any angles", arguments: [true, false])
  func arc(clockwise: Bool) throws {
    let path = UIBezierPath(
      arcCenter: CGPoint(x: 20, y: 20), radius: 15, startAngle: 0, endAngle: .pi,
      clockwise: clockwise)
    path.lineWidth = 4
    let pixels = try Self.pixels(40, 40) { _ in
      UIColor.red.setStroke()
      path.stroke()
    }
    // On a screen, clockwise from the right goes by the bottom.
    #expect(pixels[20, 35] == (clockwise ? Self.red : Self.none))
    #expect(pixels[20, 5] == (clockwise ? Self.none : Self.red))
  }

  @Test("a context that UIKit begins gives the image, also within another one")
  func nested() throws {
    #expect(UIGraphicsGetCurrentContext() == nil)
    UIGraphicsBeginImageContextWithOptions(CGSize(width: 4, height: 4), false, 2)
    UIColor.red.setFill()
    UIRectFill(CGRect(x: 0, y: 0, width: 4, height: 4))
    UIGraphicsBeginImageContext(CGSize(width: 2, height: 2))
    let inner = try #require(UIGraphicsGetImageFromCurrentImageContext())
    UIGraphicsEndImageContext()
    let outer = try #require(UIGraphicsGetImageFromCurrentImageContext())
    UIGraphicsEndImageContext()
    #expect(UIGraphicsGetCurrentContext() == nil)
    #expect(inner.size == CGSize(width: 2, height: 2) && inner.scale == 1)
    #expect(outer.size == CGSize(width: 4, height: 4) && outer.scale == 2)
    #expect(try Pixels(try #require(outer.pngData()))[7, 7] == Self.red)
    #expect(try Pixels(try #require(inner.pngData()))[1, 1] == Self.none)
  }

  @Test("a size that is no picture's draws nothing", arguments: [0, -1, CGFloat.nan, 20_000])
  func sizes(side: CGFloat) {
    let size = CGSize(width: side, height: side)
    var isCalled = false
    let image = UIGraphicsImageRenderer(size: size, format: Self.format(1)).image { _ in
      isCalled = true
    }
    #expect(isCalled && image.pngData()?.isEmpty == true)
    UIGraphicsBeginImageContextWithOptions(size, true, 1)
    #expect(UIGraphicsGetImageFromCurrentImageContext() == nil)
    UIGraphicsEndImageContext()
  }
}
