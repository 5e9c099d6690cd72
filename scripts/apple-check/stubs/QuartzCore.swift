// The declarations of Apple's QuartzCore that Martlet uses.
// https://developer.apple.com/documentation/quartzcore
public import CoreGraphics
public import Foundation

public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
}

open class CALayer: NSObject {
  open var frame: CGRect
  open var cornerRadius: CGFloat
  open var borderWidth: CGFloat
  open var borderColor: CGColor?
  open func addSublayer(_ layer: CALayer) { fatalError() }
  open func add(_ anim: CAAnimation, forKey key: String?) { fatalError() }
  public override init() { fatalError() }
}

public struct CAGradientLayerType: RawRepresentable, Hashable, Sendable {
  public static let axial = CAGradientLayerType(rawValue: "")
  public static let radial = CAGradientLayerType(rawValue: "")
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
}

open class CAGradientLayer: CALayer {
  open var colors: [Any]?
  open var startPoint: CGPoint
  open var endPoint: CGPoint
  open var type: CAGradientLayerType
  public override init() { fatalError() }
}

open class CAAnimation: NSObject {
  open var duration: Double
  public override init() { fatalError() }
}

public struct CATransitionType: RawRepresentable, Hashable, Sendable {
  public static let push = CATransitionType(rawValue: "")
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
}

public struct CATransitionSubtype: RawRepresentable, Hashable, Sendable {
  public static let fromLeft = CATransitionSubtype(rawValue: "")
  public static let fromRight = CATransitionSubtype(rawValue: "")
  public var rawValue: String
  public init(rawValue: String) { fatalError() }
}

open class CATransition: CAAnimation {
  open var type: CATransitionType
  open var subtype: CATransitionSubtype?
  public override init() { fatalError() }
}

public let kCATransition: String = ""
