// The declarations of Apple's CoreGraphics that Martlet uses.
// https://developer.apple.com/documentation/coregraphics/cgimage
public final class CGImage {
  private init() {}
  public var alphaInfo: CGImageAlphaInfo { fatalError() }
}

public enum CGImageAlphaInfo: UInt32, Sendable {
  case none, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst
  case alphaOnly
}
