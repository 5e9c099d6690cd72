public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `UIFont`, a font by its name, size and weight, which is not read here.
///
/// Source: Apple, `UIFont`.
public final class UIFont: NSObject, Sendable {
  /// The boldness of a font.
  public struct Weight: Hashable, RawRepresentable, Sendable {
    /// Apple's number, -1…1.
    public let rawValue: CGFloat

    /// Creates a weight of Apple's number.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: CGFloat) { self.rawValue = rawValue }

    /// Light.
    public static let light = Weight(rawValue: -0.4)
    /// Regular.
    public static let regular = Weight(rawValue: 0)
    /// Medium.
    public static let medium = Weight(rawValue: 0.23)
    /// Semibold.
    public static let semibold = Weight(rawValue: 0.3)
    /// Bold.
    public static let bold = Weight(rawValue: 0.4)
    /// Heavy.
    public static let heavy = Weight(rawValue: 0.56)
  }

  /// The name.
  public let fontName: String
  /// The size in points.
  public let pointSize: CGFloat
  /// The weight.
  let weight: Weight

  private init(_ name: String, size: CGFloat, weight: Weight) {
    (fontName, pointSize, self.weight) = (name, size, weight)
  }

  /// Returns the system's font.
  ///
  /// - Parameters:
  ///   - fontSize: The size in points.
  ///   - weight: The weight.
  /// - Returns: The font.
  public static func systemFont(ofSize fontSize: CGFloat, weight: Weight = .regular) -> UIFont {
    UIFont(".SFUI", size: fontSize, weight: weight)
  }

  /// Returns the system's bold font.
  ///
  /// - Parameter fontSize: The size in points.
  /// - Returns: The font.
  public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont {
    systemFont(ofSize: fontSize, weight: .bold)
  }
}

/// Apple's `NSTextAlignment`, the side at which lines begin.
///
/// Source: Apple, `NSTextAlignment`.
public enum NSTextAlignment: Int, Sendable {
  /// The left side.
  case left = 0
  /// The middle.
  case center = 1
  /// The right side.
  case right = 2
  /// Both sides.
  case justified = 3
  /// The side of the language.
  case natural = 4
}

/// Apple's `NSParagraphStyle`, how a paragraph is set.
///
/// Source: Apple, `NSParagraphStyle`.
public class NSParagraphStyle: NSObject {
  /// The side at which lines begin.
  public fileprivate(set) var alignment = NSTextAlignment.natural
}

/// Apple's `NSMutableParagraphStyle`, how a paragraph is set.
///
/// Source: Apple, `NSMutableParagraphStyle`.
public final class NSMutableParagraphStyle: NSParagraphStyle {
  /// Creates the usual style.
  public override init() {}

  /// The side at which lines begin.
  public override var alignment: NSTextAlignment {
    get { super.alignment }
    set { super.alignment = newValue }
  }
}

extension NSAttributedString.Key {
  /// The key of a `UIFont`.
  public static let font = NSAttributedString.Key("NSFont")
  /// The key of the text's `UIColor`.
  public static let foregroundColor = NSAttributedString.Key("NSColor")
  /// The key of the background's `UIColor`.
  public static let backgroundColor = NSAttributedString.Key("NSBackgroundColor")
  /// The key of an `NSParagraphStyle`.
  public static let paragraphStyle = NSAttributedString.Key("NSParagraphStyle")
}

extension String {
  /// Draws a text, which this model does not do, and the trace of the run says so.
  ///
  /// - Parameters:
  ///   - rect: The place.
  ///   - attributes: The font and colors.
  public func draw(in rect: CGRect, withAttributes attributes: [NSAttributedString.Key: Any]? = nil)
  {
    notModelled("NSString.draw(in:withAttributes:)", "a text of \(count) characters is left out")
  }

  /// Draws a text, which this model does not do, and the trace of the run says so.
  ///
  /// - Parameters:
  ///   - point: The top left corner.
  ///   - attributes: The font and colors.
  public func draw(
    at point: CGPoint, withAttributes attributes: [NSAttributedString.Key: Any]? = nil
  ) {
    notModelled("NSString.draw(at:withAttributes:)", "a text of \(count) characters is left out")
  }

  /// Measures a text, which this model only estimates, and the trace of the run says so.
  ///
  /// - Parameter attributes: The font.
  /// - Returns: Half of the font's size for each character, in one line.
  public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
    notModelled("NSString.size(withAttributes:)", "the size is an estimate; no font is read")
    let size = (attributes?[.font] as? UIFont)?.pointSize ?? 12
    return CGSize(width: size / 2 * CGFloat(count), height: size * 1.2)
  }
}
