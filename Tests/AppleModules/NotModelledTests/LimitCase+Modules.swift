import AVFAudio
import AVFoundation
import AudioToolbox
import CallKit
import CoreData
import CoreGraphics
import Foundation
import ImageIO
import Network
import SystemConfiguration
import TestSupport
import UIKit
import UserNotifications
import WidgetKit

extension LimitCase {
  static let modules = drawing + images + media + system

  private static func draw(_ body: (CGContext) -> Void) {
    UIGraphicsBeginImageContext(CGSize(width: 2, height: 2))
    defer { UIGraphicsEndImageContext() }
    UIGraphicsGetCurrentContext().map(body)
  }

  private static func source(_ name: String) throws -> CGImageSource? {
    CGImageSourceCreateWithData(try Data(contentsOf: Fixtures.url("media/\(name)")) as CFData, nil)
  }

  private static let drawing: [LimitCase] = [
    LimitCase("CGContext.draw(_:in:)") { _ in
      draw {
        $0.draw(file: Data(), of: (1, 1), in: CGRect(x: 0, y: 0, width: 1, height: 1), alpha: 1)
      }
    },
    LimitCase("CGContext.drawLinearGradient(_:start:end:options:)") { _ in
      let colors = [CGColor(gray: 0, alpha: 1), CGColor(gray: 1, alpha: 1)] as CFArray
      let gradient = CGGradient(colorsSpace: nil, colors: colors, locations: nil)
      draw { context in
        gradient.map { context.drawLinearGradient($0, start: .zero, end: .zero, options: []) }
      }
    },
    LimitCase("CGContext.interpolationQuality") { _ in draw { $0.interpolationQuality = .none } },
    LimitCase("CGContext.setBlendMode(_:)") { _ in draw { $0.setBlendMode(.multiply) } },
    LimitCase("CGContext.setShadow(offset:blur:)") { _ in
      draw { $0.setShadow(offset: .zero, blur: 1, color: nil) }
    },
    LimitCase("CGContext.setShouldAntialias(_:)") { _ in draw { $0.setShouldAntialias(false) } },
    LimitCase("NSString.draw(at:withAttributes:)") { _ in "a".draw(at: .zero) },
    LimitCase("NSString.draw(in:withAttributes:)") { _ in "a".draw(in: .zero) },
    LimitCase("NSString.size(withAttributes:)") { _ in _ = "a".size() },
  ]

  private static let images: [LimitCase] = [
    LimitCase("CGImageSourceGetCount") { _ in
      _ = try source("cloudy.gif").map(CGImageSourceGetCount)
    },
    LimitCase("CGImageSourceCopyPropertiesAtIndex") { _ in
      _ = try source("icon.png").map { CGImageSourceCopyPropertiesAtIndex($0, 0, nil) }
    },
    LimitCase("CGImageDestinationFinalize") { _ in
      CGImageDestinationCreateWithData(NSMutableData(), "public.png", 1, nil)
        .map { _ = CGImageDestinationFinalize($0) }
    },
    LimitCase("CGImageDestinationFinalize") { _ in
      let tiff = CGImageDestinationCreateWithData(NSMutableData(), "public.tiff", 1, nil)
      let image = try source("icon.png").flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) }
      guard let tiff, let image else { return }
      CGImageDestinationAddImage(tiff, image, nil)
      _ = CGImageDestinationFinalize(tiff)
    },
    LimitCase("UIImage(cgImage:scale:orientation:)") { _ in
      let image = try source("icon.png").flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) }
      image.map { _ = UIImage(cgImage: $0, scale: 1, orientation: .left) }
    },
    LimitCase("UIImage.imageOrientation") { _ in
      _ = UIImage(data: try Data(contentsOf: Fixtures.url("media/photo.jpg")))?.imageOrientation
    },
    LimitCase("UIImage(systemName:)") { _ in _ = UIImage(systemName: "star") },
    LimitCase("UIViewController.view") { _ in _ = UIViewController().view },
    LimitCase("UIPasteboard.general") { _ in UIPasteboard.general.string = "a" },
  ]

  private static let media: [LimitCase] = [
    LimitCase("AVAsset.duration") { folder in _ = AVURLAsset(url: folder).duration },
    LimitCase("AVAudioPlayer.duration") { _ in _ = try AVAudioPlayer(data: Data()).duration },
    LimitCase("AVAudioPlayer.play()") { _ in try AVAudioPlayer(data: Data()).play() },
    LimitCase("AVAudioSession.setActive(_:options:)") { _ in
      try AVAudioSession.sharedInstance().setActive(true)
    },
    LimitCase("AVAudioSession.setCategory(_:mode:options:)") { _ in
      try AVAudioSession.sharedInstance().setCategory(.playback)
    },
    LimitCase("AVPlayer.play()") { folder in AVPlayer(url: folder).play() },
    LimitCase("AVSpeechSynthesizer.speak(_:)") { _ in
      AVSpeechSynthesizer().speak(AVSpeechUtterance(string: "a"))
    },
    LimitCase("AudioServicesAddSystemSoundCompletion") { _ in
      AudioServicesAddSystemSoundCompletion(1, nil, nil, { _, _ in }, nil)
    },
    LimitCase("AudioServicesCreateSystemSoundID") { folder in
      var number: SystemSoundID = 0
      AudioServicesCreateSystemSoundID(folder as CFURL, &number)
    },
    LimitCase("AudioServicesPlayAlertSound") { _ in AudioServicesPlayAlertSound(1) },
    LimitCase("AudioServicesPlaySystemSound") { _ in AudioServicesPlaySystemSound(1) },
  ]

  private static let system: [LimitCase] = [
    LimitCase("CFNotificationCenterPostNotification") { _ in
      CFNotificationCenterPostNotification(
        CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName("a"), nil, nil, true)
    },
    LimitCase("CXProvider.reportNewIncomingVoIPPushPayload(_:completion:)") { _ in
      try await CXProvider.reportNewIncomingVoIPPushPayload([:])
    },
    LimitCase("NSManagedObjectModel(contentsOf:)") { folder in
      _ = NSManagedObjectModel(contentsOf: folder)
    },
    LimitCase("NWPathMonitor") { _ in _ = NWPathMonitor().currentPath },
    LimitCase("SCNetworkReachabilityGetFlags") { _ in
      var flags = SCNetworkReachabilityFlags()
      SCNetworkReachabilityCreateWithName(nil, "a").map {
        _ = SCNetworkReachabilityGetFlags($0, &flags)
      }
    },
    LimitCase("WidgetCenter.reloadAllTimelines()") { _ in WidgetCenter.shared.reloadAllTimelines()
    },
    LimitCase("WidgetCenter.reloadTimelines(ofKind:)") { _ in
      WidgetCenter.shared.reloadTimelines(ofKind: "a")
    },
  ]
}
