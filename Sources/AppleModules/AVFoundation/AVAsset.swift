import AVFAudio
public import CoreGraphics
public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `AVAsset`, a film or a sound, which is not read here.
///
/// Source: Apple, `AVAsset`.
public class AVAsset: NSObject {
  let source: URL

  /// Creates an asset.
  ///
  /// - Parameter url: The file's URL.
  public init(url: URL) { source = url }

  /// The length, which is unknown, and the trace of the run says so.
  public var duration: CMTime {
    notModelled("AVAsset.duration", "it is unknown, because films and sounds are not read")
    return .invalid
  }
}

/// Apple's `AVURLAsset`, a film or a sound of a URL.
///
/// Source: Apple, `AVURLAsset`.
public final class AVURLAsset: AVAsset {
  /// The file's URL.
  public var url: URL { source }

  /// Creates an asset.
  ///
  /// - Parameters:
  ///   - url: The file's URL.
  ///   - options: Unused.
  public init(url: URL, options: [String: Any]?) { super.init(url: url) }

  /// Creates an asset.
  ///
  /// - Parameter url: The file's URL.
  public override init(url: URL) { super.init(url: url) }
}

/// Apple's `AVAssetImageGenerator`, which makes no pictures here, and the trace of the run says so.
///
/// Source: Apple, `AVAssetImageGenerator`.
public final class AVAssetImageGenerator: NSObject {
  /// The film.
  public let asset: AVAsset
  /// Whether the film's orientation is applied.
  public var appliesPreferredTrackTransform = false
  /// The largest size of a picture; zero for that of the film.
  public var maximumSize = CGSize.zero
  /// How much earlier a picture may be.
  public var requestedTimeToleranceBefore = CMTime.invalid
  /// How much later a picture may be.
  public var requestedTimeToleranceAfter = CMTime.invalid

  /// Creates a generator.
  ///
  /// - Parameter asset: The film.
  public init(asset: AVAsset) { self.asset = asset }

  /// Fails to make a picture.
  ///
  /// - Parameters:
  ///   - requestedTime: The time in the film.
  ///   - actualTime: Unused.
  /// - Returns: Nothing.
  /// - Throws: Always `AVModelError`.
  public func copyCGImage(
    at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?
  ) throws -> CGImage {
    let (api, message) = (
      "AVAssetImageGenerator.copyCGImage(at:actualTime:)", "films are not decoded"
    )
    notModelled(api, message)
    throw AVModelError("\(api): \(message)")
  }
}

/// Apple's `AVPlayerItem`, a film or a sound for a player.
///
/// Source: Apple, `AVPlayerItem`.
public final class AVPlayerItem: NSObject {
  /// The film or the sound.
  public let asset: AVAsset

  /// Creates an item.
  ///
  /// - Parameter asset: The film or the sound.
  public init(asset: AVAsset) { self.asset = asset }

  /// Creates an item.
  ///
  /// - Parameter url: The file's URL.
  public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }
}

/// Apple's `AVPlayer`, which plays nothing here, and the trace of the run says so.
///
/// Source: Apple, `AVPlayer`.
public class AVPlayer: NSObject {
  /// The film or the sound.
  public private(set) var currentItem: AVPlayerItem?
  /// The volume, 0…1.
  public var volume: Float = 1
  /// Whether it makes no sound.
  public var isMuted = false

  /// Creates a player.
  ///
  /// - Parameter item: The film or the sound.
  public init(playerItem item: AVPlayerItem?) { currentItem = item }

  /// Creates a player.
  ///
  /// - Parameter url: The file's URL.
  public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

  /// Plays nothing.
  public func play() { notModelled("AVPlayer.play()", "nothing is played") }
  /// Pauses.
  public func pause() {}
}

extension NSNotification.Name {
  /// A film or a sound has ended.
  public static let AVPlayerItemDidPlayToEndTime = NSNotification.Name(
    "AVPlayerItemDidPlayToEndTimeNotification")
}
