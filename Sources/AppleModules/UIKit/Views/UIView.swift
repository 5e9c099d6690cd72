public import CoreGraphics
public import Foundation

/// Apple's `UIView`, which here keeps its properties and its subviews; nothing is laid out or drawn.
///
/// Source: Apple, `UIView`.
open class UIView: NSObject {
  /// Apple's `UIView.ContentMode`, how a content fills its view.
  public enum ContentMode: Int, Sendable {
    /// It is stretched.
    case scaleToFill = 0
    /// All of it is visible.
    case scaleAspectFit = 1
    /// It covers the view.
    case scaleAspectFill = 2
    /// It is drawn again.
    case redraw = 3
    /// It is in the middle.
    case center = 4
  }

  /// The place in the superview.
  open var frame: CGRect
  /// The color of the background.
  open var backgroundColor: UIColor?
  /// The color of controls.
  open var tintColor: UIColor?
  /// The opacity, 0…1.
  open var alpha: CGFloat = 1
  /// Whether the view is invisible.
  open var isHidden = false
  /// Whether subviews are cut at its edges.
  open var clipsToBounds = false
  /// Whether it gets touches.
  open var isUserInteractionEnabled = true
  /// How its content fills it.
  open var contentMode = ContentMode.scaleToFill
  /// A number of the app's own.
  open var tag = 0
  /// Whether its mask becomes constraints.
  open var translatesAutoresizingMaskIntoConstraints = true
  /// The layer, which keeps its properties.
  public let layer = CALayer()
  /// The view that has this one.
  public private(set) weak var superview: UIView?
  /// The views in this one, from back to front.
  public private(set) var subviews: [UIView] = []

  /// Creates a view.
  ///
  /// - Parameter frame: The place in the superview.
  public init(frame: CGRect) { self.frame = frame }

  /// Creates a view without a size.
  public override convenience init() { self.init(frame: .zero) }

  /// The place in its own coordinates.
  open var bounds: CGRect {
    get { CGRect(origin: .zero, size: frame.size) }
    set { frame.size = newValue.size }
  }

  /// The middle in the superview.
  open var center: CGPoint {
    get { CGPoint(x: frame.midX, y: frame.midY) }
    set {
      frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2)
    }
  }

  /// Adds a view in front of the others.
  ///
  /// - Parameter view: The view, which leaves the one that had it.
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  /// Adds a view at a place between the others.
  ///
  /// - Parameters:
  ///   - view: The view, which leaves the one that had it.
  ///   - index: The place, 0 for the back.
  open func insertSubview(_ view: UIView, at index: Int) {
    view.removeFromSuperview()
    subviews.insert(view, at: min(max(index, 0), subviews.count))
    view.superview = self
  }

  /// Leaves the view that has this one.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  /// Moves a view to the front.
  ///
  /// - Parameter view: The view.
  open func bringSubviewToFront(_ view: UIView) {
    guard view.superview === self else { return }
    addSubview(view)
  }

  /// Finds a view by its number, in this one and its subviews.
  ///
  /// - Parameter tag: The number.
  /// - Returns: The view.
  open func viewWithTag(_ tag: Int) -> UIView? {
    if self.tag == tag { return self }
    return subviews.lazy.compactMap { $0.viewWithTag(tag) }.first
  }

  /// Called when the layout changes; here by ``layoutIfNeeded()``.
  open func layoutSubviews() {}

  /// Asks for a layout.
  open func setNeedsLayout() { needsLayout = true }

  /// Calls ``layoutSubviews()`` if a layout was asked for, in this view and its subviews.
  open func layoutIfNeeded() {
    if needsLayout { layoutSubviews() }
    needsLayout = false
    for view in subviews { view.layoutIfNeeded() }
  }

  private var needsLayout = true
}

/// Core Animation's `CALayer`, which here keeps its properties; nothing is drawn.
///
/// Source: Apple, `CALayer`.
open class CALayer: NSObject {
  /// The radius of the corners.
  open var cornerRadius: CGFloat = 0
  /// Whether it is cut at its corners.
  open var masksToBounds = false
  /// The width of the edge.
  open var borderWidth: CGFloat = 0
  /// The color of the edge.
  open var borderColor: CGColor?
  /// The color of the background.
  open var backgroundColor: CGColor?
  /// The color of the shadow.
  open var shadowColor: CGColor?
  /// The opacity of the shadow, 0…1.
  open var shadowOpacity: Float = 0
  /// The distance of the shadow.
  open var shadowOffset = CGSize(width: 0, height: -3)
  /// The width of the shadow's edge.
  open var shadowRadius: CGFloat = 3

  /// Creates a layer.
  public override init() {}
}
