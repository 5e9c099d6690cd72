// The declarations of Apple's AVFoundation that Martlet uses.
// https://developer.apple.com/documentation/avfoundation
public import Foundation
public import QuartzCore

public struct CMTime: Sendable {
  public static let zero = CMTime()
}

@MainActor open class AVPlayerItem: NSObject {}

extension Notification.Name {
  public static let AVPlayerItemDidPlayToEndTime = Notification.Name(rawValue: "")
}

@MainActor open class AVPlayer: NSObject {
  public init(url URL: URL) { fatalError() }
  open var currentItem: AVPlayerItem? { fatalError() }
  open func play() { fatalError() }
  open func pause() { fatalError() }
  open func seek(to time: CMTime) { fatalError() }
}

public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  public static let resizeAspect = AVLayerVideoGravity(rawValue: "")
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
}

open class AVPlayerLayer: CALayer {
  open var player: AVPlayer?
  open var videoGravity: AVLayerVideoGravity
  public override init() { fatalError() }
}
