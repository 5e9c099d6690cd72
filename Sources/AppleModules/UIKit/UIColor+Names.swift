public import CoreGraphics
import Foundation

extension UIColor {
  /// Creates a color.
  ///
  /// - Parameter cgColor: The components.
  public convenience init(cgColor: CGColor) {
    let values = cgColor.components ?? [0, 0, 0, 0]
    self.init(red: values[0], green: values[1], blue: values[2], alpha: values[3])
  }

  /// The color for Core Graphics.
  public var cgColor: CGColor {
    var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
    unsafe getRed(&red, green: &green, blue: &blue, alpha: &alpha)
    return CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Makes this the color of fills in UIKit's current context.
  public func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(cgColor) }
  /// Makes this the color of lines in UIKit's current context.
  public func setStroke() { UIGraphicsGetCurrentContext()?.setStrokeColor(cgColor) }
  /// Makes this the color of fills and lines in UIKit's current context.
  public func set() {
    setFill()
    setStroke()
  }
}

// Apple documents the system's colors by these values of 0…255, in the light appearance (Human Interface Guidelines).
extension UIColor {
  private convenience init(_ red: Int, _ green: Int, blue: Int, alpha: CGFloat = 1) {
    self.init(
      red: CGFloat(red) / 255, green: CGFloat(green) / 255, blue: CGFloat(blue) / 255, alpha: alpha)
  }

  /// The system's red.
  public static let systemRed = UIColor(255, 59, blue: 48)
  /// The system's orange.
  public static let systemOrange = UIColor(255, 149, blue: 0)
  /// The system's yellow.
  public static let systemYellow = UIColor(255, 204, blue: 0)
  /// The system's green.
  public static let systemGreen = UIColor(52, 199, blue: 89)
  /// The system's teal.
  public static let systemTeal = UIColor(48, 176, blue: 199)
  /// The system's blue.
  public static let systemBlue = UIColor(0, 122, blue: 255)
  /// The system's indigo.
  public static let systemIndigo = UIColor(88, 86, blue: 214)
  /// The system's purple.
  public static let systemPurple = UIColor(175, 82, blue: 222)
  /// The system's pink.
  public static let systemPink = UIColor(255, 45, blue: 85)
  /// The system's gray.
  public static let systemGray = UIColor(142, 142, blue: 147)
  /// The color of texts.
  public static let label = UIColor(white: 0, alpha: 1)
  /// The color of second texts.
  public static let secondaryLabel = UIColor(60, 60, blue: 67, alpha: 0.6)
  /// The color of backgrounds.
  public static let systemBackground = UIColor(white: 1, alpha: 1)
  /// Dark gray.
  public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
  /// Light gray.
  public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
  /// Cyan.
  public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
  /// Magenta.
  public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)
  /// Purple.
  public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
  /// Brown.
  public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
}
