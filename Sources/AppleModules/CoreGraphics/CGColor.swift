public import Foundation
package import _Cairo

/// Apple's `CGColorSpace`, the meaning of a color's components, which here is always sRGB.
///
/// Source: Apple, `CGColorSpace`.
public final class CGColorSpace: NSObject, Sendable {
  /// The name of sRGB.
  nonisolated(unsafe) public static let sRGB: NSString = "kCGColorSpaceSRGB"

  override init() {}

  /// Creates a color space; `nil` for all but sRGB.
  ///
  /// - Parameter name: The name of the color space.
  public init?(name: NSString) {
    guard name == Self.sRGB else { return nil }
  }
}

/// Creates the color space of a screen.
///
/// - Returns: sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

/// Apple's `CGColor`, a color by its components in sRGB.
///
/// Source: Apple, `CGColor`.
public final class CGColor: NSObject, Sendable {
  private let values: [CGFloat]

  /// Creates a color.
  ///
  /// - Parameters:
  ///   - red: The red component, 0…1.
  ///   - green: The green component, 0…1.
  ///   - blue: The blue component, 0…1.
  ///   - alpha: The opacity, 0…1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    values = [red, green, blue, alpha]
  }

  /// Creates a gray.
  ///
  /// - Parameters:
  ///   - gray: The brightness, 0…1.
  ///   - alpha: The opacity, 0…1.
  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(red: gray, green: gray, blue: gray, alpha: alpha)
  }

  /// The red, green and blue components and the opacity.
  public var components: [CGFloat]? { values }
  /// The number of components with the opacity: 4.
  public var numberOfComponents: Int { values.count }
  /// The opacity, 0…1.
  public var alpha: CGFloat { values[3] }

  /// Whether another object is a color with the same components.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether the other object is such a color.
  public override func isEqual(_ object: Any?) -> Bool { (object as? CGColor)?.values == values }

  /// A hash that is the same for equal colors.
  public override var hash: Int { values.hashValue }

  /// The color for cairo, in a context of an opacity.
  package func paint(opacity: CGFloat = 1) -> Paint.Color {
    Paint.Color(
      red: Double(values[0]), green: Double(values[1]), blue: Double(values[2]),
      alpha: Double(values[3] * opacity))
  }
}

/// Apple's `CGGradient`, colors that pass into one another.
///
/// Source: Apple, `CGGradient`.
public final class CGGradient: NSObject, Sendable {
  let stops: [Paint.Stop]

  /// Creates a gradient; `nil` without a color.
  ///
  /// - Parameters:
  ///   - space: Unused: the colors have their own components.
  ///   - colors: The colors, each a `CGColor`.
  ///   - locations: The place of each color, 0…1; with `nil` they are at equal distances.
  public init?(colorsSpace space: CGColorSpace?, colors: NSArray, locations: [CGFloat]?) {
    let colors = colors.compactMap { $0 as? CGColor }
    guard !colors.isEmpty, (locations?.count ?? colors.count) >= colors.count else { return nil }
    let last = CGFloat(max(colors.count - 1, 1))
    stops = colors.enumerated().map { index, color in
      let place = locations.map { $0[index] } ?? CGFloat(index) / last
      return Paint.Stop(offset: Double(place), color: color.paint())
    }
  }
}

/// Apple's `CGGradientDrawingOptions`, which parts outside of a gradient's line are filled.
///
/// Source: Apple, `CGGradientDrawingOptions`.
public struct CGGradientDrawingOptions: OptionSet, Sendable {
  /// Apple's number.
  public let rawValue: UInt32

  /// Creates options of Apple's number.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The part before the start has the first color.
  public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1)
  /// The part after the end has the last color.
  public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 2)
}
