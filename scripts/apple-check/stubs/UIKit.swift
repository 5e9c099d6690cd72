// The declarations of Apple's UIKit that Martlet uses. https://developer.apple.com/documentation/uikit
@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import QuartzCore

// MARK: - Values

open class UIColor: NSObject, @unchecked Sendable {
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { fatalError() }
  public init(white: CGFloat, alpha: CGFloat) { fatalError() }
  open class var black: UIColor { fatalError() }
  open func withAlphaComponent(_ alpha: CGFloat) -> UIColor { fatalError() }
  open var cgColor: CGColor { fatalError() }
}

open class UIFontDescriptor: NSObject, @unchecked Sendable {
  public struct SymbolicTraits: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { fatalError() }
    public static var traitItalic: SymbolicTraits { fatalError() }
    public static var traitBold: SymbolicTraits { fatalError() }
  }
  open var symbolicTraits: SymbolicTraits { fatalError() }
  open func withSymbolicTraits(_ symbolicTraits: SymbolicTraits) -> UIFontDescriptor? { fatalError() }
}

open class UIFont: NSObject, @unchecked Sendable {
  public struct Weight: RawRepresentable, Hashable, Sendable {
    public var rawValue: CGFloat
    public init(rawValue: CGFloat) { fatalError() }
    public static let regular = Weight(rawValue: 0)
    public static let semibold = Weight(rawValue: 0)
    public static let bold = Weight(rawValue: 0)
  }
  public init(descriptor: UIFontDescriptor, size pointSize: CGFloat) { fatalError() }
  open class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont { fatalError() }
  open class func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
    fatalError()
  }
  open var fontDescriptor: UIFontDescriptor { fatalError() }
  open var pointSize: CGFloat { fatalError() }
  open var lineHeight: CGFloat { fatalError() }
  open var leading: CGFloat { fatalError() }
}

open class UIImage: NSObject, @unchecked Sendable {
  public init?(data: Data) { fatalError() }
  public init?(systemName name: String) { fatalError() }
  public init(cgImage: CGImage) { fatalError() }
}

extension NSAttributedString.Key {
  public static let font = NSAttributedString.Key(rawValue: "")
  public static let foregroundColor = NSAttributedString.Key(rawValue: "")
  public static let underlineStyle = NSAttributedString.Key(rawValue: "")
  public static let strikethroughStyle = NSAttributedString.Key(rawValue: "")
}

public struct NSUnderlineStyle: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { fatalError() }
  public static var single: NSUnderlineStyle { fatalError() }
}

public struct NSStringDrawingOptions: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { fatalError() }
  public static var usesLineFragmentOrigin: NSStringDrawingOptions { fatalError() }
  public static var usesFontLeading: NSStringDrawingOptions { fatalError() }
}
open class NSStringDrawingContext: NSObject {}

extension NSAttributedString {
  public func boundingRect(
    with size: CGSize, options: NSStringDrawingOptions = [], context: NSStringDrawingContext?
  ) -> CGRect { fatalError() }
}

public enum NSTextAlignment: Int, Sendable { case left, center, right, justified, natural }
public enum NSLineBreakMode: Int, Sendable {
  case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail
}

// MARK: - Traits

public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
  public static let extraSmall = UIContentSizeCategory(rawValue: "")
  public static let small = UIContentSizeCategory(rawValue: "")
  public static let medium = UIContentSizeCategory(rawValue: "")
  public static let large = UIContentSizeCategory(rawValue: "")
  public static let extraLarge = UIContentSizeCategory(rawValue: "")
  public static let extraExtraLarge = UIContentSizeCategory(rawValue: "")
  public static let extraExtraExtraLarge = UIContentSizeCategory(rawValue: "")
  public static let accessibilityMedium = UIContentSizeCategory(rawValue: "")
  public static let accessibilityLarge = UIContentSizeCategory(rawValue: "")
  public static let accessibilityExtraLarge = UIContentSizeCategory(rawValue: "")
  public static let accessibilityExtraExtraLarge = UIContentSizeCategory(rawValue: "")
  public static let accessibilityExtraExtraExtraLarge = UIContentSizeCategory(rawValue: "")
}

public enum UIUserInterfaceSizeClass: Int, Sendable { case unspecified, compact, regular }
public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }
public enum UIUserInterfaceLayoutDirection: Int, Sendable { case leftToRight, rightToLeft }

open class UITraitCollection: NSObject, @unchecked Sendable {
  open var horizontalSizeClass: UIUserInterfaceSizeClass { fatalError() }
  open var preferredContentSizeCategory: UIContentSizeCategory { fatalError() }
  open var userInterfaceStyle: UIUserInterfaceStyle { fatalError() }
}

// MARK: - Views

@MainActor open class UIResponder: NSObject {
  public nonisolated override init() { fatalError() }
}

