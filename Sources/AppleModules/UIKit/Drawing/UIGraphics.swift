public import CoreGraphics
public import Foundation

/// The contexts of a thread, of which UIKit draws in the last one.
///
/// Source: Apple, `UIGraphicsPushContext`.
enum ContextStack {
  struct Entry {
    let context: CGContext
    let scale: CGFloat
  }

  private final class Box: NSObject {
    var entries: [Entry] = []
  }

  private static var box: Box {
    let key = "UIKit.ContextStack"
    if let box = Thread.current.threadDictionary[key] as? Box { return box }
    let box = Box()
    Thread.current.threadDictionary[key] = box
    return box
  }

  static var last: Entry? { box.entries.last }

  static func push(_ context: CGContext, scale: CGFloat) {
    box.entries.append(Entry(context: context, scale: scale))
  }

  static func pop() { _ = box.entries.popLast() }

  /// Creates a context of a size in points, with the origin in the top left corner.
  static func makeContext(_ size: CGSize, scale: CGFloat, api: String) -> CGContext {
    func pixels(_ points: CGFloat) -> Int {
      let pixels = (points * scale).rounded(.up)
      return (0..<1_000_000).contains(pixels) ? Int(pixels) : 0
    }
    let context = CGContext(width: pixels(size.width), height: pixels(size.height), api: api)
    context.scaleBy(x: scale, y: scale)
    return context
  }
}

/// Begins an image that is drawn with UIKit, with one pixel per point.
///
/// - Parameter size: The size in points.
public func UIGraphicsBeginImageContext(_ size: CGSize) {
  let api = "UIGraphicsBeginImageContext"
  ContextStack.push(ContextStack.makeContext(size, scale: 1, api: api), scale: 1)
}

// This is a closure, because Apple's function has three parameters without a label.

/// Apple's `UIGraphicsBeginImageContextWithOptions`, which begins an image that is drawn with UIKit.
///
/// The arguments are the size in points, whether the image has no transparent parts, and the number of pixels of a
/// point, for which 0 means ``UIGraphicsImageRendererFormat/screenScale``.
public var UIGraphicsBeginImageContextWithOptions:
  @Sendable (_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) -> Void
{
  { size, opaque, scale in
    let scale = scale > 0 ? scale : UIGraphicsImageRendererFormat.screenScale
    let api = "UIGraphicsBeginImageContextWithOptions"
    let context = ContextStack.makeContext(size, scale: scale, api: api)
    if opaque { context.fill(CGRect(origin: .zero, size: size)) }
    ContextStack.push(context, scale: scale)
  }
}

/// The context in which UIKit draws.
///
/// - Returns: The context; `nil` outside of an image.
public func UIGraphicsGetCurrentContext() -> CGContext? { ContextStack.last?.context }

/// The image that was drawn so far.
///
/// - Returns: The image; `nil` outside of an image, or if nothing can be drawn.
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
  guard let last = ContextStack.last, let image = last.context.makeImage() else { return nil }
  return UIImage(cgImage: image, scale: last.scale, orientation: .up)
}

/// Ends the image.
public func UIGraphicsEndImageContext() { ContextStack.pop() }

/// Makes UIKit draw in a context.
///
/// - Parameter context: The context.
public func UIGraphicsPushContext(_ context: CGContext) { ContextStack.push(context, scale: 1) }

/// Makes UIKit draw in the context of before.
public func UIGraphicsPopContext() { ContextStack.pop() }

/// Fills a rectangle of the current context.
///
/// - Parameter rect: The rectangle.
public func UIRectFill(_ rect: CGRect) { ContextStack.last?.context.fill(rect) }
