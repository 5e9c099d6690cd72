import Foundation
import ImageIO
import Intents
import NotificationHost
import NotificationHostTesting
import SwiftUI
import TestSupport
import Testing
import UIKit
import UniformTypeIdentifiers
import UserNotifications

// The code is our own, in the forms of published service extensions that change pictures before they attach them.

/// Loads the picture of the key `image` and attaches what a closure makes of it.
private class PictureService: UNNotificationServiceExtension {
  func edit(_ data: Data) -> Data? { data }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
      let text = content.userInfo["image"] as? String, let url = URL(string: text)
    else { return contentHandler(request.content) }
    URLSession.shared.dataTask(with: url) { data, _, _ in
      if let attachment = data.flatMap(self.edit).flatMap(self.attachment) {
        content.attachments = [attachment]
      }
      contentHandler(content)
    }.resume()
  }

  private func attachment(_ picture: Data) -> UNNotificationAttachment? {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
    guard (try? picture.write(to: file)) != nil else { return nil }
    return try? UNNotificationAttachment(identifier: "", url: file, options: nil)
  }
}

/// An avatar: the picture, cut to a circle.
private final class AvatarService: PictureService {
  override func edit(_ data: Data) -> Data? {
    guard let image = UIImage(data: data) else { return nil }
    let rect = CGRect(x: 0, y: 0, width: 120, height: 120)
    return UIGraphicsImageRenderer(size: rect.size).image { _ in
      UIBezierPath(ovalIn: rect).addClip()
      image.draw(in: rect)
    }.pngData()
  }
}

/// A square of the middle, in the way of before UIGraphicsImageRenderer.
private final class SquareService: PictureService {
  override func edit(_ data: Data) -> Data? {
    guard let image = UIImage(data: data) else { return nil }
    let side = min(image.size.width, image.size.height)
    let middle = CGRect(
      x: (image.size.width - side) / 2, y: (image.size.height - side) / 2, width: side,
      height: side)
    guard let cut = image.cgImage?.cropping(to: middle) else { return nil }
    let square = UIImage(cgImage: cut, scale: image.scale, orientation: image.imageOrientation)
    UIGraphicsBeginImageContextWithOptions(CGSize(width: 100, height: 100), false, 0.0)
    defer { UIGraphicsEndImageContext() }
    square.draw(in: CGRect(origin: .zero, size: CGSize(width: 100, height: 100)))
    return UIGraphicsGetImageFromCurrentImageContext()?.pngData()
  }
}

/// A collage of the picture, twice.
private final class CollageService: PictureService {
  override func edit(_ data: Data) -> Data? {
    guard let image = UIImage(data: data) else { return nil }
    let size = CGSize(width: 200, height: 100)
    return UIGraphicsImageRenderer(size: size).pngData { renderer in
      let context = renderer.cgContext
      UIColor.white.setFill()
      context.fill(CGRect(origin: .zero, size: size))
      for x in [0, 102] {
        context.saveGState()
        let rect = CGRect(x: x, y: 0, width: 98, height: 100)
        context.addRect(rect)
        context.clip()
        image.draw(in: rect.insetBy(dx: -20, dy: 0))
        context.restoreGState()
      }
    }
  }
}

/// A thumbnail by ImageIO, in the file's own type.
private final class ThumbnailService: PictureService {
  override func edit(_ data: Data) -> Data? {
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceThumbnailMaxPixelSize: 64,
    ]
    guard let source = CGImageSourceCreateWithData(data as CFData, nil),
      let name = CGImageSourceGetType(source) as String?,
      UTType(name)?.conforms(to: .image) == true,
      let small = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    else { return nil }
    return UIImage(cgImage: small).pngData()
  }
}

/// A card that is drawn without a picture.
private final class PlaceholderService: PictureService {
  override func edit(_ data: Data) -> Data? {
    let size = CGSize(width: 30, height: 20)
    return UIGraphicsImageRenderer(size: size).image { context in
      let colors = [UIColor.systemRed.cgColor, UIColor.systemOrange.cgColor] as CFArray
      guard
        let gradient = CGGradient(
          colorsSpace: CGColorSpaceCreateDeviceRGB(), colors: colors, locations: nil)
      else { return }
      context.cgContext.drawLinearGradient(
        gradient, start: .zero, end: CGPoint(x: 30, y: 20), options: [])
      let style = NSMutableParagraphStyle()
      style.alignment = .center
      "Sorry".draw(
        in: CGRect(origin: .zero, size: size),
        withAttributes: [
          .font: UIFont.systemFont(ofSize: 20, weight: .bold), .foregroundColor: UIColor.white,
          .paragraphStyle: style,
        ])
    }.pngData()
  }
}

@Suite("Extensions that change pictures")
struct PictureExtensionTests {
  enum Kind: CaseIterable, Sendable {
    case avatar, square, collage, thumbnail, placeholder

    fileprivate func make() -> PictureService {
      switch self {
      case .avatar: AvatarService()
      case .square: SquareService()
      case .collage: CollageService()
      case .thumbnail: ThumbnailService()
      case .placeholder: PlaceholderService()
      }
    }

    /// The size of the picture in pixels, with three for a point.
    var size: CGSize {
      switch self {
      case .avatar: CGSize(width: 360, height: 360)
      case .square: CGSize(width: 300, height: 300)
      case .collage: CGSize(width: 600, height: 300)
      case .thumbnail: CGSize(width: 64, height: 43)
      case .placeholder: CGSize(width: 90, height: 60)
      }
    }
  }

  @Test("attach the changed picture", arguments: Kind.allCases)
  func attach(kind: Kind) async throws {
    let picture = ScriptedNetwork.Body.file(Fixtures.url("media/picture.png"))
    let phone = try TestPhone(["https://a/p.png": .init(body: picture)]) { kind.make() }
    let report = try await phone.deliver(
      #"{"aps": {"alert": "Hi", "mutable-content": 1}, "image": "https://a/p.png"}"#)
    report.expect(.displayed, body: "Hi", attachments: ["public.png"])
    let file = try #require(report.attachments.first?.file)
    #expect(UIImage(contentsOfFile: file.path)?.size == kind.size)
  }
}