@MainActor open class UIView: UIResponder {
  public enum ContentMode: Int, Sendable { case scaleToFill, scaleAspectFit, scaleAspectFill }
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public nonisolated init(rawValue: UInt) { fatalError() }
    public static var flexibleWidth: AutoresizingMask { fatalError() }
    public static var flexibleHeight: AutoresizingMask { fatalError() }
  }
  open class var layerClass: AnyClass { fatalError() }
  public init(frame: CGRect) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
  public nonisolated override convenience init() { fatalError() }
  open var layer: CALayer { fatalError() }
  open var frame: CGRect
  open var bounds: CGRect
  open var window: UIView? { fatalError() }
  open var superview: UIView? { fatalError() }
  open var subviews: [UIView] { fatalError() }
  open var clipsToBounds: Bool
  open var backgroundColor: UIColor?
  open var tintColor: UIColor!
  open var contentMode: ContentMode
  open var autoresizingMask: AutoresizingMask
  open var isUserInteractionEnabled: Bool
  open var traitCollection: UITraitCollection { fatalError() }
  open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { fatalError() }
  open func addSubview(_ view: UIView) { fatalError() }
  open func removeFromSuperview() { fatalError() }
  open func layoutSubviews() { fatalError() }
  open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) { fatalError() }
  @available(iOS, deprecated: 17.0)
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) { fatalError() }
}

@MainActor open class UIImageView: UIView {
  public init(image: UIImage?) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
  open var image: UIImage?
}

@MainActor open class UILabel: UIView {
  public override init(frame: CGRect) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
  open var attributedText: NSAttributedString?
  open var numberOfLines: Int
  open var lineBreakMode: NSLineBreakMode
  open var textAlignment: NSTextAlignment
}

@MainActor open class UIPageControl: UIView {
  public override init(frame: CGRect) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
  open var numberOfPages: Int
  open var currentPage: Int
  open var pageIndicatorTintColor: UIColor?
  open var currentPageIndicatorTintColor: UIColor?
}

// MARK: - Gestures

@MainActor open class UIGestureRecognizer: NSObject {
  public init(target: Any?, action: Selector?) { fatalError() }
  open func location(in view: UIView?) -> CGPoint { fatalError() }
}
@MainActor open class UITapGestureRecognizer: UIGestureRecognizer {}
@MainActor open class UISwipeGestureRecognizer: UIGestureRecognizer {
  public struct Direction: OptionSet, Sendable {
    public let rawValue: UInt
    public nonisolated init(rawValue: UInt) { fatalError() }
    public static var right: Direction { fatalError() }
    public static var left: Direction { fatalError() }
  }
  open var direction: Direction
  public override init(target: Any?, action: Selector?) { fatalError() }
}

// MARK: - Accessibility

@MainActor public enum UIAccessibility {
  public struct Notification: Sendable {
    public static let announcement = Notification()
  }
  public static var isReduceMotionEnabled: Bool { fatalError() }
  public static var isVoiceOverRunning: Bool { fatalError() }
  public static func post(notification: Notification, argument: Any?) { fatalError() }
}

public struct UIAccessibilityTraits: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { fatalError() }
  public static var none: UIAccessibilityTraits { fatalError() }
  public static var header: UIAccessibilityTraits { fatalError() }
  public static var image: UIAccessibilityTraits { fatalError() }
  public static var button: UIAccessibilityTraits { fatalError() }
  public static var adjustable: UIAccessibilityTraits { fatalError() }
  public static var updatesFrequently: UIAccessibilityTraits { fatalError() }
  public static var selected: UIAccessibilityTraits { fatalError() }
}

extension UIView {
  public var isAccessibilityElement: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  public var accessibilityElements: [Any]? {
    get { fatalError() }
    set { fatalError() }
  }
}

@MainActor open class UIAccessibilityCustomAction: NSObject {
  public init(name: String, actionHandler: @escaping (UIAccessibilityCustomAction) -> Bool) {
    fatalError()
  }
}

@MainActor open class UIAccessibilityElement: UIResponder {
  public init(accessibilityContainer container: Any) { fatalError() }
  open var accessibilityLabel: String?
  open var accessibilityValue: String?
  open var accessibilityTraits: UIAccessibilityTraits
  open var accessibilityFrameInContainerSpace: CGRect
  open var accessibilityCustomActions: [UIAccessibilityCustomAction]?
  open func accessibilityActivate() -> Bool { fatalError() }
  open func accessibilityIncrement() { fatalError() }
  open func accessibilityDecrement() { fatalError() }
}

// MARK: - Controllers

@MainActor open class UIViewController: UIResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { fatalError() }
  public required init?(coder: NSCoder) { fatalError() }
  open var view: UIView!
  open var preferredContentSize: CGSize
  open var extensionContext: NSExtensionContext? { fatalError() }
  open func viewDidLoad() { fatalError() }
  open func loadViewIfNeeded() { fatalError() }
  open func viewDidAppear(_ animated: Bool) { fatalError() }
  open func viewDidDisappear(_ animated: Bool) { fatalError() }
}

// MARK: - Applications

@MainActor open class UIApplication: UIResponder {
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { fatalError() }
  }
  open class var shared: UIApplication { fatalError() }
  open func registerForRemoteNotifications() { fatalError() }
}

// Optional in Objective-C.
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  )
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  )
}
